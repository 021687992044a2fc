#include <cstdio>
#include <string>
import cudax.sync;
import cudax.sync.host;

int number_of_nvcc();

__global__ void increment(int* count) {
  cudax::atomic_ref<int, cudax::thread_scope_device>(*count).fetch_add(1, cudax::memory_order_relaxed);
}

int main() {
  if (!cudax::no_device_reason().empty()) return 77;
  auto const count = cudax::make_managed<int>(0);
  increment<<<10, 100>>>(count.device_pointer());
  cudaError_t const error = cudaDeviceSynchronize();
  int const number = number_of_nvcc();
  std::printf("clang: %d (%s), nvcc: %d\n", *count, cudaGetErrorString(error), number);
  return *count == 1000 && number == 42 ? 0 : 1;
}
