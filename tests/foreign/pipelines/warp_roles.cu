// SPDX-License-Identifier: Apache-2.0
//
// A ring of stages with warp roles: one warp fills stages by bulk copies, two warps read them. A stage has a barrier
// that counts its bytes, `full`, and one that the consuming warps arrive at when all of their lanes have read, `empty`.
//
// Source: triton-lang/triton#10035: a warp arrived for its group before the others had ended their wait; both sides hung
// Source: NVIDIA/cutlass#2404: a loop of a producer and consumers hung; which count of consumers it needs
// Source: NVIDIA/TransformerEngine#2695: a stage was read by plain loads, and filled again without a proxy fence
// Source: deepseek-ai/DeepEP#642: a proxy fence was missing between the wait for a stage and the copy into it
// Source: RL-Align/RL-Kernel#189: copies were issued before the barrier expected their bytes
// Form: right
// Form: lane_releases: race
// Form: leader_warp_releases: race
// Form: every_lane_arrives: race
// Form: first_parity_zero: livelock
// Form: no_proxy_fence: race
// Form: expect_after_arrival: race
// Form: expect_after_copy: missed
// Why: reviewers object to it, but it is right: the phase does not end before the arrival that expects the bytes, and until
// Why: then the count of pending bytes may be negative.
#include "../foreign.hpp"
#include "../ptx.hpp"

namespace {

enum form {
  right,
  lane_releases,
  leader_warp_releases,
  every_lane_arrives,
  first_parity_zero,
  no_proxy_fence,
  expect_after_arrival,
  expect_after_copy
};

constexpr int stages = 2, words = 64, bytes = words * 4; // a consumer for each word

template <form f> __global__ void add_tiles(int const* from, int* sums, int tiles) {
  __shared__ alignas(16) int ring[stages][words];
  __shared__ unsigned long long barriers[2 * stages];
  auto const full = [](int s) { return ptx::shared(&barriers[s]); };
  auto const empty = [](int s) { return ptx::shared(&barriers[stages + s]); };
  if (threadIdx.x == 0)
    for (int s = 0; s < stages; ++s) {
      ptx::mbarrier_init(full(s), 1);
      ptx::mbarrier_init(empty(s), f == leader_warp_releases ? 1 : 2); // a warp each
    }
  __syncthreads();

  if (threadIdx.x < 32) {
    if (threadIdx.x != 0) return;
    for (int tile = 0; tile < tiles; ++tile) {
      int const s = tile % stages;
      unsigned const parity = unsigned(tile / stages) & 1;
      // The barrier's first phase has not ended; the wait for the phase before it returns at once.
      unsigned const before = f == first_parity_zero ? parity : parity ^ 1;
      while (!ptx::mbarrier_try_wait_parity(empty(s), before));    // found: first_parity_zero
      if constexpr (f != no_proxy_fence) ptx::fence_proxy_async(); // the stage was read by plain loads
      if constexpr (f == expect_after_arrival) ptx::mbarrier_arrive(full(s));
      else if constexpr (f != expect_after_copy) ptx::mbarrier_arrive_expect_tx(full(s), bytes);
      ptx::bulk_copy_to_shared(ptx::shared(ring[s]), from + tile * words, bytes, full(s)); // found: race
      if constexpr (f == expect_after_arrival) ptx::mbarrier_expect_tx(full(s), bytes);
      if constexpr (f == expect_after_copy) ptx::mbarrier_arrive_expect_tx(full(s), bytes);
    }
    return;
  }

  int const i = int(threadIdx.x) - 32;
  bool const is_lane_0 = i % 32 == 0;
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    int const s = tile % stages;
    while (!ptx::mbarrier_try_wait_parity(full(s), unsigned(tile / stages) & 1));
    sum += ring[s][i] * ring[s][words - 1 - i];                                // found: race
    if constexpr (f != lane_releases && f != every_lane_arrives) __syncwarp(); // the other lanes have read, too
    if (f == every_lane_arrives || (is_lane_0 && (f != leader_warp_releases || i == 0))) ptx::mbarrier_arrive(empty(s));
  }
  sums[i] = sum;
}

template <form f> bool run(int scale) {
  int const tiles = 8 * scale;
  foreign::memory<int> from(tiles * words), sums(words);
  for (int i = 0; i < tiles * words; ++i) from[i] = i * 7 % 11;
  from.to_device();
  foreign::launch(1, 32 + words, add_tiles<f>, from.data(), sums.data(), tiles);
  sums.to_host();
  for (int i = 0; i < words; ++i) {
    int expected = 0;
    for (int tile = 0; tile < tiles; ++tile) expected += from[tile * words + i] * from[tile * words + words - 1 - i];
    if (sums[i] != expected) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"lane_releases", run<lane_releases>},
                                {"leader_warp_releases", run<leader_warp_releases>},
                                {"every_lane_arrives", run<every_lane_arrives>},
                                {"first_parity_zero", run<first_parity_zero>},
                                {"no_proxy_fence", run<no_proxy_fence>},
                                {"expect_after_arrival", run<expect_after_arrival>},
                                {"expect_after_copy", run<expect_after_copy>}});

} // namespace
