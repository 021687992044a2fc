// SPDX-License-Identifier: Apache-2.0
//
// A grouped product as a chain of dependent launches: a kernel writes groups and items, one marks the groups, one adds
// up each group by warps with roles, and one adds the sums. Each may begin before the kernel before it has ended. So it
// waits before it reads what that kernel wrote, and also where it reads nothing: the next kernel knows of no other one.
//
// Source: NVIDIA/cutlass#2760: grouped products never waited for the grid before them
// Source: NVIDIA/cutlass#2962: the tile scheduler read the first problem's shape before the wait
// Source: NVIDIA/cutlass#3279: the warp that loads scale factors was the only one that did not wait
// Source: NVIDIA/cccl#3131: a merge sort of three dependent kernels, of which one may overtake the one before the last
// Form: right
// Form: no_wait: race
// Form: shape_before_wait: race
// Form: role_without_wait: race
// Form: middle_without_wait: race
#include "../launches.hpp"
#include "../ptx.hpp"

namespace {

enum form { right, no_wait, shape_before_wait, role_without_wait, middle_without_wait };

constexpr int items_each = 64, threads = 32 + items_each;

struct group {
  int first, size;
};

__global__ void prepare(group* groups, int* items, int seed) {
  int const b = int(blockIdx.x), i = int(threadIdx.x);
  ptx::launch_dependents();
  if (i < items_each) items[b * items_each + i] = (b + i + seed) % 9; // found: race
  if (i == 0) groups[b] = {b * items_each, items_each - b % 7};       // found: race
}

/// Works on memory of its own, and so has nothing to wait for.
template <form f> __global__ void mark(int* marks) {
  ptx::launch_dependents();
  if constexpr (f != middle_without_wait) ptx::wait_for_prerequisites();
  if (threadIdx.x == 0) marks[blockIdx.x] = 1;
}

template <form f> __global__ void add_groups(group const* groups, int const* items, int const* marks, int* sums) {
  __shared__ group mine;
  __shared__ int loaded[items_each];
  int const i = int(threadIdx.x);
  bool const is_scheduler = i < 32;
  ptx::launch_dependents();
  if (f == shape_before_wait && i == 0) mine = groups[blockIdx.x]; // found: race
  if (f != no_wait && (f != role_without_wait || is_scheduler)) ptx::wait_for_prerequisites();
  if (f != shape_before_wait && i == 0) mine = groups[blockIdx.x];                  // found: race
  if (!is_scheduler) loaded[i - 32] = items[int(blockIdx.x) * items_each + i - 32]; // found: race
  __syncthreads();
  if (i != 0) return;
  int sum = 0;
  for (int j = 0; j < mine.size; ++j) sum += loaded[j];
  sums[blockIdx.x] = sum + marks[blockIdx.x];
}

__global__ void add_sums(int const* sums, int blocks, int* total) {
  ptx::wait_for_prerequisites();
  int sum = 0;
  for (int b = 0; b < blocks; ++b) sum += sums[b];
  *total += sum;
}

template <form f> bool run(int scale) {
  constexpr int blocks = 6;
  int const rounds = 1 + scale / 2;
  foreign::memory<group> groups(blocks);
  foreign::memory<int> items(blocks * items_each), marks(blocks), sums(blocks), total;
  int expected = 0;
  cudax_test::launch_shape const first{.blocks = blocks, .threads = threads},
      next{.blocks = blocks, .threads = threads, .is_dependent = true};
  for (int round = 0; round < rounds; ++round) {
    foreign::enqueue(first, prepare, groups.data(), items.data(), round);
    foreign::enqueue(next, mark<f>, marks.data());
    foreign::enqueue(next, add_groups<f>, groups.data(), items.data(), marks.data(), sums.data());
    foreign::enqueue({.is_dependent = true}, add_sums, sums.data(), blocks, total.data());
    for (int b = 0; b < blocks; ++b) {
      ++expected;
      for (int i = 0; i < items_each - b % 7; ++i) expected += (b + i + round) % 9;
    }
  }
  foreign::finish();
  total.to_host();
  return total[0] == expected;
}

foreign::program const program({{"right", run<right>},
                                {"no_wait", run<no_wait>},
                                {"shape_before_wait", run<shape_before_wait>},
                                {"role_without_wait", run<role_without_wait>},
                                {"middle_without_wait", run<middle_without_wait>}});

} // namespace
