// Compiled by nvcc.
#include <cuda_runtime.h>
#ifdef OTHER_OBJECT
__device__ int twice(int number);
#else
__device__ int twice(int number) { return 2 * number; }
#endif

__global__ void double_number(int* number) { *number = twice(*number); }

// 42, computed by a kernel of nvcc, or the negative error code.
int number_of_nvcc() {
  int* number = nullptr;
  if (cudaError_t const error = cudaMallocManaged(&number, sizeof(int)); error != cudaSuccess) return -error;
  *number = 21;
  double_number<<<1, 1>>>(number);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int const result = error == cudaSuccess ? *number : -error;
  cudaFree(number);
  return result;
}
