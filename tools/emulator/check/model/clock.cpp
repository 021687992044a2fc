// SPDX-License-Identifier: Apache-2.0
//
// clock: see the header. The list of blocks is sorted and short.
#include "clock.hpp"

#include <algorithm>

namespace emulator::check {

namespace {

using row = clock::row;

auto position(auto& list, u32 number) {
  return std::lower_bound(list.begin(), list.end(), number, [](auto const& each, u32 n) { return each.first < n; });
}

shared<row> const no_row;
shared<row> const& row_at(clock::entry const& e, std::size_t index) {
  return index < e.rows.size() ? e.rows[index] : no_row;
}

/// Which of two is somewhere less than the other one.
struct relation {
  bool left = false, right = false;
};

/// Epochs are counted from 0; processors compare vectors of signed numbers faster.
u32 less(u32 a, u32 b) { return std::int32_t(a) < std::int32_t(b); }

/// Of two rows that are not the same; a null one is `all` everywhere. Without exits, so that the loops become vectors.
relation compare(row const* a, u32 all_of_a, row const* b, u32 all_of_b) {
  u32 left = 0, right = 0;
  if (a && b) {
    for (u32 i = 0; i < clock::row_threads; ++i) {
      left |= less(a->epochs[i], b->epochs[i]);
      right |= less(b->epochs[i], a->epochs[i]);
    }
  } else if (a) {
    for (u32 i = 0; i < clock::row_threads; ++i) {
      left |= less(a->epochs[i], all_of_b);
      right |= less(all_of_b, a->epochs[i]);
    }
  } else {
    for (u32 i = 0; i < clock::row_threads; ++i) {
      left |= less(all_of_a, b->epochs[i]);
      right |= less(b->epochs[i], all_of_a);
    }
  }
  return {left != 0, right != 0};
}

/// Of a whole block. Where each is less than the other in some entry, the rest is not compared.
relation compare(clock::entry const& a, clock::entry const& b) {
  relation result{a.all < b.all, b.all < a.all};
  for (std::size_t i = 0; i < std::max(a.rows.size(), b.rows.size()) && !(result.left && result.right); ++i) {
    shared<row> const &mine = row_at(a, i), &theirs = row_at(b, i);
    if (mine == theirs) continue;
    relation const here = compare(mine.get(), a.all, theirs.get(), b.all);
    result.left |= here.left;
    result.right |= here.right;
  }
  return result;
}

u32 exceptions_of(row const* r, u32 all) {
  u32 result = 0;
  if (r)
    for (u32 const epoch : r->epochs) result += epoch != all;
  return result;
}

} // namespace

u32 clock::entry::of(u32 thread) const {
  row const* const r = row_at(*this, thread / row_threads).get();
  return r ? r->epochs[thread % row_threads] : all;
}

void clock::entry::set(u32 thread, u32 epoch) {
  std::size_t const index = thread / row_threads;
  if (index >= rows.size()) rows.resize(index + 1);
  if (!rows[index]) {
    rows[index] = shared(new row);
    rows[index]->epochs.fill(all);
  }
  u32& here = rows[index].own().epochs[thread % row_threads];
  exceptions += u32(epoch != all) - u32(here != all);
  here = epoch;
}

void clock::entry::join(entry const& other) {
  u32 const old = all;
  all = std::max(all, other.all);
  rows.resize(std::max(rows.size(), other.rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    shared<row>& mine = rows[i];
    shared<row> const& theirs = row_at(other, i);
    if (mine == theirs) continue; // also where neither has one
    relation const r = compare(mine.get(), old, theirs.get(), other.all);
    // A null row stays or becomes one only where it means the new `all`.
    if (!r.left && (mine || old == all)) continue;
    exceptions -= exceptions_of(mine.get(), old);
    if (!r.right && (theirs || other.all == all)) {
      mine = theirs;
    } else {
      shared<row> joined(new row);
      for (u32 t = 0; t < row_threads; ++t)
        joined->epochs[t] = std::max(mine ? mine->epochs[t] : old, theirs ? theirs->epochs[t] : other.all);
      mine = std::move(joined);
    }
    exceptions += exceptions_of(mine.get(), all);
  }
  if (all == old) return;
  exceptions = 0;
  for (auto const& r : rows) exceptions += exceptions_of(r.get(), all);
}

bool clock::entry::covers(entry const& other) const {
  if (other.all > all) return false;
  for (std::size_t i = 0; i < std::max(rows.size(), other.rows.size()); ++i) {
    shared<row> const &mine = row_at(*this, i), &theirs = row_at(other, i);
    if (!(mine == theirs) && compare(mine.get(), all, theirs.get(), other.all).left) return false;
  }
  return true;
}

clock::entry const* clock::find(u32 block) const {
  if (entries.empty()) return nullptr;
  // Mostly there is no gap.
  if (std::size_t const guess = block - entries.front().first; guess < entries.size() && entries[guess].first == block)
    return entries[guess].second.get();
  auto const i = position(entries, block);
  return i != entries.end() && i->first == block ? i->second.get() : nullptr;
}

clock::entry& clock::at(u32 block) {
  auto i = position(entries, block);
  if (i == entries.end() || i->first != block) i = entries.emplace(i, block, shared(new entry));
  return i->second.own();
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
      continue;
    }
    auto& mine = i->second;
    if (mine == theirs) continue;
    relation const r = compare(*mine, *theirs);
    if (!r.left) continue;
    if (!r.right) mine = theirs;
    else mine.own().join(*theirs);
  }
}

