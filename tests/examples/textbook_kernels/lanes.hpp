// SPDX-License-Identifier: Apache-2.0
//
// lanes: counts how many lanes of a warp take a branch. A kernel evaluates its conditions through a policy. `uncounted`
// returns the condition and costs nothing. `counted` also counts, by a ballot of the warp, for how many lanes the
// condition is true. It does not use the mask of active lanes after the branch: the compiler and the hardware may
// implement a branch by predication or by a jump, and a warp may run the lanes of one branch separately.
#pragma once

namespace textbook_kernels {

inline constexpr int max_branches = 8;

/// For each branch: how often a warp took it, with how many lanes in total, and how many of these warps diverged, that
/// is, had other lanes that did not take it.
struct lane_counts {
  unsigned long long warps[max_branches];
  unsigned long long lanes[max_branches];
  unsigned long long divergent[max_branches];
};

#if defined(__CUDA__)

struct uncounted {
  __device__ bool operator()(int, bool condition) const { return condition; }
};

/// Requires: all threads of the block that have not exited evaluate the same conditions the same number of times
struct counted {
  lane_counts* counts;

  __device__ bool operator()(int branch, bool condition) const {
    unsigned const rank = threadIdx.x, from = rank / 32 * 32;
    unsigned const existing = blockDim.x - from < 32 ? ~0u >> (32 - (blockDim.x - from)) : ~0u;
    unsigned const taken = __ballot_sync(existing, condition);
    if (rank == from && taken != 0) {
      atomicAdd(&counts->warps[branch], 1ull);
      atomicAdd(&counts->lanes[branch], (unsigned long long)__popc(taken));
      if (taken != existing) atomicAdd(&counts->divergent[branch], 1ull);
    }
    return condition;
  }
};

#endif

} // namespace textbook_kernels
