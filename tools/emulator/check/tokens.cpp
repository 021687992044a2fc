// SPDX-License-Identifier: Apache-2.0
//
// tokens: see the header.
#include "tokens.hpp"

namespace emulator::check {

void token::give(knowledge& k) const {
  if (block == no_agent) return k.join(known);
  if (k.all.of(block, index) >= epoch) return;
  give(k.all);
  for (std::size_t s = 0; s < k.fenced.size(); ++s) k.fenced[s].join(known.fenced[s]);
  raise_fenced(k);
}

void token::give(shared_clock& all) const {
  if (block == no_agent) return all.join(known.all);
  if (all.of(block, index) >= epoch) return;
  if (!given) given = known.all.with({block, index, epoch});
  all.join(given);
}

void token::raise_fenced(knowledge& k) const {
  for (std::size_t s = 0; s < k.fenced.size(); ++s)
    if (fenced_epoch[s]) k.fenced[s].raise(block, index, fenced_epoch[s]);
}

u64 token::next_version() {
  static u64 last = 0;
  return ++last;
}

bool token::covers(token const& t) const {
  if (version == t.version) return true;
  if (t.block == no_agent) return known.covers(t.known);
  return known.all.of(t.block, t.index) >= t.epoch || (block == t.block && index == t.index && epoch >= t.epoch);
}

void token::add_to(knowledge& k) const {
  k.join(known);
  if (block == no_agent) return;
  k.all.raise(block, index, epoch);
  raise_fenced(k);
}

void token::fold() {
  if (block == no_agent) return;
  add_to(known);
  block = no_agent;
  given = {};
}

void tokens::add(token t) {
  for (token& present : all) {
    if (present.from_block != t.from_block || present.scope != t.scope) continue;
    if (present.covers(t)) {
      present.is_next |= t.is_next;
      return;
    }
    t.is_next |= present.is_next;
    if (present.block != no_agent && t.covers(present)) return void(present = std::move(t));
    present.fold();
    t.add_to(present.known);
    present.version = token::next_version();
    present.from = t.from;
    present.from_epoch = t.from_epoch;
    present.code = t.code;
    present.is_next = t.is_next;
    return;
  }
  if (all.size() == all.capacity()) all.reserve(2 * all.size() + 2);
  all.push_back(std::move(t));
}

void tokens::add(tokens const& other) {
  for (token const& t : other.all) add(t);
}

} // namespace emulator::check
