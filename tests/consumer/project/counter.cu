#include <string>
import cudax.sync;
import cudax.sync.host;

#if defined(EXPECT_OPTION_OF_THE_SOURCE) && !defined(OPTION_OF_THE_SOURCE)
#error "the options that a project gives to a source are lost"
#endif

__global__ void add(int* count) {
  cudax::atomic_ref<int, cudax::thread_scope_device>(*count).fetch_add(1, cudax::memory_order_relaxed);
}

#if !defined(COUNTER_API) // what a shared library exports although names are hidden
#define COUNTER_API
#endif

// Counts to 1000 by fetch_add: on a device if there is one, otherwise on the host.
COUNTER_API int counted_to_1000() {
  auto const on_host = [] {
    cudax::atomic<int> count = 0;
    for (int i = 0; i < 1000; ++i) count.fetch_add(1, cudax::memory_order_relaxed);
    return count.load();
  };
  if (!cudax::no_device_reason().empty()) return on_host();
  auto const count = cudax::make_managed<int>(0);
  add<<<10, 100>>>(count.device_pointer());
  return cudaDeviceSynchronize() == cudaSuccess ? *count : -1;
}
