// SPDX-License-Identifier: Apache-2.0
//
// Data that the same kernel wrote is read with ld.global.nc, whose cache no barrier updates.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int threads = 64;

template <bool right>
__global__ void swap(int* data, int* seen) {
  int const i = int(threadIdx.x);
  data[i] = 7; // first
  __syncthreads();
  if constexpr (right) seen[i] = data[i ^ 1];
  else seen[i] = ptx::load_read_only(&data[i ^ 1]); // second
}

__global__ void copy(int* data, int* seen) { seen[threadIdx.x] = ptx::load_read_only(&data[threadIdx.x]); }

bool run(bool right) {
  check::device_memory<int> data(threads), seen(threads);
  check::launch({.threads = threads}, right ? swap<true> : swap<false>, data.data(), seen.data());
  bool const good = seen.all_are(7);
  check::launch({.threads = threads}, copy, data.data(), seen.data()); // in another kernel the read is allowed
  return good && seen.all_are(7);
}

check::program const program("read_only_written", "misuse", run);

} // namespace
