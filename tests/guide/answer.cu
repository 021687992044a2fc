// SPDX-License-Identifier: Apache-2.0
//
// answer: the first program of the guide. The host waits for a message from the GPU.
#include <cstdio>
#include <exception>
import cudax.sync;
import cudax.sync.host;

// [message]
struct message {
  int datum = 0;
  cudax::atomic<bool> ready = false; // between all threads of the system
};
// [/message]

// [kernel]
__global__ void answer(message* m) {
  m->datum = 42;
  m->ready.store(true, cudax::memory_order_release);
}
// [/kernel]

int main() {
  try {
    // [host]
    auto const m = cudax::make_mapped<message>(); // host and device access it
    answer<<<1, 1>>>(m.device_pointer());
    // Pairs with the store in answer. Returns early if the launch fails or
    // the kernel dies.
    cudax::wait(m->ready, false, cudaStreamLegacy, cudax::memory_order_acquire).or_throw();
    std::printf("the GPU says %d\n", m->datum);
    // [/host]
  } catch (cudax::cuda_error const& error) { // no driver, no device, ...
    std::puts(error.what());
    return 1;
  }
}
