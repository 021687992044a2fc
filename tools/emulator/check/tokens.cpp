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

void token::fold() {
  if (block == nobody) return;
  known.all.raise(block, index, epoch);
  if (fenced_epoch) known.fenced.raise(block, index, fenced_epoch);
  block = nobody;
}

void tokens::add(token t) {
  for (token& present : all) {
    if (present.from_block != t.from_block || present.scope != t.scope || present.to_all != t.to_all) continue;
    if (present.block != nobody && present.block == t.block && present.index == t.index && present.epoch == t.epoch &&
        present.from == t.from)
      return;
    present.fold();
    t.give(present.known);
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
