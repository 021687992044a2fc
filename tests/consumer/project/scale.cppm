module;
#include "scale.hpp" // before CUDA's declarations
#include <cudax/cuda.hpp>
export module scale;
export import :factor;
import cudax.sync;
import cudax.sync.host;

__device__ int const offsets[] = {0, SCALE_OFFSET};

/// Is defined in scale_function.cu.
export __device__ int scaled(int value);

/// Scales the value of each thread, and counts the threads.
export __global__ void scale(int* values, cudax::atomic<int>* threads) {
  values[threadIdx.x] = scaled(values[threadIdx.x]) + offsets[1];
  threads->fetch_add(1, cudax::memory_order_relaxed);
}

/// Is instantiated by its importers.
export template <class T>
__global__ void scale_all(T* values, cudax::atomic<int>* threads) {
  __shared__ T block[32];
  block[threadIdx.x] = values[threadIdx.x];
  cudax::this_block.sync();
  values[threadIdx.x] = T(factor()) * block[blockDim.x - 1 - threadIdx.x];
  threads->fetch_add(1, cudax::memory_order_relaxed);
}

export void launch_scale(int* values, cudax::atomic<int>* threads, int n) { scale<<<1, n>>>(values, threads); }
