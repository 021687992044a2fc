// SPDX-License-Identifier: Apache-2.0
//
// barriers: rounds of threads that wait for each other, at one barrier or at a latch for each round. A thread stores
// the number of its round, and reads that of its neighbour after the wait.
#include "libraries.hpp"
#include "row.hpp"
#include "threads.hpp"

namespace bench::host {
namespace {

/// `meet(i)` blocks until all threads have called it for the i-th time, from 0.
template <class Meet> double rounds_of(int threads, long rounds, char const* what, Meet meet) {
  std::vector<std::atomic<long>> seen(static_cast<std::size_t>(threads));
  std::atomic<bool> early = false;
  double const took = together(threads, [&](int t) {
    for (long i = 1; i <= rounds; ++i) {
      seen[static_cast<std::size_t>(t)].store(i, std::memory_order_relaxed);
      meet(i - 1);
      if (seen[static_cast<std::size_t>(t + 1) % seen.size()].load(std::memory_order_relaxed) < i) early = true;
    }
  });
  check(!early, what);
  return took;
}

template <class Library> double at_barrier(int threads, long rounds) {
  typename Library::barrier b(threads);
  return rounds_of(threads, rounds, "a thread has left the barrier early", [&](long) { b.arrive_and_wait(); });
}

template <class Library> double at_latches(int threads, long rounds) {
  std::deque<typename Library::latch> latches;
  for (long i = 0; i < rounds; ++i) latches.emplace_back(threads);
  return rounds_of(threads, rounds, "a thread has left a latch early",
                   [&](long i) { latches[static_cast<std::size_t>(i)].arrive_and_wait(); });
}

} // namespace

rows barriers() {
  using ours = cudax_library;
  using theirs = standard_library;
  rows all =
      by_threads("latch: arrive_and_wait", "std::latch", round_time<at_latches<ours>>, round_time<at_latches<theirs>>);
  append(all, by_threads("barrier: arrive_and_wait", "std::barrier", round_time<at_barrier<ours>>,
                         round_time<at_barrier<theirs>>));
  return all;
}

} // namespace bench::host
