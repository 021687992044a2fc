// SPDX-License-Identifier: Apache-2.0
//
// waiting: the code of the page "Waiting on the host".
#pragma once
#include "guide.hpp"

namespace guide::waiting {

// [work]
__global__ void work(int* result, cudax::atomic<bool>* done) {
  *result = 42;
  done->store(true, cudax::memory_order_release);
}
// [/work]

// [reasons]
bool wait_for_work(cudax::atomic<bool> const& done, cudaStream_t stream) {
  auto const result = cudax::wait_for(done, false, stream, std::chrono::seconds(10), cudax::memory_order_acquire);
  switch (result.reason) {
  case cudax::wait_reason::changed: return true;
  case cudax::wait_reason::timed_out: std::puts("not yet"); break;
  case cudax::wait_reason::finished: std::puts("the kernel ended without a store"); break;
  case cudax::wait_reason::device_error: std::puts(result.error.message().c_str()); break;
  }
  return false;
}
// [/reasons]

// [host only]
int from_thread_to_thread() {
  int datum = 0;
  cudax::atomic<bool> ready = false;
  std::thread producer([&] {
    datum = 42;
    ready.store(true, cudax::memory_order_release);
    ready.notify_one(); // wakes the waiter at once
  });
  ready.wait(false, cudax::memory_order_acquire); // spins, then sleeps
  int const seen = datum;
  producer.join();
  return seen;
}
// [/host only]

struct state {
  int result = 0;
  cudax::atomic<bool> done = false;
};

inline void run() {
  auto const s = cudax::make_mapped<state>();
  state* const on_device = s.device_pointer();
  work<<<1, 1>>>(&on_device->result, &on_device->done);
  expect(wait_for_work(s->done, nullptr) && s->result == 42, "waiting");
  auto const never = cudax::make_mapped<state>();
  expect(cudax::wait(never->done, false, nullptr) == cudax::wait_reason::finished, "waiting: finished");
  expect(from_thread_to_thread() == 42, "waiting: host");
}

} // namespace guide::waiting
