// SPDX-License-Identifier: Apache-2.0
//
// convergence: where ptxas may let the lanes of a warp meet early for a barrier or a collective.
// ptxas makes a warp converge (WARPSYNC) before such an instruction, once after the last branch, and its scheduler may
// move that up, over loads, stores and computations of the same basic block. A lane whose store would end another
// lane's wait then waits for that lane first, and both hang. The rules are what ptxas 13.0 does: README.md, "Lanes that
// meet early".
#pragma once

#include "../ptx/syntax.hpp"

#include <string_view>
#include <vector>

namespace emulator {

/// A place where lanes may meet. Numbers are those of statements of the body.
struct convergence {
  std::size_t statement = 0; ///< the lanes meet before it: the first store that they wait with, or a branch around it
  std::size_t cause = 0;     ///< the barrier or the collective
  ptx::operand const* mask = nullptr; ///< which lanes; null: all
  std::string_view guard;             ///< a predicate without which a lane does not take part; empty: all do
  bool guard_negated = false;
};

/// The earliest places, in the order of the statements. A place before which no store lies is left out: there, the
/// lanes may meet as late as they do at the cause itself.
std::vector<convergence> find_convergences(ptx::function const&, int sm);

} // namespace emulator
