// SPDX-License-Identifier: Apache-2.0
//
// A kernel reads what the kernel before it in the stream wrote, and is launched as a dependent one, so that it may
// begin before that one has ended. read: it does not wait for its prerequisites. overwrite: it waits after it has
// written what the other one reads. chain: the second of three kernels does not wait, so the third, which waits for the
// second, does not know of the first. Right: each waits before it accesses what others wrote.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int threads = 64;

__global__ void produce(int* data) {
  ptx::launch_dependents();
  data[threadIdx.x] = int(threadIdx.x); // first
}

template <bool waits>
__global__ void consume(int const* data, int* copy) {
  ptx::launch_dependents();
  if (waits && threadIdx.x == 0) ptx::wait_for_prerequisites();
  __syncthreads();
  copy[threadIdx.x] = data[threadIdx.x]; // second
}

template <bool waits>
__global__ void clear(int* data) {
  if constexpr (waits) ptx::wait_for_prerequisites();
  data[threadIdx.x] = 7; // second
  if constexpr (!waits) ptx::wait_for_prerequisites();
}

template <bool waits>
__global__ void pass() {
  ptx::launch_dependents();
  if constexpr (waits) ptx::wait_for_prerequisites();
}

check::shape const first{.threads = threads}, dependent{.threads = threads, .is_dependent = true};

bool run_read(bool right) {
  check::device_memory<int> data(threads), copy(threads);
  check::enqueue(first, produce, data.data());
  check::launch(dependent, right ? consume<true> : consume<false>, data.data(), copy.data());
  for (int i = 0; i < threads; ++i)
    if (copy[i] != i) return false;
  return true;
}

bool run_overwrite(bool right) {
  check::device_memory<int> data(threads);
  check::enqueue(first, produce, data.data());
  check::launch(dependent, right ? clear<true> : clear<false>, data.data());
  return data.all_are(7);
}

bool run_chain(bool right) {
  check::device_memory<int> data(threads), copy(threads);
  check::enqueue(first, produce, data.data());
  check::enqueue(dependent, right ? pass<true> : pass<false>);
  check::launch(dependent, consume<true>, data.data(), copy.data());
  for (int i = 0; i < threads; ++i)
    if (copy[i] != i) return false;
  return true;
}

check::program const programs[] = {
    {"dependent_reads_without_wait", "race", run_read},
    {"dependent_waits_after_write", "race", run_overwrite},
    {"chain_without_wait", "race", run_chain},
};

} // namespace
