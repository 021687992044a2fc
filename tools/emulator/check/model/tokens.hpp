// SPDX-License-Identifier: Apache-2.0
//
// tokens: what releases gave away and acquires may take: what the releasing agent knew, at which scope. Tokens of the
// threads of one block at one scope are taken together or not at all, so they are kept as one; and where the one was
// released after the other had been acquired, the one will do. The epoch of the release alone answers that: an
// agent that knows of a release knows what it gave away. Everything that raises a clock to an epoch that ended in a
// release has to keep that true (clock.hpp).
#pragma once

#include "clock.hpp"
#include "model.hpp"

namespace emulator::check {

inline constexpr u32 no_agent = ~u32(0);

struct token {
  knowledge known{};
  u32 block = no_agent, index = 0; ///< who, and its epochs, where `known` does not say it yet
  u32 epoch = 0;
  std::array<u32, 3> fenced_epoch{};             ///< as in knowledge
  emulator::scope scope = emulator::scope::none; ///< of the first operation of the release pattern
  u32 from = no_agent;                           ///< the agent that released, the last one; no_agent: the host
  u32 from_epoch = 0;
  u32 from_block = no_agent;
  u32 code = no_agent;
  u64 version = next_version(); ///< the same version says the same
  /// The block of whose shared memory alone it tells, where a fence with .sync_restrict released it: `known.all` is
  /// what the releasing agent knew for that memory.
  u32 restricted_to = no_restriction;
  static constexpr u32 no_restriction = ~u32(0);
  bool is_next = false; ///< of a fence: the write that carries it is the first one after the fence

  static u64 next_version();
  void fold(); ///< puts the agent that released into `known`
  void give(knowledge&) const;
  void give_for_shared(knowledge&) const; ///< for accesses to shared memory alone
  bool is_restricted() const { return restricted_to != no_restriction; }
  void restrict_to(u32 block);
  void give(shared_clock&) const; ///< of the knowledge, `all`
  void add_to(knowledge&) const;  ///< the same as give, to an object that grows and has no other owner
  void raise_fenced(knowledge&) const;
  bool covers(token const&) const;

  mutable shared_clock given{}; ///< what it gives: the same clock for all agents that take it
};

struct tokens {
  std::vector<token> all{};
  void add(token);
  void add(tokens const&);
};

} // namespace emulator::check
