// SPDX-License-Identifier: Apache-2.0
//
// divergence: threads that go around a barrier of their block.  [CUDA C++ Programming Guide, "Synchronization
// Functions"] A barrier of the whole block waits for the threads that have not exited, so it ends also where some
// threads never arrive.
// A
// thread that returned before it is correct. A thread that went around it and continued is an error: the barrier's
// condition was not the same for all threads. Both have exited when the barrier ends, and what tells them apart is what
// the thread did last: it accessed memory by an instruction that follows the barrier in the text and that can be
// reached from it without another barrier, and between its last barrier and that instruction lies the one that it did
// not take part in. Compilers merge the last store before an early return with one after the barrier. clang gives such
// an instruction line or column 0. nvcc does not, and neither can be told where lines are not known: a write of those
// says nothing, and the last read is judged.
#pragma once

#include "../../machine/resident.hpp"

#include <set>
#include <utility>

namespace emulator::check {

class divergence {
public:
  /// A barrier of all threads of the block ends at which some threads that have exited did not arrive.
  /// `aligned`: where each warp came, if all its lanes have to.
  void barrier_ends(named_barrier const&, std::array<operation const*, 32> const& aligned, block const&);

private:
  void judge(thread const&, operation const* access, named_barrier const&,
             std::array<operation const*, 32> const& aligned, block const&);
  std::set<std::pair<operation const*, operation const*>> judged_; ///< barrier and access
};

} // namespace emulator::check
