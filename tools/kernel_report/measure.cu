// SPDX-License-Identifier: Apache-2.0
//
// measure: runs the kernels of tests/examples/textbook_kernels. A kernel's time counts only after its answer was
// checked. A time is the median of `samples` samples, each between two events and with the original data. The bytes are
// those of the elements, read or written once: repeated accesses of a kernel that works in place do not count. Branches
// are counted by the same kernel with another policy (lanes.hpp), on fewer elements.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

#include "rows.hpp"
#include <cuda_runtime.h>
import cudax.sync;

namespace textbook_kernels {
inline void must(cudaError_t error, char const* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "tools/execution-model: %s: %s\n", call, cudaGetErrorString(error));
  std::exit(2);
}
} // namespace textbook_kernels
#define CUDA_MUST(...) ::textbook_kernels::must(__VA_ARGS__, #__VA_ARGS__)
#include "../../tests/examples/textbook_kernels/grid_reduction.hpp"
#include "../../tests/examples/textbook_kernels/query.hpp"
#include "../../tests/examples/textbook_kernels/series.hpp"

namespace kernel_report {
namespace {

using namespace textbook_kernels;

constexpr int samples = 9;
constexpr unsigned counted_elements = 1u << 16;

template <class T> class memory {
  T* at_ = nullptr;

public:
  explicit memory(size_t count) { CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&at_), count * sizeof(T))); }
  ~memory() { cudaFree(at_); }
  memory(memory const&) = delete;
  memory& operator=(memory const&) = delete;
  operator T*() const { return at_; }
};

class stopwatch {
  cudaEvent_t begin_{}, end_{};

public:
  stopwatch() {
    CUDA_MUST(cudaEventCreate(&begin_));
    CUDA_MUST(cudaEventCreate(&end_));
  }
  ~stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  stopwatch(stopwatch const&) = delete;
  stopwatch& operator=(stopwatch const&) = delete;

  template <class Prepare, class Run> double microseconds(Prepare prepare, Run run) const {
    double found[samples];
    for (double& sample : found) {
      prepare();
      CUDA_MUST(cudaEventRecord(begin_));
      run();
      CUDA_MUST(cudaEventRecord(end_));
      CUDA_MUST(cudaEventSynchronize(end_));
      float milliseconds = 0;
      CUDA_MUST(cudaEventElapsedTime(&milliseconds, begin_, end_));
      sample = milliseconds * 1000.0;
    }
    std::nth_element(found, found + samples / 2, found + samples);
    return found[samples / 2];
  }
};

/// Each element holds the index of the next one, so that each load depends on the load before it.
__global__ void chase(unsigned const* next, unsigned hops, unsigned* last) {
  unsigned at = 0;
  for (unsigned i = 0; i < hops; ++i) at = next[at];
  *last = at;
}

