// SPDX-License-Identifier: Apache-2.0
//
// histories: see the header.
#include "histories.hpp"

namespace emulator::check {

namespace {

constexpr std::size_t most_seen = 32;

} // namespace

void location::restart(message m) {
  messages.clear();
  messages.push_back(std::move(m));
  stores = 0;
}

void location::insert(std::size_t index, message m) {
  stores += !m.is_update;
  if (index == messages.size()) messages.push_back(std::move(m));
  else messages.insert(messages.begin() + std::ptrdiff_t(index), std::move(m));
  if (messages.size() <= most_messages) return;
  if (stores && !messages[1].is_update) --stores;
  messages.pop_front();
}

void location::forget_before(std::size_t index) {
  for (std::size_t i = 1; i <= index; ++i) stores -= !messages[i].is_update;
  messages.erase(messages.begin(), messages.begin() + std::ptrdiff_t(index));
}

void location::saw(std::size_t index, agent const& who) {
  if (index == 0) return; // nothing older is left that this would rule out
  auto& seen = messages[index].seen;
  for (auto& [number, epoch] : seen)
    if (number == who.number) return;
  if (seen.size() < most_seen) return void(seen.emplace_back(who.number, who.epoch));
  forget_before(index);
  messages.front().seen.clear();
}

location* histories::find(std::uintptr_t where, u32 size) {
  auto const found = all_.find(where);
  return found != all_.end() && found->second.size == size ? &found->second : nullptr;
}

location* histories::starting_at(std::uintptr_t where) {
  auto const found = all_.find(where);
  return found != all_.end() ? &found->second : nullptr;
}

location* histories::around(std::uintptr_t where, u32 size) {
  for (u32 larger = 2; larger <= 4; larger *= 2) {
    std::uintptr_t const start = where & ~std::uintptr_t(larger - 1);
    if (larger <= size || where + size > start + larger) continue;
    if (location* const l = find(start, larger)) return l;
  }
  return nullptr;
}

void histories::forget(std::uintptr_t start, std::size_t size) {
  auto const overlaps = [&](location const& l) { return l.where < start + size && start < l.where + l.size; };
  if (size > all_.size()) {
    std::erase_if(all_, [&](auto const& each) { return overlaps(each.second); });
    return;
  }
  for (std::uintptr_t a = start - 15; a < start + size; ++a)
    if (auto const found = all_.find(a); found != all_.end() && overlaps(found->second)) all_.erase(found);
}

void histories::halve(location& whole) {
  u32 const half = whole.size / 2;
  location second = whole;
  second.where += half;
  whole.size = second.size = half;
  for (message& m : second.messages) std::memmove(m.value.data(), m.value.data() + half, half);
  all_[second.where] = std::move(second);
}

void histories::divide_at(std::uintptr_t where) {
  for (location* l; where % 4 != 0 && (l = around(where, 1)) && l->where < where;) halve(*l);
}

location& histories::make(std::uintptr_t where, u32 size) {
  location& l = all_[where];
  l = {where, size, {}};
  return l;
}

} // namespace emulator::check
