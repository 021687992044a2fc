// SPDX-License-Identifier: Apache-2.0
//
// tokens: see the header.
#include "tokens.hpp"

namespace emulator::check {

void token::give(knowledge& k) const {
  if (is_restricted()) return give_for_shared(k);
  if (block == no_agent) return k.join(known);
  if (k.all.of(block, index) >= epoch) return;
  give(k.all);
  k.join_shared(known);
  for (std::size_t s = 0; s < k.fenced.size(); ++s) k.fenced[s].join(known.fenced[s]);
  raise_fenced(k);
}

// An agent that knows of the release by `all` knows all that the release gave away, and more. None of these clocks is
// one that an epoch stands for (is_released): an agent's epochs stand for what it knew of everything.
void token::give_for_shared(knowledge& k) const {
  if (block != no_agent && k.all.of(block, index) >= epoch) return;
  k.join_shared(known);
  shared_clock& there = k.shared_of(is_restricted() ? restricted_to : knowledge::any_block);
  there.join(known.all);
  constexpr std::size_t s = knowledge::shared_memory;
  k.fenced[s].join(known.fenced[s]);
  if (block == no_agent) return;
  there.raise(block, index, epoch);
  if (fenced_epoch[s]) k.fenced[s].raise(block, index, fenced_epoch[s]);
}

void token::restrict_to(u32 of) {
  known.all = known.all_of(of);
  known.shared.clear();
  for (std::size_t s = 0; s < known.fenced.size(); ++s) {
    if (s == knowledge::shared_memory) continue;
    known.fenced[s] = {};
    fenced_epoch[s] = 0;
  }
  restricted_to = of;
}

void token::give(shared_clock& all) const {
  if (block == no_agent) return all.join(known.all);
  if (all.of(block, index) >= epoch) return;
  if (is_restricted()) {
    all.join(known.all);
    return all.raise(block, index, epoch);
  }
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
    if (present.from_block != t.from_block || present.scope != t.scope || present.restricted_to != t.restricted_to)
      continue;
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
