// SPDX-License-Identifier: Apache-2.0
//
// semaphores: turns between acquire and release, with fewer permits than threads; and one permit for many waiters.
#include "libraries.hpp"
#include "row.hpp"
#include "threads.hpp"

namespace bench::host {
namespace {

template <class Semaphore, int Permits> double turns(int threads) {
  Semaphore s(Permits);
  std::atomic<int> inside = 0;
  std::atomic<bool> crowded = false;
  return repeated(
      threads,
      [&](int) {
        s.acquire();
        if (inside.fetch_add(1, std::memory_order_relaxed) >= Permits) crowded = true;
        inside.fetch_sub(1, std::memory_order_relaxed);
        s.release();
      },
      [&](long) { check(!crowded, "a semaphore has granted too many permits"); });
}

/// Returns the nanoseconds from a release of one permit to its acquire, while `waiters` threads wait: the median of 21
/// releases.
template <class Semaphore> double release_to_acquire(int waiters) {
  constexpr int releases = 21;
  Semaphore s(0);
  std::atomic<int> ready = 0, acquired = 0;
  std::atomic<clock_type::time_point> at{};
  std::vector<std::jthread> all;
  for (int t = 0; t < waiters; ++t)
    all.emplace_back([&] {
      ++ready;
      s.acquire();
      at = clock_type::now();
      ++acquired;
    });
  while (ready != waiters) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(20ms);
  std::vector<double> took;
  for (int i = 0; i < releases; ++i) {
    auto const start = clock_type::now();
    s.release();
    while (acquired != i + 1) std::this_thread::sleep_for(100us);
    took.push_back(std::chrono::duration<double, std::nano>(at.load() - start).count());
    std::this_thread::sleep_for(3ms);
  }
  s.release(waiters - releases);
  all.clear();
  check(acquired == waiters, "a permit is lost");
  return median(took);
}

} // namespace

rows semaphores() {
  using ours = cudax_library;
  using theirs = standard_library;
  rows all = by_threads("binary_semaphore", "std::binary_semaphore", turns<ours::binary_semaphore, 1>,
                        turns<theirs::binary_semaphore, 1>);
  append(all, by_threads("counting_semaphore of 2", "std::counting_semaphore", turns<ours::counting_semaphore, 2>,
                         turns<theirs::counting_semaphore, 2>));
  append(all, by_threads("fair_semaphore of 2", "std::counting_semaphore", turns<ours::queue_semaphore, 2>,
                         turns<theirs::queue_semaphore, 2>));
  for (int const waiters : {40, 400})
    all.push_back({.name = "counting_semaphore: release to acquire",
                   .against = "std::counting_semaphore",
                   .threads = waiters,
                   .cudax = [=] { return release_to_acquire<ours::counting_semaphore>(waiters); },
                   .standard = [=] { return release_to_acquire<theirs::counting_semaphore>(waiters); },
                   .threads_are = "waiters",
                   .seconds = 0.15});
  return all;
}

} // namespace bench::host
