// SPDX-License-Identifier: Apache-2.0
//
// A histogram: each block counts in bins of its own in shared memory, and adds them to the bins in global memory at the
// end.
//
// Source: ROCm/rocPRIM#89: no barrier between the last read of shared memory and its use for the bins of a block
// Source: ComputationalRadiationPhysics/picongpu#2231: bins were merged by operations atomic in a block only
// Form: right
// Form: no_barrier_after_clear: race
// Form: no_barrier_before_merge: race
// Form: plain_increments: race
// Form: plain_merge: race
// Form: merge_at_block_scope: race
// Form: barrier_in_branch: divergence
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  no_barrier_after_clear,
  no_barrier_before_merge,
  plain_increments,
  plain_merge,
  merge_at_block_scope,
  barrier_in_branch
};

using in_block = cudax::atomic_ref<int, cudax::thread_scope_block>;
constexpr auto relaxed = cudax::memory_order_relaxed;

constexpr int threads = 64, bins = 48, samples = 5; // of each thread

template <form f> __global__ void count(unsigned char const* in, int size, int* out) {
  __shared__ int mine[bins];
  if (threadIdx.x < bins) mine[threadIdx.x] = 0; // found: no_barrier_after_clear
  if constexpr (f != no_barrier_after_clear) __syncthreads();
  int const first = int(blockIdx.x) * threads * samples + int(threadIdx.x);
  for (int i = 0; i < samples; ++i) {
    if (first + i * threads >= size) break;
    int& bin = mine[in[first + i * threads] % bins];
    if constexpr (f == plain_increments) ++bin; // found: plain_increments
    else atomicAdd(&bin, 1);                    // found: no_barrier_after_clear, no_barrier_before_merge
  }
  if constexpr (f == barrier_in_branch) {
    if (threadIdx.x >= bins) return;
    if (threadIdx.x % 32 < 16) __syncthreads(); // found: barrier_in_branch
  } else if constexpr (f != no_barrier_before_merge) {
    __syncthreads();
  }
  if (threadIdx.x < bins) {
    int const counted = mine[threadIdx.x];                       // found: no_barrier_before_merge
    if constexpr (f == plain_merge) out[threadIdx.x] += counted; // found: plain_merge
    else if constexpr (f == merge_at_block_scope)
      in_block(out[threadIdx.x]).fetch_add(counted, relaxed); // found: merge_at_block_scope
    else atomicAdd(out + threadIdx.x, counted);               // found: barrier_in_branch
  }
}

template <form f> bool run(int scale) {
  int const blocks = 3 * scale, size = blocks * threads * samples - 77;
  foreign::memory<unsigned char> in(size);
  foreign::memory<int> out(bins);
  int expected[bins] = {};
  for (int i = 0; i < size; ++i) in[i] = static_cast<unsigned char>(i * 31 % 251), ++expected[in[i] % bins];
  in.to_device();
  foreign::launch(blocks, threads, count<f>, in.data(), size, out.data());
  out.to_host();
  return std::memcmp(&out[0], expected, sizeof expected) == 0;
}

foreign::program const program({{"right", run<right>},
                                {"no_barrier_after_clear", run<no_barrier_after_clear>},
                                {"no_barrier_before_merge", run<no_barrier_before_merge>},
                                {"plain_increments", run<plain_increments>},
                                {"plain_merge", run<plain_merge>},
                                {"merge_at_block_scope", run<merge_at_block_scope>},
                                {"barrier_in_branch", run<barrier_in_branch>}});

} // namespace
