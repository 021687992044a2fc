// SPDX-License-Identifier: Apache-2.0
//
// A filter that appends to an array: of the lanes that keep an element, one adds their number to the counter, and tells
// the others where their elements begin.
//
// Source: ComputationalRadiationPhysics/picongpu#4825: two calls of activemask may give different lanes
// Source: ComputationalRadiationPhysics/picongpu#2514 and alpaka-group/mallocMC#145: a full mask in a branch hung (V100)
// Source: NVIDIA/cutlass#1094: a mask of 0x1f where 32 lanes were meant, wrong only on an H100
// Form: right
// Form: activemask_twice: wrong answer
// Form: activemask_before_branch: deadlock
// Form: full_mask_in_branch: deadlock
// Form: short_mask: divergence
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, activemask_twice, activemask_before_branch, full_mask_in_branch, short_mask };

constexpr int threads = 64;

/// Returns the next place for this lane; `mask`: the lanes that call together.
__device__ int append(int* counter, unsigned mask, unsigned ranked) {
  unsigned const lane = threadIdx.x % 32;
  int const leader = __ffs(int(mask)) - 1;
  int first = 0;
  if (int(lane) == leader) first = atomicAdd(counter, __popc(mask));
  first = __shfl_sync(mask, first, leader); // found: divergence
  return first + __popc(ranked & ((1u << lane) - 1));
}

template <form f> __device__ int place_of(int* counter, unsigned before, unsigned kept) {
  if constexpr (f == right) return append(counter, kept, kept);
  if constexpr (f == activemask_before_branch) return append(counter, before, before);
  if constexpr (f == full_mask_in_branch) return append(counter, ~0u, ~0u);
  if constexpr (f == short_mask) return append(counter, 0x1f, 0x1f);
  unsigned const mask = __activemask();
  return append(counter, mask, __activemask());
}

template <form f> __global__ void filter(int const* in, int* out, int* counter, int size, int limit) {
  for (int i = int(blockIdx.x * threads + threadIdx.x); i < size; i += int(gridDim.x * threads)) {
    int const value = in[i];
    unsigned const before = __activemask();
    unsigned const kept = __ballot_sync(~0u, value < limit);
    if (value < limit) {
      int const place = place_of<f>(counter, before, kept);
      if (place >= 0 && place < size) out[place] = value;
    }
    __syncthreads(); // found: deadlock
  }
}

template <form f> bool run(int scale) {
  int const blocks = 3 * scale, size = 2 * blocks * threads, limit = 60;
  foreign::memory<int> in(size), out(size), counter;
  int count = 0, seen[limit] = {};
  for (int i = 0; i < size; ++i) {
    in[i] = i * 29 % 101;
    if (in[i] < limit) ++count, ++seen[in[i]];
  }
  in.to_device();
  foreign::launch(blocks, threads, filter<f>, in.data(), out.data(), counter.data(), size, limit);
  out.to_host(), counter.to_host();
  if (counter[0] != count) return false;
  for (int i = 0; i < count; ++i) --seen[out[i]];
  for (int const missing : seen)
    if (missing != 0) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"activemask_twice", run<activemask_twice>},
                                {"activemask_before_branch", run<activemask_before_branch>},
                                {"full_mask_in_branch", run<full_mask_in_branch>},
                                {"short_mask", run<short_mask>}});

} // namespace
