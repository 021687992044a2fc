// SPDX-License-Identifier: Apache-2.0
//
// reduction: the counterpart of library.hpp for reductions of a range by the whole device. cudax.sync is compared with
// CUB's DeviceReduce, which comes with libcu++. Both are called from the host, as programs call them, once for each
// reduction, with the memory that they need already allocated. The cost of the call on the host counts if the device is
// faster than the host.
#pragma once

#include "cuda.hpp"
#include "library.hpp"

#include <cuda_runtime.h>

#if defined(CUDAX_BENCH_LIBCUXX)
#include <cub/device/device_reduce.cuh>
#endif

namespace CUDAX_BENCH_SIDE {

#if defined(CUDAX_BENCH_CUDAX)

/// The grid that the docstring of reduce recommends.
inline constexpr unsigned reduce_block_size = 512, reduce_blocks_per_sm = 4;
template <class T>
inline constexpr unsigned long long reduce_block_elements = reduce_block_size * 64 / sizeof(T);

struct sum_of_two {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

template <class T>
using sum_state = library::reduce_state<T>;

template <class T>
__global__ void __launch_bounds__(reduce_block_size, reduce_blocks_per_sm)
    sum_range(sum_state<T>* state, T const* range, unsigned long long n, T* sum) {
  library::reduce(*state, range, n, T(), sum_of_two(), [=](T const& found) { *sum = found; });
}

/// The memory that a sum needs in addition to the range; initially zero.
template <class T>
std::size_t sum_scratch_bytes(unsigned long long) {
  return sizeof(sum_state<T>);
}

template <class T>
void launch_sum(unsigned multiprocessors, void* scratch, std::size_t, T const* range, unsigned long long n, T* sum) {
  unsigned const most = multiprocessors * reduce_blocks_per_sm;
  unsigned long long const useful = (n - 1) / reduce_block_elements<T> + 1;
  unsigned const blocks = useful < most ? unsigned(useful) : most;
  sum_range<<<blocks, reduce_block_size>>>(static_cast<sum_state<T>*>(scratch), range, n, sum);
}

#else

// CUB uses 32-bit element counts where they suffice, so it is called with a 32-bit count.

template <class T>
std::size_t sum_scratch_bytes(unsigned long long n) {
  std::size_t size = 0;
  CUDA_MUST(
      cub::DeviceReduce::Sum(nullptr, size, static_cast<T const*>(nullptr), static_cast<T*>(nullptr), unsigned(n)));
  return size;
}

template <class T>
void launch_sum(unsigned, void* scratch, std::size_t size, T const* range, unsigned long long n, T* sum) {
  CUDA_MUST(cub::DeviceReduce::Sum(scratch, size, range, sum, unsigned(n)));
}

#endif

} // namespace CUDAX_BENCH_SIDE
