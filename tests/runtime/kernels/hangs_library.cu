// SPDX-License-Identifier: Apache-2.0
//
// A shared library with a kernel that waits for longer than its limit. hangs_libraries.cpp links two of them.
#include <chrono>
import cudax.sync;
import cudax.sync.host;

namespace {

__global__ void wait_in_kernel(cudax::atomic<int>* object) { object->wait(0); }

} // namespace

/// Waits in a kernel for a second, with a limit of 0.1 s; returns CUDA's code.
extern "C" [[gnu::visibility("default")]] int LIBRARY() {
  using namespace std::chrono_literals;
  auto const object = cudax::make_mapped<cudax::atomic<int>>();
  cudax::report_hangs(100ms);
  wait_in_kernel<<<1, 1>>>(object.device_pointer());
  cudax::this_thread::sleep_for(1s);
  object->store(1);
  return cudaDeviceSynchronize();
}
