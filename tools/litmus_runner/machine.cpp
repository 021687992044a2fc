// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "cuda_calls.hpp"
#include "host_memory.hpp"
#include "host_test.hpp"
#include "report.hpp"

namespace litmus_runner {

namespace {

/// Of a location in global memory; elsewhere a sixteenth.
constexpr unsigned long long bytes_of_cells = 256ull << 20;
constexpr std::size_t bytes_of_shared = 40u << 10; ///< of a block, beside what the kernel declares
constexpr unsigned long long bytes_of_results = 64ull << 20;
constexpr unsigned most_counts = counts_of(12);
constexpr unsigned least_rounds = 4, first_rounds = 32, most_rounds = 4096;
constexpr double longest_launch = 0.02; ///< seconds
constexpr double launches_of_test = 16; ///< that fit into the time of a test, so that it tries several seeds
/// Nanoseconds. All threads of an instance start within some microseconds. On the emulator, threads of the operating
/// system may pause for long, and in checked runs time is virtual.
constexpr unsigned long long await_limit = 2'000'000, await_limit_emulated = 2'000'000'000;

/// Tests of one shape have equal layouts, and make the same of a seed.
std::string shape_of(row const& r) {
  std::string text = r.memory;
  for (auto const& t : r.threads)
    for (int const n : {t.cluster, t.block, t.warp}) text += " " + std::to_string(n);
  return text;
}

} // namespace

result result_from(std::vector<unsigned long long> const& counts, unsigned bits) {
  result one;
  unsigned const beside = 1u << bits;
  one.counts.assign(counts.begin(), counts.begin() + beside);
  one.others = counts[beside + other_values];
  one.missing = counts[beside + no_results];
  one.endless = counts[beside + never_ended];
  return one;
}

void add(result& total, result const& part) {
  for (std::size_t i = 0; i < total.counts.size(); ++i) total.counts[i] += part.counts[i];
  total.others += part.others;
  total.missing += part.missing;
  total.endless += part.endless;
  total.instances += part.instances;
  total.seconds += part.seconds;
  total.launches += part.launches;
}

machine::machine(unsigned seed) : tuning_(seed), cells_(bytes_of_cells, bytes_of_cells / 16) {
  cudaDeviceProp properties{};
  MUST(cudaGetDeviceProperties(&properties, 0));
  name_ = properties.name;
  sms_ = properties.multiProcessorCount;
  emulated_ = name_.starts_with("cudax.sync emulator");
  results_ = allocate<unsigned>(bytes_of_results);
  scratch_ = allocate<unsigned>(words_of_scratch * 4);
  arrived_ = allocate<unsigned>(128);
  histogram_ = allocate<unsigned long long>(most_counts * 8ull);
  stuck_ = static_cast<unsigned*>(allocate_mapped(sizeof(unsigned)));
}

machine::~machine() {
  cudaFree(results_);
  cudaFree(scratch_);
  cudaFree(arrived_);
  cudaFree(histogram_);
  cudaFreeHost(stuck_);
}

capacity machine::capacity_of(row const& r, layout const& l, void const* kernel, unsigned threads,
                              std::size_t shared) const {
  capacity c{0, threads};
  if (l.blocks_per_cluster > 1) {
    configuration all(l, l.blocks_per_cluster, threads, shared);
    int clusters = 0;
    all.config.attrs = all.attributes + 1; // the query does not know cooperative launches
    all.config.numAttrs = 1;
    if (cudaError_t const error = cudaOccupancyMaxActiveClusters(&clusters, kernel, &all.config);
        error != cudaSuccess) {
      cudaGetLastError();
      throw device_lacks(std::string("the device has no clusters: ") + cudaGetErrorString(error));
    }
    c.blocks = unsigned(clusters) * l.blocks_per_cluster;
  } else {
    int per_sm = 0;
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, int(threads), shared));
    c.blocks = unsigned(per_sm * sms_);
  }
  unsigned const set = l.slots[cluster_level] * l.blocks_per_cluster;
  if (c.blocks < set)
    throw std::runtime_error(std::string(r.kernel) + ": the device holds " + std::to_string(c.blocks) +
                             " blocks at once, and the placement needs " + std::to_string(set));
  return c;
}

/// Waits for the kernel. A kernel ends by itself after the patience, except if threads of all blocks wait in
/// primitives of the library.
void machine::await_kernel(unsigned patience, launch const& all) const {
  using clock = std::chrono::steady_clock;
  auto const stuck = [&](char const* what) {
    return machine_error(what + (" for more than " + std::to_string(patience) + " s: ") + text_of(all));
  };
  auto const limit = clock::now() + std::chrono::seconds(patience + 5);
  if (patience)
    while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
      if (clock::now() > limit) throw stuck("the kernel runs, and no thread of it checks the time,");
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  cudaError_t const error = cudaDeviceSynchronize();
  if (error != cudaSuccess && *stuck_) throw stuck("threads wait for each other");
  must(error, "cudaDeviceSynchronize");
}