bool clock::covers(clock const& other) const {
  if (other.released.epoch && !other.is_levelled) {
    bool const is_known = knows(other.released);
    if (is_known || other.holds_release) return is_known;
  }
  auto i = entries.begin();
  for (auto const& [block, theirs] : other.entries) {
    while (i != entries.end() && i->first < block) ++i;
    if (i == entries.end() || i->first != block) return false;
    if (!(i->second == theirs) && !i->second->covers(*theirs)) return false;
  }
  return true;
}

bool shared_clock::covers(shared_clock const& other) const {
  if (!other.clock_ || clock_ == other.clock_) return true;
  return clock_ && clock_->covers(*other.clock_);
}

clock* shared_clock::own() {
  if (!clock_) return nullptr;
  clock& result = clock_.own();
  result.released = {};
  result.holds_release = result.is_levelled = false;
  return &result;
}

void shared_clock::raise(u32 block, u32 thread, u32 epoch) {
  if (of(block, thread) >= epoch) return;
  if (!clock_) clock_ = shared(new clock);
  own()->raise(block, thread, epoch);
}

void shared_clock::join(shared_clock const& other) {
  if (!other.clock_ || clock_ == other.clock_) return;
  if (!clock_) return void(clock_ = other.clock_);
  // A clock that does not know another one's release, or what that one was levelled at, hardly covers it. If it does
  // cover it, joining them makes a copy, and changes nothing else.
  auto const may_cover = [](clock const& a, clock const& b) { return !b.released.epoch || a.knows(b.released); };
  if (may_cover(*clock_, *other.clock_) && clock_->covers(*other.clock_)) return;
  if (may_cover(*other.clock_, *clock_) && other.clock_->covers(*clock_)) clock_ = other.clock_;
  else own()->join(*other.clock_);
}

void shared_clock::is_released(clock::release const& by) const {
  if (!clock_ || (clock_->released.epoch && !clock_->is_levelled)) return;
  clock_->released = by;
  clock_->is_levelled = false;
}

shared_clock shared_clock::with(clock::release const& by) const {
  shared_clock result = *this;
  result.raise(by.block, by.thread, by.epoch);
  result.clock_->released = by;
  result.clock_->holds_release = true;
  return result;
}

shared_clock& knowledge::shared_of(u32 block) {
  for (auto& [number, known] : shared)
    if (number == block) return known;
  return shared.emplace_back(block, shared_clock{}).second;
}

shared_clock knowledge::all_of(u32 block) const {
  shared_clock result = all;
  for (auto const& [number, known] : shared)
    if (number == block || number == any_block || block == any_block) result.join(known);
  return result;
}

} // namespace emulator::check
