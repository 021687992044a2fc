// SPDX-License-Identifier: Apache-2.0
//
// agents: see the header.
#include "agents.hpp"
#include "../../machine/grid.hpp"

#include <algorithm>

namespace emulator::check {

bool includes(emulator::scope s, block_agent const& a, block_agent const& b) {
  block_agent const& x = a.issuer ? *a.issuer : a;
  block_agent const& y = b.issuer ? *b.issuer : b;
  switch (s) {
  case scope::none: return false;
  case scope::cta: return &x == &y;
  case scope::cluster: return x.cluster == y.cluster;
  default: return true; // one device
  }
}

namespace {

/// Of a longer row of dependent grids, one knows all that ended before it: each of them keeps the whole row.
constexpr u32 most_dependents = 64;

/// So many of a block's copies are tried for a number that is free: all of them would take long where none is, as in a
/// loop whose copies are awaited only until they have read.
constexpr std::size_t most_tries = 64;

} // namespace

grid_agent& agents::begin_grid(void const* grid, std::string kernel, launch const& l, knowledge const& host) {
  grid_agent& made = *all_grids_.emplace_back(new grid_agent{std::move(kernel), l.block, ++time_});
  if (l.graph) {
    begin_in_graph(made, *l.graph);
  } else {
    grid_agent*& last = last_of_stream_[l.stream];
    if (l.is_dependent && last && last->dependents < most_dependents) {
      made.before = {last};
      made.knows_until = last->knows_until;
      made.known = last->known;
      made.dependents = last->dependents + 1;
    } else {
      made.knows_until = made.began;
      made.known = ended_;
    }
    last = &made;
  }
  made.known.join(host);
  grids_[grid] = &made;
  ++live_;
  if (live_ > 1)
    for (auto const& [_, g] : grids_) g->has_company = true;
  return made;
}

/// A grid of a graph knows of the others those from which a path leads to it, and not those that have ended by chance.
void agents::begin_in_graph(grid_agent& made, graph_place const& place) {
  auto const [found, is_first] = graphs_.try_emplace(place.launch);
  graph_launch& g = found->second;
  if (is_first) g = {.left = place.grids, .knows_until = made.began, .known = ended_};
  else if (place.is_nested) ++g.left;
  made.graph_launch = place.launch;
  made.has_company = true; // what its threads know at their end must be kept for the grids that follow
  made.knows_until = g.knows_until;
  made.known = g.known;
  for (u64 const node : place.after) {
    auto const earlier = g.nodes.find(node);
    if (earlier == g.nodes.end()) continue; // the launch's end was reached without it
    made.knows_end_of(*earlier->second, made.at_begin);
    made.known.join(earlier->second->known);
    made.known.join(earlier->second->known_at_end);
  }
  for (u64 const node : place.early) {
    auto const earlier = g.nodes.find(node);
    if (earlier == g.nodes.end()) continue;
    made.before.push_back(earlier->second);
    made.at_begin.insert(earlier->second->at_begin.begin(), earlier->second->at_begin.end());
    made.known.join(earlier->second->known);
  }
  g.nodes[place.node] = &made;
}

void agents::await_prerequisites(agent& who) {
  grid_agent& g = *who.block->grid;
  for (grid_agent const* const earlier : g.before) {
    g.knows_end_of(*earlier, g.awaited);
    who.known.join(earlier->known_at_end);
  }
}

bool agents::end_grid(void const* grid) {
  auto const found = grids_.find(grid);
  if (found == grids_.end()) return false;
  grid_agent& ended = *found->second;
  ended.ended = ++time_;
  ended_.join(ended.known_at_end);
  if (auto const g = graphs_.find(ended.graph_launch); g != graphs_.end() && --g->second.left == 0) graphs_.erase(g);
  grids_.erase(found);
  std::erase_if(running_, [&](auto const& b) { return b.second->grid->ended != ~u64(0); });
  last_ = {};
  return --live_ == 0;
}

block_agent& agents::begin_block(emulator::block const& b) {
  auto& made = *blocks_.emplace_back(new block_agent);
  made.number = u32(blocks_.size() - 1);
  if (auto const g = grids_.find(b.grid); g != grids_.end()) made.grid = g->second;
  else made.grid = &begin_grid(b.grid, {}, launch{});
  made.cluster = ++clusters_;
  if (b.cluster)
    for (emulator::block const* other : b.cluster->blocks)
      if (auto const o = running_.find(other); other != &b && o != running_.end()) {
        made.cluster = o->second->cluster;
        made.has_peers = o->second->has_peers = true;
      }
  made.ctaid = b.ctaid;
  made.first_thread = u32(all_.size());
  made.threads = made.alive = u32(std::max<u64>(b.threads.size(), made.grid->shape.count()));
  for (u32 i = 0; i < made.threads; ++i) {
    auto& a = *all_.emplace_back(new agent);
    a.number = made.first_thread + i;
    a.index = i;
    a.block = &made;
    a.known = made.grid->known;
    if (!made.grid->awaited.empty())
      for (grid_agent const* const earlier : made.grid->before) a.known.join(earlier->known_at_end);
  }
  running_[&b] = &made;
  last_ = {};
  return made;
}

void agents::end_block(emulator::block const& b) {
  auto const found = running_.find(&b);
  if (found == running_.end()) return;
  // Later agents need what it did; what it knew of other grids, later grids know.
  for (u32 i = 0; i < found->second->threads; ++i) {
    agent& a = *all_[found->second->first_thread + i];
    if (found->second->grid->has_company) found->second->grid->known_at_end.join(a.known);
    a = agent{.number = a.number, .index = a.index, .block = a.block, .epoch = a.epoch, .last_event = a.last_event};
  }
  found->second->promises.clear();
  found->second->visits.clear();
  found->second->seen = {};
  running_.erase(found);
  last_ = {};
}

block_agent& agents::block_of(emulator::block const& b) {
  if (last_.first == &b) return *last_.second;
  auto const found = running_.find(&b);
  block_agent& result = found != running_.end() ? *found->second : begin_block(b);
  last_ = {&b, &result};
  return result;
}

agent& agents::of(thread const& t) { return *all_[block_of(*t.block).first_thread + t.number]; }

agent& agents::copy_of(agent const& issuer) {
  block_agent& by = *issuer.block;
  if (!by.copies) {
    auto& made = *blocks_.emplace_back(new block_agent);
    made.number = u32(blocks_.size() - 1);
    made.grid = by.grid;
    made.cluster = by.cluster;
    made.ctaid = by.ctaid;
    made.issuer = &by;
    by.copies = &made;
  }
  block_agent& copies = *by.copies;
  for (std::size_t i = 0; i < std::min(copies.slots.size(), most_tries); ++i) {
    u32 const slot = copies.slots[copies.next_slot++ % copies.slots.size()];
    agent& a = *all_[slot];
    if (!knows_in_shared(issuer, knowledge::any_block, slot, a.epoch)) continue;
    ++a.epoch;
    a.known = {};
    a.issuer = issuer.number;
    return a;
  }
  auto& a = *all_.emplace_back(new agent);
  a.number = u32(all_.size() - 1);
  a.index = u32(copies.slots.size());
  a.block = &copies;
  a.issuer = issuer.number;
  copies.slots.push_back(a.number);
  return a;
}

bool agents::knows(agent const& who, shared_clock const& clock, u32 number, u32 epoch) const {
  if (number == who.number) return true;
  agent const& other = *all_[number];
  if (other.block != who.block && who.block->grid->knows(*other.block->grid)) return true;
  return clock.of(other.block->number, other.index) >= epoch;
}

token agents::released_by(agent const& a, emulator::scope s, u32 code) {
  a.known.all.is_released({a.block->number, a.index, a.epoch});
  return {.known = a.known,
          .block = a.block->number,
          .index = a.index,
          .epoch = a.epoch,
          .fenced_epoch = a.fenced_epoch,
          .scope = s,
          .from = a.number,
          .from_epoch = a.epoch,
          .from_block = a.block->number,
          .code = code};
}

void agents::level(shared_clock& shared, block_agent& b) {
  clock::entry const* const present = shared ? shared.get()->find(b.number) : nullptr;
  if (!present || present->exceptions < b.alive || present->exceptions < 2) return;
  clock& all = *shared.own();
  clock::entry* const e = &all.at(b.number);
  // Where everything that a thread did is known, whatever epoch it says next will do: one that is new.
  u32 const everything = b.epochs++;
  clock::entry result;
  result.all = everything;
  for (u32 i = 0; i < b.threads; ++i) {
    agent& a = *all_[b.first_thread + i];
    u32 const known = e->of(i);
    if (a.last_event <= known) a.epoch = std::max(a.epoch, b.epochs);
    else result.set(i, known);
  }
  *e = std::move(result);
  // Of any thread that has nothing else to tell.
  for (u32 i = 0; i < b.threads && !all.is_levelled; ++i) {
    if (e->of(i) != everything) continue;
    all.released = {b.number, i, everything};
    all.is_levelled = true;
  }
}

void agents::clear() {
  all_.clear();
  blocks_.clear();
  running_.clear();
  grids_.clear();
  all_grids_.clear();
  last_of_stream_.clear();
  graphs_.clear();
  ended_ = {};
  last_ = {};
}

} // namespace emulator::check