result machine::run(row const& r, arguments const& a,
                    std::function<void(launch const&, result const&)> const& launched) {
  if (auto const* const beside = find_host_test(r.kernel)) return run_beside_host(r, *beside, a, launched);
  auto const* const found = find_kernel(r.kernel);
  if (!found) throw std::runtime_error(std::string("no source has the kernel ") + r.kernel);
  auto const* const kernel = reinterpret_cast<void const*>(found->function);
  unsigned const counts = counts_of(r.bits);
  std::string const memory = r.memory;
  bool const everywhere = memory.find_first_of("mu") != std::string::npos;
  auto const shared_cells = unsigned(std::count(memory.begin(), memory.end(), 's'));

  launch all;
  all.which = r.which;
  all.bits = r.bits;
  all.layout = slots_of(r, devices_of(r).at(0));
  for (unsigned l = 0; l < memory.size(); ++l) all.cells[l] = cells_.of(l, memory[l]);
  all.results = results_;
  all.scratch = scratch_;
  all.arrived = arrived_;
  all.histogram = histogram_;
  all.stuck = stuck_;

  result total;
  total.counts.resize(1u << r.bits);
  auto const begin = std::chrono::steady_clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  std::vector<unsigned long long> seen(counts);
  double const aim = std::min(longest_launch, a.seconds / launches_of_test);
  std::map<unsigned, unsigned> rounds_of; // by seed: how long a round takes depends on it
  tuning_.begin(kin_of(r), shape_of(r));
  auto const is_seen = [&] { return a.until_seen && *r.mutant_of && noticed(r, total); };
  while (a.launches ? total.launches < a.launches : total.launches == 0 || (elapsed() < a.seconds && !is_seen())) {
    // A number of launches is for repeating a run, so it takes the seeds one after the other.
    unsigned const seed = a.launches ? a.seed + total.launches : tuning_.next();
    std::mt19937 random(seed);
    unsigned const rounds = a.rounds ? a.rounds : rounds_of.try_emplace(seed, first_rounds).first->second;
    unsigned threads = std::max(a.plain ? a.threads : a.threads >> random() % 3 & ~31u, 32u);
    threads = std::max(threads, 32 * all.layout.slots[warp_level]);
    // The counts, then two buffers of cells for each instance of a block and each location.
    auto const shared_for = [&](unsigned n) {
      return counts * sizeof(unsigned) + (shared_cells ? 16 + 2ull * r.cell * memory.size() * n : 0);
    };
    while (shared_for(threads) > bytes_of_shared && threads / 2 >= 32 * all.layout.slots[warp_level])
      threads = threads / 64 * 32;
    std::size_t const shared = shared_for(threads);
    capacity c = capacity_of(r, all.layout, kernel, threads, shared);
    unsigned const set = all.layout.slots[cluster_level] * all.layout.blocks_per_cluster;
    if (!a.plain) c.blocks = std::max(c.blocks >> (random() % 4 ? 0 : 1 + random() % 2), set);
    if (a.blocks) c.blocks = std::max(std::min(c.blocks, a.blocks), set);
    unsigned const disturbing = !a.plain && random() % 3 == 0 ? c.blocks / 8 * (random() % 2 ? 1 : 4) : 0;
    fill(all.layout, c, disturbing);
    choose(all, a, random, r.cell, everywhere ? bytes_of_cells / 16 : bytes_of_cells);
    if (shared_cells) all.turns = 1;
    if (r.barriers &&
        (all.layout.units[warp_level] * all.layout.slots[warp_level] * 32 != all.layout.threads_per_block ||
         all.layout.units[lane_level] * all.layout.slots[lane_level] != 32))
      throw std::runtime_error(
          "some threads of a block run no test, so a barrier would wait for them; place a power of two of "
          "threads in a warp and in a block");
    all.stress.blocks = disturbing / all.layout.blocks_per_cluster * all.layout.blocks_per_cluster;
    all.stress.blocks = std::min(all.stress.blocks, c.blocks - all.layout.blocks);
    all.rounds = rounds;
    all.await_limit = emulated_ ? await_limit_emulated : await_limit;
    all.patience = a.patience * 1'000'000'000ull;
    if (2ull * all.turns * r.threads.size() * all.layout.instances * 4 > bytes_of_results)
      throw std::runtime_error("too many instances for the memory of results");

    MUST(cudaMemset(arrived_, 0, sizeof(unsigned)));
    MUST(cudaMemset(histogram_, 0, counts * sizeof(unsigned long long)));
    void* arguments[] = {&all};
    configuration where(all.layout, all.layout.blocks + all.stress.blocks, all.layout.threads_per_block, shared);
    auto const before = elapsed();
    MUST(cudaLaunchKernelExC(&where.config, kernel, arguments));
    await_kernel(a.patience, all);
    double const took = elapsed() - before;
    MUST(cudaMemcpy(seen.data(), histogram_, counts * sizeof(unsigned long long), cudaMemcpyDeviceToHost));

    result one = result_from(seen, r.bits);
    one.instances = 1ull * all.layout.instances * all.turns * all.rounds;
    one.seconds = took;
    one.launches = 1;
    add(total, one);
    if (launched) launched(all, one);
    tuning_.note(seed, double(positive(r, one)) / std::max(took, 1e-5));
    rounds_of[seed] = std::clamp(unsigned(rounds * aim / std::max(took, 1e-5)), least_rounds, most_rounds);
  }
  tuning_.end();
  return total;
}

} // namespace litmus_runner
