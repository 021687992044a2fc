#include <cstdio>
import cudax.sync;

__global__ void increment(int* count) {
  cudax::atomic_ref<int, cudax::thread_scope_device>(*count).fetch_add(1, cudax::memory_order_acq_rel);
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no CUDA device: nothing was launched\n");
    return 77;
  }
  int* count = nullptr;
  cudaMallocManaged(&count, sizeof(int));
  *count = 0;
  increment<<<10, 100>>>(count);
  cudaError_t const error = cudaDeviceSynchronize();
  std::printf("device: %d (%s)\n", *count, cudaGetErrorString(error));
  return *count == 1000 ? 0 : 1;
}
