// SPDX-License-Identifier: Apache-2.0
//
// host_and_device: the code of the page "Host and device in one program".
#pragma once
#include "guide.hpp"

namespace guide::host_and_device {

// [count]
using counter = cudax::atomic<unsigned>; // system scope

__host__ __device__ void count(counter& hits) { hits.fetch_add(1, cudax::memory_order_relaxed); }
__global__ void count_on_device(counter* hits) { count(*hits); }

unsigned count_on_both_sides() {
  auto const hits = cudax::make_managed<counter>(0u);
  count_on_device<<<4, 32>>>(hits.device_pointer());
  count(*hits); // at the same time: needs concurrent_managed_access
  cudaDeviceSynchronize();
  return hits->load();
}
// [/count]

// [ask]
bool both_sides_may_count(counter const& hits) {
  auto const modify = cudax::atomic_operation::read_modify_write;
  auto const result = cudax::atomicity(&hits, sizeof hits, modify);
  if (!result) std::puts(result.reason.c_str()); // names the attributes that decided
  return bool(result);
}
// [/ask]

// [word]
struct alignas(4) ready_flag { // has its word for itself
  cudax::atomic<bool> is_ready = false;
};
// [/word]

// [array]
__global__ void fill(int* values, int n) {
  for (int i = 0; i < n; ++i) values[i] = i;
}

int last_of(int n) {
  auto const values = cudax::make_mapped<int[]>(n); // owns them
  fill<<<1, 1>>>(values.device_pointer(), n);
  cudaDeviceSynchronize();
  return values[n - 1];
}
// [/array]

// [registered]
__global__ void increment(int* value) { ++*value; }

int increment_on_device(int value) {
  cudax::registered<int> const mapped(value); // until the end of the function
  increment<<<1, 1>>>(mapped.device_pointer());
  cudaDeviceSynchronize(); // before the registration ends
  return value;
}
// [/registered]

// [vector]
int first_after_increment() {
  cudax::system_resource& memory = *cudax::mapped_resource();
  memory.reserve(1 << 20); // before the program launches a kernel that polls
  std::pmr::vector<int> data({1, 2, 3}, &memory);
  increment<<<1, 1>>>(memory.device_pointer(data.data()));
  cudaDeviceSynchronize();
  return data[0];
}
// [/vector]

inline void run() {
  expect(count_on_both_sides() == 4 * 32 + 1, "host and device: the counter");
  auto const hits = cudax::make_managed<counter>(0u);
  expect(both_sides_may_count(*hits), "host and device: atomicity");
  static_assert(sizeof(ready_flag) == 4);
  expect(last_of(100) == 99, "host and device: the array");
  expect(increment_on_device(7) == 8, "host and device: registered");
  expect(first_after_increment() == 2, "host and device: a container");
}

} // namespace guide::host_and_device
