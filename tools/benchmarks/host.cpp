// SPDX-License-Identifier: Apache-2.0
//
// host: the cost of the primitives among host threads, compared with those of the C++ standard library.
//
//   bench_host [--only TEXT]       only the rows whose name contains TEXT
//
// A row runs the same code with the objects of both libraries, alternately, with 1 to 16 threads, and prints the time
// of one operation (the median of seven samples) and the ratio of the speeds: above 1, cudax.sync is faster. Each
// sample checks its answer; the status is 1 if an answer is wrong. The objects of cudax.sync have their default scope,
// the system. So a device might change them, which a waiting thread must also notice.
#include "support/host_timing.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include <unordered_map>
#include <vector>

#include <sys/resource.h>

import cudax.sync;

namespace {

using namespace std::chrono_literals;
using bench::clock_type, bench::median, bench::nanoseconds_since;

int wrong = 0;
void check(bool right, char const* what) {
  if (right) return;
  std::printf("  WRONG: %s\n", what);
  ++wrong;
}

// --- the two libraries -----------------------------------------------------------------------------------------------

struct twelve_bytes {
  int a, b, c;
  bool operator==(twelve_bytes const&) const = default;
};

/// Maps from u32 to u32, for at most `keys` keys.
class cudax_map {
  using map = cudax::insert_only_map<unsigned, unsigned>;
  std::vector<map::slot> slots_;
  map map_;

public:
  explicit cudax_map(unsigned keys) : slots_(map::slots_for(keys)), map_(slots_.data(), slots_.size()) {}

  bool insert(unsigned key, unsigned value) { return map_.try_insert(key, value).inserted; }
  unsigned long long size() const { return map_.size(); }
};
class standard_map {
  std::mutex mutex_;
  std::unordered_map<unsigned, unsigned> map_;

public:
  explicit standard_map(unsigned keys) { map_.reserve(keys); }

