// SPDX-License-Identifier: Apache-2.0
//
// uses: a typical user's translation unit: one kernel and one host function on atomics.
#include "../support/library.hpp"

using namespace CUDAX_BENCH_SIDE;

/// Counts its visits, and notifies the host once all are counted.
__global__ void count(unsigned* visits, unsigned* flag, unsigned long long* largest, unsigned total) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  library::atomic_ref<unsigned long long, library::thread_scope_device>(*largest).fetch_max(thread, relaxed);
  if (device_ref<unsigned>(*visits).fetch_add(1, acq_rel) == total - 1) {
    library::atomic_ref<unsigned, library::thread_scope_system> ready(*flag);
    unsigned expected = 0;
    if (!ready.compare_exchange_strong(expected, 1, release, relaxed)) ready.store(expected + 1, release);
  }
}

void await(library::atomic<unsigned, library::thread_scope_system>& flag) {
  while (flag.load(acquire) == 0) {}
}

int main() {
  library::atomic<unsigned, library::thread_scope_system> flag(1);
  await(flag);
}
