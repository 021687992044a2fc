// SPDX-License-Identifier: Apache-2.0
//
// Memory that does not exist, no longer exists, or has no value yet.
#include "program.hpp"

namespace {

constexpr int count = 32;

__global__ void fill(int* data, int to) {
  for (int i = 0; i < to; ++i) data[i] = i + 1; // first
}

bool out_of_bounds(bool right) {
  check::device_memory<int> data(count);
  check::launch({}, fill, data.data(), right ? count : count + 1);
  return data[count - 1] == count;
}

check::program const beyond("out_of_bounds", "out of bounds", out_of_bounds);

bool use_after_free(bool right) {
  int* data;
  CHECK_MUST(cudaMalloc(reinterpret_cast<void**>(&data), count * sizeof(int)));
  if (!right) CHECK_MUST(cudaFree(data));
  check::launch({}, fill, data, count);
  if (right) CHECK_MUST(cudaFree(data));
  return true;
}

check::program const freed("use_after_free", "use after free", use_after_free);

template <int written>
__global__ void shift(int* to) {
  __shared__ int tile[count + 1];
  if (threadIdx.x < written) tile[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x < count) to[threadIdx.x] = tile[threadIdx.x + 1]; // first
}

bool uninitialised(bool right) {
  check::device_memory<int> to(count);
  check::launch({.threads = count + 1}, right ? shift<count + 1> : shift<count>, to.data());
  return to.all_are(7);
}

/// One third gets a value by cudaMemset, one by a copy, and one by the kernel itself, unless `written` leaves it out.
template <bool written>
__global__ void sum(int* data, int* to) {
  int const i = int(threadIdx.x);
  if (written) data[2 * count + i] = 1;
  to[i] = data[i] + data[count + i] + data[2 * count + i]; // first
}

bool uninitialised_global(bool right) {
  int* data;
  CHECK_MUST(cudaMalloc(reinterpret_cast<void**>(&data), 3 * count * sizeof(int)));
  CHECK_MUST(cudaMemset(data, 0, count * sizeof(int)));
  int values[count];
  for (int& each : values) each = 6;
  CHECK_MUST(cudaMemcpy(data + count, values, sizeof values, cudaMemcpyHostToDevice));
  check::device_memory<int> to(count);
  check::launch({.threads = count}, right ? sum<true> : sum<false>, data, to.data());
  CHECK_MUST(cudaFree(data));
  return to.all_are(7);
}

check::program const no_value_in_device_memory("uninitialised_global", "uninitialised", uninitialised_global);

check::program const no_value("uninitialised_shared", "uninitialised", uninitialised);

} // namespace
