// SPDX-License-Identifier: Apache-2.0
//
// axioms: small programs, and the outcomes that the axioms of PTX's memory model allow for them. Written from the text
// of the PTX ISA, "Memory Consistency Model", and sharing nothing with the model that it judges: it tries every source
// of each read, every coherence order and every order of fence.sc, and keeps the executions that violate no axiom.
#pragma once

#include "world.hpp"

#include <map>
#include <set>
#include <string>

namespace emulator_test {

struct event {
  enum { load, store, exchange, add, compare_and_swap, fence } kind;
  int location = 0; ///< 0 to 2: x, y, z
  int value = 0;    ///< that it stores, or adds
  int expected = 0; ///< of compare_and_swap
  emulator::semantics semantics = emulator::semantics::relaxed;
  emulator::scope scope = emulator::scope::gpu; ///< of a fence; that of accesses is gpu
  bool is_sc = false;

  bool reads() const { return kind != store && kind != fence; }
  bool is_update() const { return reads() && kind != load; }
  std::string text() const;
};

/// The events of each thread. Each thread is in a block of its own: a fence at block scope synchronizes with none.
using small_program = std::vector<std::vector<event>>;
std::string text_of(small_program const&);

/// The values that the threads read, thread by thread in program order, and the last value of each location.
using outcome = std::vector<int>;
std::string text_of(outcome const&);

struct allowed_outcomes {
  std::set<outcome> all;
  /// Those of executions in which program order and observed writes form no cycle.
  std::set<outcome> without_load_buffering;
};
allowed_outcomes outcomes_by_axioms(small_program const&);

/// Runs a program in a world, in an order of its events that the seed determines. `findings`: what is reported, but for
/// kind "stale", which concerns programs with a narrow fence.
outcome run_in_model(small_program const&, std::uint64_t seed, std::string& findings);

} // namespace emulator_test
