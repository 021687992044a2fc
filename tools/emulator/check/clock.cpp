// SPDX-License-Identifier: Apache-2.0
//
// clock: see the header. Lists are sorted and short.
#include "clock.hpp"

#include <algorithm>

namespace emulator::check {

namespace {

auto position(auto& exceptions, u32 thread) {
  return std::lower_bound(exceptions.begin(), exceptions.end(), thread,
                          [](auto const& exception, u32 t) { return exception.first < t; });
}

clock::entry joined(clock::entry const& a, clock::entry const& b) {
  clock::entry result{a.block, std::max(a.all, b.all)};
  auto const add = [&](u32 thread, u32 epoch) {
    if (epoch != result.all) result.exceptions.emplace_back(thread, epoch);
  };
  auto i = a.exceptions.begin(), j = b.exceptions.begin();
  while (i != a.exceptions.end() || j != b.exceptions.end()) {
    if (j == b.exceptions.end() || (i != a.exceptions.end() && i->first < j->first)) {
      add(i->first, std::max(i->second, b.all));
      ++i;
    } else if (i == a.exceptions.end() || j->first < i->first) {
      add(j->first, std::max(j->second, a.all));
      ++j;
    } else {
      add(i->first, std::max(i->second, j->second));
      ++i, ++j;
    }
  }
  return result;
}

bool covers(clock::entry const& a, clock::entry const& b) {
  if (b.all > a.all) return false;
  for (auto const& [thread, epoch] : b.exceptions)
    if (a.of(thread) < epoch) return false;
  for (auto const& [thread, epoch] : a.exceptions)
    if (epoch < b.all && epoch < b.of(thread)) return false;
  return true;
}

} // namespace

u32 clock::entry::of(u32 thread) const {
  auto const i = position(exceptions, thread);
  return i != exceptions.end() && i->first == thread ? i->second : all;
}

void clock::entry::set(u32 thread, u32 epoch) {
  auto const i = position(exceptions, thread);
  bool const found = i != exceptions.end() && i->first == thread;
  if (found && epoch == all) exceptions.erase(i);
  else if (found) i->second = epoch;
  else if (epoch != all) exceptions.emplace(i, thread, epoch);
}

clock::entry const* clock::find(u32 block) const {
  auto const i =
      std::lower_bound(entries.begin(), entries.end(), block, [](entry const& e, u32 b) { return e.block < b; });
  return i != entries.end() && i->block == block ? &*i : nullptr;
}

clock::entry& clock::at(u32 block) {
  auto i = std::lower_bound(entries.begin(), entries.end(), block, [](entry const& e, u32 b) { return e.block < b; });
  if (i == entries.end() || i->block != block) i = entries.insert(i, entry{block});
  return *i;
}

u32 clock::of(u32 block, u32 thread) const {
  entry const* const e = find(block);
  return e ? e->of(thread) : 0;
}

void clock::raise(u32 block, u32 thread, u32 epoch) {
  entry& e = at(block);
  if (e.of(thread) < epoch) e.set(thread, epoch);
}

void clock::join(clock const& other) {
  std::vector<entry> result;
  result.reserve(entries.size() + other.entries.size());
  auto i = entries.begin();
  for (entry const& e : other.entries) {
    while (i != entries.end() && i->block < e.block) result.push_back(std::move(*i++));
    if (i != entries.end() && i->block == e.block) result.push_back(joined(*i++, e));
    else result.push_back(e);
  }
  while (i != entries.end()) result.push_back(std::move(*i++));
  entries = std::move(result);
}

bool clock::covers(clock const& other) const {
  auto i = entries.begin();
  for (entry const& e : other.entries) {
    while (i != entries.end() && i->block < e.block) ++i;
    if (i == entries.end() || i->block != e.block || !check::covers(*i, e)) return false;
  }
  return true;
}

bool shared_clock::covers(shared_clock const& other) const {
  if (!other.clock_ || clock_ == other.clock_) return true;
  return clock_ && clock_->covers(*other.clock_);
}

clock* shared_clock::own() {
  if (clock_ && clock_.use_count() > 1) clock_ = std::make_shared<clock>(*clock_);
  return clock_.get();
}

void shared_clock::raise(u32 block, u32 thread, u32 epoch) {
  if (of(block, thread) >= epoch) return;
  if (!clock_) clock_ = std::make_shared<clock>();
  own()->raise(block, thread, epoch);
}

void shared_clock::join(shared_clock const& other) {
  if (covers(other)) return;
  if (other.covers(*this)) clock_ = other.clock_;
  else own()->join(*other.clock_);
}

} // namespace emulator::check
