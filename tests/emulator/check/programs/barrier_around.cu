// SPDX-License-Identifier: Apache-2.0
//
// A barrier of the block that some threads bypass. Right: they return before it, which __syncthreads allows.
#include "program.hpp"

namespace {

constexpr int threads = 64;

template <int come, bool right>
__global__ void reverse(int* from, int* to) {
  __shared__ int tile[threads];
  int const i = int(threadIdx.x);
  tile[i] = from[i];
  if constexpr (right) {
    if (i >= come) {
      to[i] = 7;
      return;
    }
    __syncthreads();
  } else {
    if (i < come) __syncthreads(); // first
  }
  to[i] = i < come ? tile[come - 1 - i] + 7 : 7; // second
}

template <int come>
bool run(bool right) {
  check::device_memory<int> from(threads), to(threads);
  check::launch({.threads = threads}, right ? reverse<come, true> : reverse<come, false>, from.data(), to.data());
  return to.all_are(7);
}

check::program const part_of_a_warp("barrier_around", "divergence", run<40>);
check::program const whole_warp("barrier_around_of_a_warp", "divergence", run<32>);

} // namespace
