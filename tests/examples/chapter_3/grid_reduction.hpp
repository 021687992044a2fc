// SPDX-License-Identifier: Apache-2.0
//
// grid_reduction: where the series ends: all of it by one kernel, which leaves the data as they are. Needs `import cudax.sync;`
// before.
#pragma once

#if defined(__CUDA__)

namespace chapter_3 {

inline constexpr unsigned most_blocks = 4096;
using int_sum_state = cudax::reduce_state<int, cudax::thread_scope_device, most_blocks>;

struct plus {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

/// The sum of n numbers; the state is zero before, and is again behind.
static __global__ void reduce_grid(int_sum_state* state, int const* data, unsigned n, int* sum) {
  cudax::reduce(*state, data, n, 0, plus(), [=](int result) { *sum = result; });
}

} // namespace chapter_3

#endif
