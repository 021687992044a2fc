#include <cstdio>
#include <cudax/as_cuda.hpp> // the library under libcu++'s names
#include <string>
import cudax.sync.host;

__global__ void increment(int* count) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(*count).fetch_add(1, cuda::memory_order_acq_rel);
}

int main() {
  if (std::string const reason = cudax::no_device_reason(); !reason.empty()) {
    std::printf("nothing was launched: %s\n", reason.c_str());
    return 77;
  }
  auto const count = cudax::make_managed<int>(0);
  increment<<<10, 100>>>(count.device_pointer());
  cudaError_t const error = cudaDeviceSynchronize();
  std::printf("device: %d (%s)\n", *count, cudaGetErrorString(error));
  return *count == 1000 ? 0 : 1;
}
