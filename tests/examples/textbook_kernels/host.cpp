// SPDX-License-Identifier: Apache-2.0
//
// host: the part of the chapter that runs on the host: the recursive reduction, cudax::reduce among host threads, the
// chapter's arithmetic.
#include "part.hpp"
import cudax.sync;
#include "reductions.hpp"
#include "resources.hpp"

#include <cmath>

namespace textbook_kernels {
namespace {

void recursion(example::report& report) {
  example::stopwatch time;
  long long wrong = 0, checked = 0;
  for (unsigned size = 0; size <= 1000; ++size, ++checked) {
    std::vector<int> data(size);
    int sum = 0;
    for (unsigned i = 0; i < size; ++i) sum += data[i] = int(i * 7 % 256) - 100;
    wrong += recursive_reduce(data.data(), size) != sum;
  }
  report.line("recursive reduction", "host", wrong, checked, time.seconds());
}

/// Each thread adds up its share; cudax::reduce then adds up the results of all threads, and every thread gets the sum.
void among_threads(example::report& report) {
  constexpr unsigned threads = 4, rounds = 500, share = 1000;
  auto const state = std::make_unique<cudax::reduce_state<long long, cudax::thread_scope_system, threads>>();
  example::stopwatch time;
  long long wrong[threads] = {};
  {
    std::vector<std::jthread> all;
    for (unsigned rank = 0; rank < threads; ++rank)
      all.emplace_back([&, rank] {
        for (unsigned round = 0; round < rounds; ++round) {
          long long own = 0;
          for (unsigned i = 0; i < share; ++i) own += rank * share + i + round;
          long long const sum = cudax::reduce(*state, cudax::reduce_part{rank, threads}, own, std::plus<>());
          long long const n = threads * share;
          wrong[rank] += sum != n * (n - 1) / 2 + n * round;
        }
      });
  }
  report.line("cudax::reduce of threads' shares", "host threads", wrong[0] + wrong[1] + wrong[2] + wrong[3],
              (long long)threads * rounds, time.seconds());
}

/// Checks the numbers of the chapter against its formulas.
void arithmetic(example::report& report) {
  struct {
    double is, should_be;
  } const checks[] = {
      // An instruction with a latency of 10 or 20 cycles, on an SM that issues one warp instruction per cycle.
      {warps_under_way(10, 1), 10},
      {warps_under_way(20, 1), 20},
      // A load with a latency of 400 or 800 cycles, on an SM that issues one load every 8 cycles.
      {warps_under_way(400, 1.0 / 8), 50},
      {warps_under_way(800, 1.0 / 8), 100},
      // 3350 GB/s at a latency of 600 ns: 2 MB must be in flight, 15 KB on each of 132 SMs.
      {bytes_under_way(600, 3350), 2.01e6},
      {bytes_under_way(600, 3350) / 132, 15227.27},
      // 3 blocks of 512 threads on an SM that holds 2048 threads: 48 of 64 warps.
      {occupancy_of(3, 512, {2048, 32, 65536, 233472, 1024}), 0.75},
      {occupancy_of(2, 33, {2048, 32, 65536, 233472, 1024}), 4.0 / 64}, // 33 threads take two warps
  };
  long long wrong = 0, checked = 0;
  for (auto const& c : checks) ++checked, wrong += std::abs(c.is - c.should_be) > 1e-6 * c.should_be;
  sm_limits const sm{2048, 32, 65536, 228 * 1024, 1024};
  struct {
    block_needs block;
    int blocks;
    std::string limit;
  } const partitions[] = {
      {{512, 32, 0}, 4, "threads"},
      {{32, 32, 0}, 32, "blocks"},
      {{512, 64, 0}, 2, "registers"},
      {{256, 40, 0}, 6, "registers"},
      {{128, 16, 47 * 1024}, 4, "shared memory"},
      {{1024, 255, 0}, 0, "registers"}, // not even one block fits
  };
  for (auto const& p : partitions) {
    partition const found = partition_of(sm, p.block);
    ++checked, wrong += found.blocks() != p.blocks || found.limit() != p.limit;
  }
  report.line("occupancy, partitions, Little's law", "host", wrong, checked, 0);
}

} // namespace

void on_the_host(example::report& report) {
  recursion(report);
  among_threads(report);
  arithmetic(report);
}

} // namespace textbook_kernels
