// SPDX-License-Identifier: Apache-2.0
//
// lanes: how many lanes of a warp take a branch. A kernel of this chapter asks its conditions through a policy: `uncounted` is the
// condition itself, and costs nothing; `counted` also asks the lanes of the warp with a ballot and adds up. A ballot, and not
// the mask of active lanes behind the branch: what a machine makes of a branch, predication or a jump, is its own business, and a
// warp may run the lanes of one branch apart.
#pragma once

namespace chapter_3 {

inline constexpr int most_branches = 8;

/// Of each branch: how often a warp took it, with how many lanes altogether, and how many of these warps were of two minds.
struct lane_counts {
  unsigned long long warps[most_branches];
  unsigned long long lanes[most_branches];
  unsigned long long divergent[most_branches];
};

#if defined(__CUDA__)

struct uncounted {
  __device__ bool operator()(int, bool condition) const { return condition; }
};

/// All threads of the block that have not ended ask the same conditions the same number of times.
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

} // namespace chapter_3
