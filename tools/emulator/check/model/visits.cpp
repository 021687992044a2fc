// SPDX-License-Identifier: Apache-2.0
//
// visits: accesses to the shared memory of a block by threads and copies of other blocks. The memory exists until the
// block's last thread ends, so each of them has to come before that.  [PTX ISA, "mapa", "State Spaces"]
// It does if a thread of the block knows of it when that thread ends. It also does if a thread of the block has
// observed it without acquiring: by a wait for the phase of an mbarrier that counted it, or by a strong read of what
// it, or its thread later, wrote; or something that happens after it. What is observed is kept at once, since the
// thread that released it may have ended, and be forgotten, before the block ends. Everything else comes before by
// chance alone.
#include "../../machine/grid.hpp"
#include "model_state.hpp"

#include <algorithm>
#include <bit>

namespace emulator::check {

namespace {

/// What the threads of a block know when they end, and what they have observed.
class last_knowledge {
public:
  last_knowledge(agents const& all, block_agent const& b) : all_(all), block_(b), any_(all[b.first_thread]) {
    for (u32 i = 0; i < b.threads; ++i) known_.join(all[b.first_thread + i].known.all_of(knowledge::any_block));
    known_.join(b.seen.known);
  }

  bool has(u32 who, u32 epoch) const {
    if (all_.knows(any_, known_, who, epoch)) return true;
    auto const write = block_.seen.writes.find(who);
    return write != block_.seen.writes.end() && write->second >= epoch;
  }

private:
  agents const& all_;
  block_agent const& block_;
  agent const& any_; ///< of the threads
  shared_clock known_;
};

bool is_of(block_agent const& b, agents const& all, u32 who) {
  return who != no_agent && (all[who].block == &b || all[who].block->issuer == &b);
}

/// Whether a thread of the block has observed this strong write, as far as the location tells.
bool is_observed(block_agent const& b, agents const& all, location const& l, mark const& write) {
  std::size_t written = l.messages.size() - 1;
  while (written > 0 && l.messages[written].who != write.who) --written;
  if (written == 0) return true; // it, or who saw it, is not kept
  for (std::size_t i = written; i < l.messages.size(); ++i) {
    message const& m = l.messages[i];
    if (m.serial < l.messages[written].serial) continue; // it came before the write, and who saw it saw nothing of that
    bool const is_seen = std::ranges::any_of(m.seen, [&](auto const& s) { return is_of(b, all, s.first); });
    if (is_seen || is_of(b, all, m.who)) return true;
  }
  return false;
}

} // namespace

void model::state::visit(u32 who, u32 epoch, u32 code, void const* object, u64 phase) {
  region const* const r = regions.holding(number(object));
  if (!r || !r->is_shared || r->is_gone) return;
  block_agent& owner = agents.block(r->owner);
  if (!is_of(owner, agents, who)) owner.visits[{object, who}] = {epoch, code, phase};
}

void model::state::note_observed(block_agent& by, token const& t) {
  if (!by.has_peers) return;
  t.give(by.seen.known);
  for (auto const& [_, known] : t.known.shared) by.seen.known.join(known);
}

void model::state::note_observed(block_agent& by, message const& m) {
  if (!by.has_peers || m.who == no_agent) return;
  by.seen.known.join(m.known);
  u32& epoch = by.seen.writes[m.who];
  epoch = std::max(epoch, m.epoch);
}

void model::state::forget_visits(void const* object) {
  region const* const r = regions.holding(number(object));
  if (!r || !r->is_shared || r->is_gone) return;
  auto& visits = agents.block(r->owner).visits;
  visits.erase(visits.lower_bound({object, 0}), visits.upper_bound({object, no_agent}));
}

void model::visit(action const& a, void const* object, std::uint64_t phase) {
  std::lock_guard const lock(state_->mutex);
  agent const& who = state_->agents.of(a.who);
  state_->visit(who.number, who.epoch, state_->code_locations.of(a), object, phase);
}

void model::check_visits(action const& last, std::function<std::uint64_t(void const* object)> const& awaited) {
  block const& ended = *last.who.block;
  if (ended.cluster->blocks.size() < 2 || !ended.shared) return;
  std::lock_guard const lock(state_->mutex);
  state& s = *state_;
  block_agent const& b = s.agents.block_of(ended);
  last_knowledge const known(s.agents, b);
  agent const& ends = s.agents.of(last.who);
  u32 const end = s.code_locations.of(last);
  auto const report = [&](std::string const& what, u32 who, u32 code, std::string const& instead) {
    agent const& visitor = s.agents[who];
    s.report_finding("use after free",
                     "use after free: a block may end before another block " + what +
                         "\n  access: " + s.described(visitor, code) + "\n  end:    " + s.described(ends, end) +
                         "\n  why:    shared memory ends with the last thread of its block, and no thread of the block "
                         "has waited for the access; let all blocks of the cluster meet after their last access "
                         "(this_cluster.sync(), barrier.cluster.arrive.release)" +
                         instead,
                     {{&visitor, code}, {&ends, end}});
  };

  for (auto const& [of, v] : b.visits)
    if (awaited(of.first) <= v.phase && !known.has(of.second, v.epoch))
      report("uses its mbarrier, in phase " + std::to_string(v.phase), of.second, v.code,
             ", or let a thread of the block wait for the phase");

  std::uintptr_t const start = number(ended.shared);
  auto const check = [&](std::uintptr_t where, mark const& m, bool writes) {
    if (!m.bytes || is_of(b, s.agents, m.who) || known.has(m.who, m.epoch)) return;
    if (m.is_strong() && writes) {
      location const* const l = s.histories.starting_at(where + std::uintptr_t(std::countr_zero(unsigned(m.bytes))));
      if (!l || is_observed(b, s.agents, *l, m)) return;
    }
    report((writes ? "writes its shared memory, byte " : "reads its shared memory, byte ") +
               std::to_string(where - start),
           m.who, m.code, "");
  };
  for (std::uintptr_t at = start; at < start + ended.shared_size; at += shadow::page_bytes - at % shadow::page_bytes) {
    shadow::page* const page = s.shadow.find_page(at);
    if (!page) continue;
    std::uintptr_t const first = at - at % shadow::page_bytes;
    for (std::uintptr_t where = at; where < std::min(start + ended.shared_size, first + shadow::page_bytes);
         where += 4) {
      word& w = page->words[(where - first) / 4];
      if (s.barriers.contains(reinterpret_cast<void const*>(where & ~std::uintptr_t(7)))) continue; // see above
      w.for_writes([&](mark const& m) { check(where, m, true); });
      w.for_reads([&](mark const& m) { check(where, m, false); });
    }
  }
}

} // namespace emulator::check
