// SPDX-License-Identifier: Apache-2.0
//
// tokens: see the header.
#include "tokens.hpp"

namespace emulator::check {

void token::give(knowledge& k) const {
  k.join(known);
  if (block == nobody) return;
  k.all.raise(block, index, epoch);
  if (fenced_epoch) k.fenced.raise(block, index, fenced_epoch);
}

u64 token::next_version() {
  static u64 last = 0;
  return ++last;
}

bool token::covers(token const& t) const {
  if (version == t.version) return true;
  auto const has = [&](shared_clock const& clock, u32 mine, u32 theirs) {
    return clock.of(t.block, t.index) >= theirs || (block == t.block && index == t.index && mine >= theirs);
  };
  if (t.block != nobody && (!has(known.all, epoch, t.epoch) || !has(known.fenced, fenced_epoch, t.fenced_epoch)))
    return false;
  return known.covers(t.known);
}

void token::fold() {
  if (block == nobody) return;
  known.all.raise(block, index, epoch);
  if (fenced_epoch) known.fenced.raise(block, index, fenced_epoch);
  block = nobody;
}

void tokens::add(token t) {
  for (token& present : all) {
    if (present.from_block != t.from_block || present.scope != t.scope || present.to_all != t.to_all) continue;
    if (present.covers(t)) return;
    present.fold();
    t.give(present.known);
    present.version = token::next_version();
    present.from = t.from;
    present.from_epoch = t.from_epoch;
    present.place = t.place;
    return;
  }
  all.push_back(std::move(t));
}

void tokens::add(tokens const& other) {
  for (token const& t : other.all) add(t);
}

} // namespace emulator::check
