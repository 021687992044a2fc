// SPDX-License-Identifier: Apache-2.0
//
// threads: runs host threads that begin together, and times what they do.
#pragma once

#include "../support/host_timing.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

namespace bench::host {

using namespace std::chrono_literals;

/// Returns the nanoseconds from the common start of the threads to the end of the last one.
inline double together(int threads, std::function<void(int)> const& body) {
  std::atomic<int> ready = 0;
  std::atomic<bool> go = false;
  std::vector<clock_type::time_point> ends(static_cast<std::size_t>(threads));
  std::vector<std::jthread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      ++ready;
      go.wait(false);
      body(t);
      ends[static_cast<std::size_t>(t)] = clock_type::now();
    });
  while (ready != threads) std::this_thread::yield();
  std::this_thread::sleep_for(1ms); // until the threads wait
  auto const start = clock_type::now();
  go = true;
  go.notify_all();
  all.clear();
  return std::chrono::duration<double, std::nano>(*std::max_element(ends.begin(), ends.end()) - start).count();
}

struct alignas(64) counter {
  std::atomic<long> value = 0;
};

/// Repeats an operation in all threads. Returns the time in which the threads together complete one operation, over 40
/// ms that begin when all threads run. `operation` gets the number of the thread; `check_count` gets the number of all
/// operations.
template <class Operation, class Check> double repeated(int threads, Operation operation, Check check_count) {
  std::atomic<bool> stop = false;
  std::deque<counter> counts(static_cast<std::size_t>(threads));
  auto const sum = [&] {
    long all = 0;
    for (counter const& each : counts) all += each.value.load(std::memory_order_relaxed);
    return all;
  };
  double result = 0;
  {
    std::jthread const clock([&] {
      std::this_thread::sleep_for(20ms);
      long const before = sum();
      auto const start = clock_type::now();
      std::this_thread::sleep_for(40ms);
      long const done = sum() - before;
      result = nanoseconds_since(start) / double(std::max(done, 1l));
      stop = true;
    });
    (void)together(threads, [&](int t) {
      std::atomic<long>& mine = counts[static_cast<std::size_t>(t)].value;
      for (long i = 1; !stop.load(std::memory_order_relaxed); ++i) {
        operation(t);
        mine.store(i, std::memory_order_relaxed);
      }
    });
  }
  check_count(sum());
  return result;
}

/// Returns the time of one operation of a thread, in rounds in which all threads wait for each other.
/// `rounds_of(threads, rounds)` returns the nanoseconds of the rounds. The number of rounds is one that takes about 6
/// ms; `rounds_of` is a function, because each has its own.
template <auto RoundsOf> double round_time(int threads) {
  static long known[17] = {};
  long& rounds = known[threads];
  if (rounds == 0)
    for (rounds = 8; RoundsOf(threads, rounds) < 3e6 && rounds < 1'000'000;) rounds *= 2;
  return RoundsOf(threads, rounds) / double(rounds * threads);
}

} // namespace bench::host
