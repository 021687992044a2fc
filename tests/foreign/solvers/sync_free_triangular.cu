// SPDX-License-Identifier: Apache-2.0
//
// Solves L x = b for a sparse lower triangular matrix in one launch: one thread for each row, which waits for each x
// that it needs, as soon as it needs it. Rows are taken from a counter, so that a row waits only for rows that have
// begun.
//
// Source: Liu et al., "A Synchronization-Free Algorithm for Parallel Sparse Triangular Solves" (Euro-Par 2016)
// Source: ginkgo-project/ginkgo#764: threads that wait for each other's rows, and where the fence belongs
// Source: ROCm/rocm-libraries#3249: volatile accesses in place of the fence of a triangular solve failed its tests
// Form: right
// Form: no_release_fence: race
// Form: no_acquire_fence: race
// Form: volatile_without_fences: stale
// Form: rows_from_the_end: livelock
// Form: barrier_in_loop: missed
// Why: CUDA demands that all threads of the block reach a barrier or none. Those that leave the loop exit, and the
// Why: barrier counts only threads that have not exited, so nothing hangs
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_release_fence, no_acquire_fence, volatile_without_fences, rows_from_the_end, barrier_in_loop };

constexpr int threads = 32, most = 4; // elements of a row before the diagonal, which is 1

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

struct row {
  int count, column[most], value[most];
};

template <form f> __global__ void solve(row const* rows, int const* b, int* x, int* ready, int* next, int size) {
  int i = atomicAdd(next, 1);
  if constexpr (f == rows_from_the_end) i = size - 1 - i;
  if (i >= size || i < 0) return;
  int sum = b[i];
  for (int k = 0; k < rows[i].count; ++k) {
    int const column = rows[i].column[k];
    while (!word(ready[column]).load(memory_order_relaxed)) { // found: livelock
      if constexpr (f == barrier_in_loop) __syncthreads();
    }
    if constexpr (f != no_acquire_fence && f != volatile_without_fences) __threadfence();
    if constexpr (f == volatile_without_fences)
      sum -= rows[i].value[k] * *static_cast<int volatile*>(x + column); // found: stale
    else sum -= rows[i].value[k] * x[column];                            // found: race
  }
  if constexpr (f == volatile_without_fences) *static_cast<int volatile*>(x + i) = sum; // found: stale
  else x[i] = sum;                                                                      // found: race
  if constexpr (f != no_release_fence && f != volatile_without_fences) __threadfence();
  atomicExch(ready + i, 1);
}

template <form f> bool run(int scale) {
  int const size =
      f == rows_from_the_end ? 40 * threads * scale : 4 * threads * scale; // the wrong order needs more rows than fit
  foreign::memory<row> rows(size);
  foreign::memory<int> b(size), x(size), ready(size), next;
  for (int i = 0; i < size; ++i) {
    rows[i].count = i % (most + 1) < i ? i % (most + 1) : 0;
    for (int k = 0; k < rows[i].count; ++k) {
      int const distance = 1 + (i * 7 + k * 13) % (k ? 60 : 2);
      rows[i].column[k] = i - (distance < i ? distance : i), rows[i].value[k] = 1 + k % 2;
    }
    b[i] = i % 19;
  }
  rows.to_device(), b.to_device();
  foreign::launch(size / threads, threads, solve<f>, rows.data(), b.data(), x.data(), ready.data(), next.data(), size);
  x.to_host();
  for (int i = 0; i < size; ++i) {
    unsigned sum = unsigned(b[i]);
    for (int k = 0; k < rows[i].count; ++k) sum -= unsigned(rows[i].value[k]) * unsigned(x[rows[i].column[k]]);
    if (unsigned(x[i]) != sum) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_release_fence", run<no_release_fence>},
                                {"no_acquire_fence", run<no_acquire_fence>},
                                {"volatile_without_fences", run<volatile_without_fences>},
                                {"rows_from_the_end", run<rows_from_the_end>},
                                {"barrier_in_loop", run<barrier_in_loop>}});

} // namespace
