// SPDX-License-Identifier: Apache-2.0
//
// clock: see the header. Lists are sorted and short.
#include "clock.hpp"

#include <algorithm>

namespace emulator::check {

namespace {

auto position(auto& list, u32 number) {
  return std::lower_bound(list.begin(), list.end(), number, [](auto const& each, u32 n) { return each.first < n; });
}

clock::entry joined(clock::entry const& a, clock::entry const& b) {
  clock::entry result{std::max(a.all, b.all)};
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
  auto i = a.exceptions.begin();
  for (auto const& [thread, epoch] : b.exceptions) {
    for (; i != a.exceptions.end() && i->first < thread; ++i)
      if (i->second < b.all) return false;
    u32 const known = i != a.exceptions.end() && i->first == thread ? (i++)->second : a.all;
    if (known < epoch) return false;
  }
  for (; i != a.exceptions.end(); ++i)
    if (i->second < b.all) return false;
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
  auto const i = position(entries, block);
  return i != entries.end() && i->first == block ? i->second.get() : nullptr;
}

clock::entry& clock::at(u32 block) {
  auto i = position(entries, block);
  if (i == entries.end() || i->first != block) i = entries.emplace(i, block, std::make_shared<entry>());
  else if (i->second.use_count() > 1) i->second = std::make_shared<entry>(*i->second);
  return *i->second;
}

u32 clock::of(u32 block, u32 thread) const {
  entry const* const e = find(block);
  return e ? e->of(thread) : 0;
}

void clock::raise(u32 block, u32 thread, u32 epoch) {
  if (of(block, thread) < epoch) at(block).set(thread, epoch);
}

void clock::join(clock const& other) {
  auto i = entries.begin();
  for (auto const& [block, theirs] : other.entries) {
    while (i != entries.end() && i->first < block) ++i;
    if (i == entries.end() || i->first != block) {
      i = entries.emplace(i, block, theirs);
    } else if (auto& mine = i->second; mine != theirs && !check::covers(*mine, *theirs)) {
      if (check::covers(*theirs, *mine)) mine = theirs;
      else mine = std::make_shared<entry>(joined(*mine, *theirs));
    }
  }
}

bool clock::covers(clock const& other) const {
  auto i = entries.begin();
  for (auto const& [block, theirs] : other.entries) {
    while (i != entries.end() && i->first < block) ++i;
    if (i == entries.end() || i->first != block) return false;
    if (i->second != theirs && !check::covers(*i->second, *theirs)) return false;
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
