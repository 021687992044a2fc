// SPDX-License-Identifier: Apache-2.0
//
// reductions: sections 3.3 and 3.4: checks each kernel of the series, for sizes that are multiples of the block size
// and sizes that are not, and the reduction in one kernel by cudax::reduce.
#include "part.hpp"
import cudax.sync;
#include "grid_reduction.hpp"
#include "series.hpp"

namespace textbook_kernels {
namespace {

constexpr unsigned sizes[] = {1, 2, 31, 33, 100, 512, 513, 1000, 4096, 4097, 20'011};
constexpr unsigned block_sizes[] = {512, 64, 32, 1, 96, 200};
constexpr unsigned max_size = 20'011, guard = 64;

int element(unsigned i) { return int(i * 2654435761u >> 24) - 100; }

struct memory {
  int *data = nullptr, *partial = nullptr;
  lane_counts* counts = nullptr;
  memory() {
    CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&data), (max_size + guard) * sizeof(int)));
    CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&partial), (max_size + 1) * sizeof(int)));
    CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&counts), sizeof(lane_counts)));
  }
  ~memory() {
    cudaFree(counts);
    cudaFree(partial);
    cudaFree(data);
  }
  memory(memory const&) = delete;
  memory& operator=(memory const&) = delete;

  /// Fills the data and the guard elements after them; returns the expected sum. A guard element is too large to go
  /// unnoticed in a sum.
  int prepare(unsigned n) {
    int sum = 0;
    for (unsigned i = 0; i < n; ++i) sum += data[i] = element(i);
    for (unsigned i = n; i < n + guard; ++i) data[i] = 1 << 24;
    for (unsigned i = 0; i <= max_size; ++i) partial[i] = 1 << 24;
    *counts = lane_counts{};
    return sum;
  }
  long long changed_guards(unsigned n) const {
    long long count = 0;
    for (unsigned i = n; i < n + guard; ++i) count += data[i] != 1 << 24;
    return count;
  }
};

void check(reduction const& r, example::report& report) {
  memory m;
  long long wrong = 0, checked = 0;
  example::stopwatch time;
  for (unsigned const threads : block_sizes) {
    if (r.one_block != 0 && threads != r.one_block) continue;
    for (unsigned const n : sizes)
      for (bool const with_counts : {false, true}) {
        unsigned const blocks = r.blocks_for(n, threads);
        int const expected = m.prepare(n);
        if (with_counts) r.count(blocks, threads, m.data, m.partial, n, m.counts);
        else r.run(blocks, threads, m.data, m.partial, n);
        CUDA_MUST(cudaDeviceSynchronize());
        int sum = 0;
        for (unsigned i = 0; i < blocks; ++i) sum += m.partial[i];
        wrong += sum != expected;
        wrong += m.changed_guards(n) != 0;
        ++checked;
        // Every conditional addition is one lane that takes its branch, and it replaces two numbers by one. The threads
        // of a block begin with one number each, and one number is left.
        if (!with_counts) continue;
        unsigned long long lanes = 0, numbers = 0;
        for (unsigned long long const l : m.counts->lanes) lanes += l;
        for (unsigned b = 0; b < blocks; ++b) {
          unsigned const left = n - b * threads * r.parts;
          numbers += (left < threads ? left : threads) - 1;
        }
        wrong += lanes != numbers;
      }
  }
  report.line(std::string("reduce_") + r.name, "device", wrong, checked, time.seconds());
}

void check_grid(example::report& report) {
  memory m;
  int_sum_state* state = nullptr;
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&state), sizeof(int_sum_state)));
  CUDA_MUST(cudaMemset(state, 0, sizeof(int_sum_state)));
  long long wrong = 0, checked = 0;
  example::stopwatch time;
  for (unsigned const threads : block_sizes)
    for (unsigned const blocks : {1u, 3u, 40u})
      for (unsigned const n : sizes) {
        int const expected = m.prepare(n);
        reduce_grid<<<blocks, threads>>>(state, m.data, n, m.partial);
        CUDA_MUST(cudaDeviceSynchronize());
        wrong += m.partial[0] != expected;
        for (unsigned i = 0; i < n; ++i) wrong += m.data[i] != element(i); // unchanged
        ++checked;
      }
  CUDA_MUST(cudaFree(state));
  report.line("cudax::reduce", "device, one kernel", wrong, checked, time.seconds());
}

} // namespace

void reduction_series(example::report& report) {
  for (reduction const& r : reductions) check(r, report);
  check_grid(report);
}

} // namespace textbook_kernels
