// SPDX-License-Identifier: Apache-2.0
//
// cluster_address: generic addresses in the shared memory of a cluster's blocks.
#pragma once

#include "../../machine/decoder.hpp"
#include "../../machine/thread.hpp"

namespace emulator {

/// Returns the block into whose shared memory a generic address points, including one past its end.
/// Errors: fault cudaErrorIllegalAddress if it is not in shared memory of the thread's cluster
inline block const& block_of_address(thread const& t, u64 address) {
  for (block const* const b : t.block->cluster->blocks)
    if (address - u64(b->shared) <= b->shared_size) return *b;
  fail(t, 700, "this generic address is not in the shared memory of the thread's cluster");
}

} // namespace emulator