double latency_of_memory() {
  constexpr unsigned stride = 64, count = 1u << 20,
                     hops = 4096; // 256 MB; the elements are more than a cache line apart
  std::vector<unsigned> order(count), next(size_t(count) * stride);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  for (unsigned i = 0; i < count; ++i) next[size_t(order[i]) * stride] = order[(i + 1) % count] * stride;
  memory<unsigned> on_device(next.size()), last(1);
  CUDA_MUST(cudaMemcpy(on_device, next.data(), next.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  double const time = stopwatch().microseconds([] {}, [&] { chase<<<1, 1>>>(on_device, hops, last); });
  unsigned found = 0;
  CUDA_MUST(cudaMemcpy(&found, last, sizeof(found), cudaMemcpyDeviceToHost));
  return found == order[hops % count] * stride ? time * 1000 / hops : 0;
}

machine machine_here() {
  machine m;
  cudaDeviceProp properties{};
  CUDA_MUST(cudaGetDeviceProperties(&properties, 0));
  m.name = properties.name;
  m.is_emulator = m.name.find("emulator") != std::string::npos;
  m.multiprocessors = properties.multiProcessorCount;
  m.warps_per_sm = properties.maxThreadsPerMultiProcessor / 32;
  if (m.is_emulator) return m;
  // Two transfers per clock; kHz and bits.
  m.peak = 2.0 * attribute(cudaDevAttrMemoryClockRate) * 1e3 * (attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0) / 1e9;
  m.latency = latency_of_memory();
  return m;
}

row describe(machine const& m, std::string name, std::string says, void const* kernel, unsigned threads,
             unsigned blocks) {
  row r;
  r.name = std::move(name);
  r.says = std::move(says);
  r.threads = int(threads);
  r.blocks = int(blocks);
  kernel_resources k = resources_of(kernel, r.threads);
  if (m.is_emulator) k.needs.registers_per_thread = 0; // registers of PTX are not hardware registers
  sm_limits const sm = limits_of_device();
  r.registers = k.needs.registers_per_thread;
  r.shared = (long long)k.needs.shared;
  r.blocks_per_sm = k.blocks;
  r.occupancy = occupancy_of(k.blocks, r.threads, sm);
  r.limit = partition_of(sm, k.needs).limit();
  return r;
}

template <class Run> void count_branches(row& r, Run run) {
  memory<lane_counts> counts(1);
  CUDA_MUST(cudaMemset(counts, 0, sizeof(lane_counts)));
  run(counts);
  lane_counts found;
  CUDA_MUST(cudaMemcpy(&found, counts, sizeof(found), cudaMemcpyDeviceToHost));
  for (int i = 0; i < max_branches; ++i)
    if (auto const warps = double(found.warps[i]); warps != 0)
      r.branches.push_back({double(found.lanes[i]) / warps, double(found.divergent[i]) / warps});
}

void set_time(row& r, double microseconds, unsigned elements) {
  r.microseconds = microseconds;
  r.gigabytes_per_second = double(elements) * sizeof(int) / (microseconds * 1e3);
}

row measure_math(math_kernel const& k, machine const& m, unsigned threads) {
  unsigned const n = m.elements, blocks = (n + threads - 1) / threads;
  row r = describe(m, k.name, k.description, k.symbol, threads, blocks);
  memory<float> c(n);
  k.run(blocks, threads, c, n);
  std::vector<float> found(n);
  CUDA_MUST(cudaMemcpy(found.data(), c, n * sizeof(float), cudaMemcpyDeviceToHost));
  r.right = true;
  for (unsigned i = 0; i < n; ++i) r.right &= found[i] == k.expected(i);
  unsigned const few = std::min(n, counted_elements);
  count_branches(r, [&](lane_counts* to) { k.count((few + threads - 1) / threads, threads, c, few, to); });
  if (r.right && !m.is_emulator) set_time(r, stopwatch().microseconds([] {}, [&] { k.run(blocks, threads, c, n); }), n);
  return r;
}

/// The numbers to be summed, in device memory.
struct numbers {
  memory<int> original, data, partial;
  unsigned n;
  int sum = 0;

  explicit numbers(unsigned n) : original(n), data(n), partial(n + 1), n(n) {
    std::vector<int> values(n);
    for (unsigned i = 0; i < n; ++i) values[i] = int(i * 2654435761u >> 28) - 7;
    for (int const v : values) sum += v;
    CUDA_MUST(cudaMemcpy(original, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  }
  void prepare() const { CUDA_MUST(cudaMemcpy(data, original, n * sizeof(int), cudaMemcpyDeviceToDevice)); }
  int sum_of_partials(unsigned count) const {
    std::vector<int> found(count);
    CUDA_MUST(cudaMemcpy(found.data(), partial, count * sizeof(int), cudaMemcpyDeviceToHost));
    return std::accumulate(found.begin(), found.end(), 0);
  }
};

row measure_reduction(reduction const& k, machine const& m, numbers const& of, unsigned threads) {
  if (k.one_block != 0) threads = k.one_block;
  unsigned const blocks = k.blocks_for(of.n, threads);
  row r = describe(m, k.name, k.description, k.symbol, threads, blocks);
  auto const run = [&] { k.run(blocks, threads, of.data, of.partial, of.n); };
  of.prepare();
  run();
  r.right = of.sum_of_partials(blocks) == of.sum;
  of.prepare();
  unsigned const few = std::min(of.n, counted_elements);
  count_branches(r,
                 [&](lane_counts* to) { k.count(k.blocks_for(few, threads), threads, of.data, of.partial, few, to); });
  if (r.right && !m.is_emulator) set_time(r, stopwatch().microseconds([&] { of.prepare(); }, run), of.n);
  return r;
}

row measure_grid(machine const& m, numbers const& of, unsigned threads) {
  auto const kernel = reinterpret_cast<void const*>(reduce_grid);
  int const resident = resources_of(kernel, int(threads)).blocks * m.multiprocessors;
  unsigned const needed = (of.n + threads - 1) / threads;
  unsigned const blocks = std::min({unsigned(resident), needed, max_blocks});
  row r = describe(m, "cudax::reduce", "all of it, one kernel", kernel, threads, blocks);
  memory<int_sum_state> state(1);
  CUDA_MUST(cudaMemset(state, 0, sizeof(int_sum_state)));
  auto const run = [&] { reduce_grid<<<blocks, threads>>>(state, of.original, of.n, of.partial); };
  run();
  r.right = of.sum_of_partials(1) == of.sum;
  // Prepared like the other kernels, so that the copy leaves the cache in the same state for all of them.
  if (r.right && !m.is_emulator) set_time(r, stopwatch().microseconds([&] { of.prepare(); }, run), of.n);
  return r;
}

} // namespace

report measure(unsigned elements, unsigned threads) {
  report result;
  machine& m = result.machine;
  m = machine_here();
  m.elements = elements != 0 ? elements : m.is_emulator ? 1u << 14 : 1u << 26;
  for (math_kernel const& k : math_kernels) result.rows.push_back(measure_math(k, m, threads));
  numbers const of(m.elements);
  for (reduction const& k : reductions) result.rows.push_back(measure_reduction(k, m, of, threads));
  result.rows.push_back(measure_grid(m, of, threads));
  return result;
}

} // namespace kernel_report
