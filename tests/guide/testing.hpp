// SPDX-License-Identifier: Apache-2.0
//
// testing: the code of the page "Testing without a GPU". plain.cpp compiles it as plain C++, pages.cu as CUDA.
#pragma once
#include "guide.hpp"

// [algorithm]
#if !defined(__CUDACC__)
#define __host__
#define __device__
#endif

template <cudax::thread_scope Scope>
struct halves {
  cudax::barrier<Scope> all_written{2};
  int part[2] = {}, sum[2] = {};
};

template <cudax::thread_scope Scope>
__host__ __device__ void exchange(halves<Scope>& h, unsigned rank) {
  h.part[rank] = int(rank) + 1;
  h.all_written.arrive_and_wait(); // both parts are written
  h.sum[rank] = h.part[0] + h.part[1];
}
// [/algorithm]

namespace guide::testing {

// [host]
bool works_on_host_threads() {
  halves<cudax::thread_scope_system> h;
  std::thread other([&] { exchange(h, 1); });
  exchange(h, 0);
  other.join();
  return h.sum[0] == 3 && h.sum[1] == 3;
}
// [/host]

#if defined(__CUDACC__)
// [device]
__global__ void exchange_on_device(halves<cudax::thread_scope_device>* h) { // two blocks of one thread
  exchange(*h, blockIdx.x);
}
// [/device]

// [hangs]
__global__ void wait_for_all(cudax::latch<>* done) { done->wait(); }

inline void run_with_reports(cudax::latch<>* done) {
  cudax::report_hangs(std::chrono::seconds(5)); // before the kernel that may hang
  wait_for_all<<<1, 1>>>(done);
}
// [/hangs]

inline bool waits_for_latch() {
  auto const done = cudax::make_mapped<cudax::latch<>>(1);
  run_with_reports(done.device_pointer());
  done->count_down();
  finish("testing: hangs");
  return done->try_wait();
}

inline bool works_on_device() {
  auto const h = cudax::make_managed<halves<cudax::thread_scope_device>>();
  cudax::launch_coresident(exchange_on_device, 2, 1, 0, nullptr, h.device_pointer());
  finish("testing");
  return h->sum[0] == 3 && h->sum[1] == 3;
}
#endif

inline void run() {
  expect(works_on_host_threads(), "testing: host threads");
#if defined(__CUDACC__)
  expect(works_on_device(), "testing: device");
  expect(waits_for_latch(), "testing: hangs");
#endif
}

} // namespace guide::testing
