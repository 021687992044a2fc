// SPDX-License-Identifier: Apache-2.0
#include "shared.hpp"

#include <string>
import cudax.sync.host;

__global__ void count_up(cudax::atomic<unsigned>* count, unsigned rounds); // in cuda_worker.cu

// A kernel that is launched only from a template and has hidden visibility, as the kernels of CUB and Thrust: the
// device link must not drop it.
template <class Object>
__attribute__((__visibility__("hidden"))) __global__ void count_down(Object* count) {
  count->fetch_sub(1, cudax::memory_order_relaxed);
}
template <class Object>
struct counting_down {
  static void launch(Object* count) { count_down<<<1, 1>>>(count); }
};

namespace cudax_test {

std::vector<std::thread> start_cuda_launcher() { return start(); }

char const* count_on_device_too(bool& holds) {
  static std::string const reason = cudax::no_device_reason();
  if (!reason.empty()) return reason.c_str();
  if (!cudax::devices()[0].concurrent_managed_access) return "the device has no concurrent managed access";
  auto const count = cudax::make_managed<cudax::atomic<unsigned>>(0u);
  count_up<<<4, 64>>>(count.device_pointer(), rounds);
  counting_down<cudax::atomic<unsigned>>::launch(count.device_pointer());
  for (unsigned i = 0; i < rounds; ++i) count->fetch_add(1, cudax::memory_order_relaxed);
  holds = cudaDeviceSynchronize() == cudaSuccess &&
          plain_loads(*count, cudax::memory_order_relaxed) == (4 * 64 + 1) * rounds - 1;
  return nullptr;
}

} // namespace cudax_test