  bool insert(unsigned key, unsigned value) {
    std::lock_guard const lock(mutex_);
    return map_.try_emplace(key, value).second;
  }
  unsigned long long size() const { return map_.size(); }
};

struct cudax_library {
  using map = cudax_map;
  template <class T> using atomic = cudax::atomic<T>;
  using mutex = cudax::mutex<>;
  using queue_mutex = cudax::ticket_mutex<>;
  using binary_semaphore = cudax::binary_semaphore<>;
  using counting_semaphore = cudax::counting_semaphore<>;
  using queue_semaphore = cudax::fair_semaphore<>;
  using latch = cudax::latch<>;
  using barrier = cudax::barrier<>;
  static constexpr auto acquire = cudax::memory_order_acquire;
};
struct standard_library {
  using map = standard_map;
  template <class T> using atomic = std::atomic<T>;
  using mutex = std::mutex;
  using queue_mutex = std::mutex;
  using binary_semaphore = std::binary_semaphore;
  using counting_semaphore = std::counting_semaphore<>;
  using queue_semaphore = std::counting_semaphore<>;
  using latch = std::latch;
  using barrier = std::barrier<>;
  static constexpr auto acquire = std::memory_order_acquire;
};

// --- threads ---------------------------------------------------------------------------------------------------------

/// Returns the nanoseconds from the common start of the threads to the end of the last one.
double together(int threads, std::function<void(int)> const& body) {
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

// --- rows: each returns the nanoseconds of one operation -------------------------------------------------------------

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
  check_count(sum());
  return result;
}

/// With `Yields` a thread yields after each unlock, so that the standard's mutex changes hands, too.
template <class Mutex, bool Yields = false> double lock_time(int threads) {
  Mutex m{};
  long counter = 0;
  return repeated(
      threads,
      [&](int) {
        m.lock();
        ++counter;
        m.unlock();
        if constexpr (Yields) std::this_thread::yield();
      },
      [&](long count) { check(counter == count, "a mutex has lost an update"); });
}
template <class Library> double mutex_time(int threads) { return lock_time<typename Library::mutex>(threads); }
template <class Library> double queue_mutex_time(int threads) {
  return lock_time<typename Library::queue_mutex>(threads);
}
template <class Library> double handed_over_time(int threads) {
  return lock_time<typename Library::queue_mutex, true>(threads);
}
template <class Semaphore> double semaphore_time(int permits, int threads) {
  Semaphore s(permits);
  std::atomic<int> inside = 0;
  std::atomic<bool> crowded = false;
  return repeated(
      threads,
      [&](int) {
        s.acquire();
        if (inside.fetch_add(1, std::memory_order_relaxed) >= permits) crowded = true;
        inside.fetch_sub(1, std::memory_order_relaxed);
        s.release();
      },
      [&](long) { check(!crowded, "a semaphore has granted too many permits"); });
}
template <class Library> double binary_time(int threads) {
  return semaphore_time<typename Library::binary_semaphore>(1, threads);
}
template <class Library> double counting_time(int threads) {
  return semaphore_time<typename Library::counting_semaphore>(2, threads);
}
template <class Library> double queue_semaphore_time(int threads) {
  return semaphore_time<typename Library::queue_semaphore>(2, threads);
}
template <class Library> double locked_atomic_time(int threads) {
  typename Library::template atomic<twelve_bytes> a(twelve_bytes{0, 0, 0});
  std::atomic<long> sum = 0;
  return repeated(
      threads, [&](int) { sum.fetch_add(a.exchange({1, 1, 1}).c, std::memory_order_relaxed); },
      [&](long count) { check(sum == count - 1, "a value of 12 bytes was lost"); });
}

/// The threads together insert 2^18 pairs, with the same key `Repeats` times.
template <class Library, unsigned Repeats> double map_time(int threads) {
  constexpr unsigned all = 1u << 18, keys = all / Repeats;
  typename Library::map map(keys);
  std::atomic<unsigned> inserted = 0;
  double const took = together(threads, [&](int t) {
    unsigned count = 0;
    for (unsigned i = unsigned(t); i < all; i += unsigned(threads)) {
      unsigned const key = i * 2654435769u % all / Repeats; // scattered: a permutation of the numbers below `all`
      count += map.insert(key, i);
    }
    inserted += count;
  });
  check(inserted == keys && map.size() == keys, "a map has lost or duplicated a key");
  return took / all;
}
template <class Library> double distinct_keys_time(int threads) { return map_time<Library, 1>(threads); }
template <class Library> double equal_keys_time(int threads) { return map_time<Library, 16>(threads); }

// The threads of these rows wait for each other in each round.

template <class Library> double barrier_rounds(int threads, long rounds) {
  typename Library::barrier b(threads);
  std::vector<std::atomic<long>> seen(static_cast<std::size_t>(threads));
  std::atomic<bool> early = false;
  double const took = together(threads, [&](int t) {
    for (long i = 1; i <= rounds; ++i) {
      seen[static_cast<std::size_t>(t)].store(i, std::memory_order_relaxed);
      b.arrive_and_wait();
      if (seen[static_cast<std::size_t>(t + 1) % seen.size()].load(std::memory_order_relaxed) < i) early = true;
    }
  });
  check(!early, "a thread has left the barrier early");
  return took;
}
template <class Library> double latch_rounds(int threads, long rounds) {
  std::deque<typename Library::latch> latches;
  for (long i = 0; i < rounds; ++i) latches.emplace_back(threads);
  std::vector<std::atomic<long>> seen(static_cast<std::size_t>(threads));
  std::atomic<bool> early = false;
  double const took = together(threads, [&](int t) {
    for (long i = 1; i <= rounds; ++i) {
      seen[static_cast<std::size_t>(t)].store(i, std::memory_order_relaxed);
      latches[static_cast<std::size_t>(i - 1)].arrive_and_wait();
      if (seen[static_cast<std::size_t>(t + 1) % seen.size()].load(std::memory_order_relaxed) < i) early = true;
    }
  });
  check(!early, "a thread has left a latch early");
  return took;
}
/// The threads pass a number around: each waits until it is its turn.
template <class Library> double ring_rounds(int threads, long rounds) {
  typename Library::template atomic<int> turn(0);
  double const took = together(threads, [&](int t) {
    for (long i = 0; i < rounds; ++i) {
      for (int seen; (seen = turn.load(Library::acquire)) != t;) turn.wait(seen, Library::acquire);
      turn.store((t + 1) % threads);
      turn.notify_all();
    }
  });
  check(turn.load() == 0, "the number is lost");
  return took;
}

// --- many waiters ----------------------------------------------------------------------------------------------------

double processor_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  auto const seconds = [](timeval const& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Returns the share of one processor, in percent, that `waiters` threads take that wait for one flag.
template <class Library> double idle(int waiters) {
  typename Library::template atomic<int> flag(0);
  std::atomic<int> ready = 0, left = 0;
  std::vector<std::jthread> all;
  for (int t = 0; t < waiters; ++t)
    all.emplace_back([&] {
      ++ready;
      flag.wait(0);
      left += flag.load();
    });
  while (ready != waiters) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(300ms);
  double const before = processor_time();
  auto const start = clock_type::now();
  std::this_thread::sleep_for(1s);
  double const used = (processor_time() - before) / (nanoseconds_since(start) * 1e-9) * 100;
  check(left == 0, "a thread has left its wait early");
  flag.store(1);
  flag.notify_all();
  all.clear();
  check(left == waiters, "a thread has left its wait without the change");
  return used;
}

/// Returns the nanoseconds from a release of one permit to its acquire, with `waiters` threads that wait.
template <class Library> double release_to_acquire(int waiters) {
  typename Library::counting_semaphore s(0);
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
  for (int i = 0; i < 21; ++i) {
    auto const start = clock_type::now();
    s.release();
    while (acquired != i + 1) std::this_thread::sleep_for(100us);
    took.push_back(std::chrono::duration<double, std::nano>(at.load() - start).count());
    std::this_thread::sleep_for(3ms);
  }
  s.release(waiters - 21);
  all.clear();
  check(acquired == waiters, "a permit is lost");
  std::nth_element(took.begin(), took.begin() + 10, took.end());
  return took[10];
}

// --- output --------------------------------------------------------------------------------------------------------

using row_function = double (*)(int threads);

/// Returns the time of one operation of a thread in rounds in which all threads wait for each other.
template <auto Rounds> double round_time(int threads) {
  static long known[17] = {}; // rounds that take about 6 ms
  long& rounds = known[threads];
  if (rounds == 0)
    for (rounds = 8; Rounds(threads, rounds) < 3e6 && rounds < 1'000'000;) rounds *= 2;
  return Rounds(threads, rounds) / double(rounds * threads);
}

void compare(char const* name, row_function cudax, row_function standard, int threads) {
  std::vector<double> a, b;
  for (int i = 0; i < 7; ++i) {
    a.push_back(cudax(threads));
    b.push_back(standard(threads));
  }
  std::printf("  %-36s %3d threads %12.1f ns  std %12.1f ns   ratio %6.2f\n", name, threads, median(a), median(b),
              median(b) / median(a));
  std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
  bool const selects = argc == 3 && !std::strcmp(argv[1], "--only");
  bool const helps = argc == 2 && (!std::strcmp(argv[1], "--help") || !std::strcmp(argv[1], "-h"));
  if (helps || (argc != 1 && !selects)) {
    std::fprintf(helps ? stdout : stderr,
                 "usage: bench_host [--only TEXT]\n\nTEXT: only the rows whose name contains it\n");
    return helps ? 0 : 2;
  }
  char const* only = selects ? argv[2] : "";
  std::printf("%u processors\n", std::thread::hardware_concurrency());
  struct {
    char const* name;
    row_function cudax, standard;
  } const rows[] = {
#define TIMED(name, function) {name, function<cudax_library>, function<standard_library>}
#define ROUNDS(name, function) {name, round_time<function<cudax_library>>, round_time<function<standard_library>>}
      TIMED("mutex: lock, unlock", mutex_time),
      TIMED("ticket_mutex (std: mutex)", queue_mutex_time),
      TIMED("ticket_mutex, yield (std: mutex)", handed_over_time),
      TIMED("binary_semaphore", binary_time),
      TIMED("counting_semaphore of 2", counting_time),
      TIMED("fair_semaphore of 2 (std: counting)", queue_semaphore_time),
      TIMED("atomic of 12 bytes: exchange", locked_atomic_time),
      TIMED("map: distinct keys (std: mutex)", distinct_keys_time),
      TIMED("map: 16 of each key (std: mutex)", equal_keys_time),
      ROUNDS("atomic: a turn in a ring", ring_rounds),
      ROUNDS("latch: arrive_and_wait", latch_rounds),
      ROUNDS("barrier: arrive_and_wait", barrier_rounds),
#undef ROUNDS
#undef TIMED
  };
  for (auto const& row : rows)
    if (std::strstr(row.name, only))
      for (int const threads : {1, 2, 4, 8, 16}) compare(row.name, row.cudax, row.standard, threads);
  if (std::strstr("counting_semaphore: release to acquire", only))
    for (int const waiters : {40, 400}) {
      double const a = release_to_acquire<cudax_library>(waiters), b = release_to_acquire<standard_library>(waiters);
      std::printf("  %-36s %3d waiters %12.1f ns  std %12.1f ns   ratio %6.2f\n", "counting_semaphore: release",
                  waiters, a, b, b / a);
    }
  if (std::strstr("idle waiters", only))
    for (int const waiters : {1, 40, 400}) {
      double const a = idle<cudax_library>(waiters), b = idle<standard_library>(waiters);
      std::printf("  %-36s %3d waiters %12.2f %%   std %12.2f %%\n", "idle waiters: processor", waiters, a, b);
    }
  return wrong != 0;
}
