// SPDX-License-Identifier: Apache-2.0
//
// grid_reduction: the end of the series: the whole reduction in one kernel, which does not change the data. Include it
// after `import cudax.sync;`.
#pragma once

#if defined(__CUDA__)

namespace textbook_kernels {

inline constexpr unsigned max_blocks = 4096;
using int_sum_state = cudax::reduce_state<int, cudax::thread_scope_device, max_blocks>;

struct plus {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

/// Computes the sum of n numbers. The state is zero before the launch and zero again after it.
static __global__ void reduce_grid(int_sum_state* state, int const* data, unsigned n, int* sum) {
  cudax::reduce(*state, data, n, 0, plus(), [=](int result) { *sum = result; });
}

} // namespace textbook_kernels

#endif
