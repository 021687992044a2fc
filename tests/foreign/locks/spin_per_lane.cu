// SPDX-License-Identifier: Apache-2.0
//
// Every lane of a warp takes the spin lock of a bucket, adds its value to the bucket's sum, and unlocks; then the block
// meets at a barrier and goes on with the next values.
//
// Source: NVIDIA/warp#1958: a spin lock for each thread needs lanes that progress independently, from sm_70
// Source: mc-imperial/gpuverify#55: a race is reported in a lock made of compare-and-swap and exchange without fences
// Source: xlite-dev/LeetCUDA#391: why a barrier between lock and unlock does not hang (one thread locks for the block)
// Form: right
// Form: no_fence_after_lock: race
// Form: no_fence_before_unlock: race
// Form: volatile_unlock: possible hang
// Form: barrier_while_locked: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_fence_after_lock, no_fence_before_unlock, volatile_unlock, barrier_while_locked };

constexpr int threads = 64, buckets = 8;

struct bucket {
  int lock, sum;
};

template <form f> __device__ void add(bucket& b, int value) {
  while (atomicExch(&b.lock, 1) != 0); // found: volatile_unlock, barrier_while_locked
  if constexpr (f != no_fence_after_lock) __threadfence();
  b.sum = b.sum + value;                                    // found: no_fence_after_lock, no_fence_before_unlock
  if constexpr (f == barrier_while_locked) __syncthreads(); // found: barrier_while_locked
  if constexpr (f != no_fence_before_unlock) __threadfence();
  if constexpr (f == volatile_unlock) *static_cast<int volatile*>(&b.lock) = 0; // found: volatile_unlock
  else atomicExch(&b.lock, 0);
}

template <form f> __global__ void sum_up(bucket* all, int rounds) {
  int const thread = int(blockIdx.x * threads + threadIdx.x);
  for (int round = 0; round < rounds; ++round) {
    add<f>(all[(thread + round) % buckets], thread + round);
    __syncthreads();
  }
}

template <form f> bool run(int scale) {
  int const blocks = 2 * scale, rounds = 2;
  foreign::memory<bucket> all(buckets);
  foreign::launch(blocks, threads, sum_up<f>, all.data(), rounds);
  all.to_host();
  long long sum = 0, expected = 0;
  for (int i = 0; i < buckets; ++i) sum += all[i].sum;
  for (int i = 0; i < blocks * threads; ++i) expected += 2 * i + 1;
  return sum == expected;
}

foreign::program const program({{"right", run<right>},
                                {"no_fence_after_lock", run<no_fence_after_lock>},
                                {"no_fence_before_unlock", run<no_fence_before_unlock>},
                                {"volatile_unlock", run<volatile_unlock>},
                                {"barrier_while_locked", run<barrier_while_locked>}});

} // namespace
