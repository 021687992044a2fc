// SPDX-License-Identifier: Apache-2.0
//
// locking: what the tests of semaphores, mutexes and stop tokens share. Include after `import cudax.sync;`.
#pragma once

#include "pace.hpp"
#include "shared_objects.hpp"
#include "support/test.hpp"
#include "support/waiting.hpp"

#include <chrono>

namespace cudax_test {

/// Whether this compilation is for a device.
#if defined(__CUDA_ARCH__)
inline constexpr bool in_device_code = true;
#else
inline constexpr bool in_device_code = false;
#endif

TESTS_BEGIN

/// How often a thread enters: a few times only if hundreds of threads take turns.
constexpr unsigned entries(unsigned threads) { return threads <= 8 ? 4000 : threads <= 64 ? 12 : 4; }

/// Plain data that threads access one at a time: each thread finds what the previous one wrote.
struct visited_in_turn {
  unsigned count;
  unsigned last; // rank of the previous thread inside
  unsigned visits[800];

  void visit(worker me, unsigned round, context& test_) {
    unsigned const before = count;
    visits[last] += 1;
    dawdle(round + me.rank);
    last = me.rank;
    CHECK_EQUAL(count, before);
    count = before + 1;
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(count, threads * entries(threads));
    unsigned all = 0;
    for (unsigned each : visits) all += each;
    CHECK_EQUAL(all, count);
  }
};

/// Threads enter one at a time. `Lock` has enter(object, way), for `ways` ways, which returns whether the thread has
/// entered, and leave(object).
template <class Lock> struct exclusion {
  static constexpr cudax::thread_scope scope = Lock::scope;
  typename Lock::object object;
  shared_objects<scope> objects;
  visited_in_turn inside;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] {
          Lock::make(object);
          inside.last = me.rank;
        }))
      return;
    for (unsigned round = 0; round < entries(me.size); ++round) {
      AWAIT(Lock::enter(object, (round + me.rank) % Lock::ways));
      inside.visit(me, round, test_);
      Lock::leave(object);
    }
  }
  void verify(unsigned threads, context& test_) { inside.verify(threads, test_); }
};

/// Without time left, `tries(length)` gives up immediately; otherwise after its time. `tries(length)` must fail.
template <class Tries> void check_gives_up(context& test_, Tries tries) {
  namespace chrono = std::chrono;
  auto const check = [&](auto length, long long nanoseconds) {
    check_times_out(test_, nanoseconds, [&] { return tries(length); });
  };
  check(chrono::microseconds(1'500), 1'500'000);
  check(chrono::duration<double>(0.001), 1'000'000);
  check(chrono::duration<int, std::ratio<1, 3000>>(4), 1'333'333);
  check(cudax::nanoseconds(1'100'000), 1'100'000);
  check(chrono::seconds(0), 0);
  check(chrono::seconds(-1), 0);
  check(chrono::hours::min(), 0);
  check(chrono::duration<double>(-1.0), 0);
  check(chrono::duration<double>(__builtin_nan("")), 0);
  check(cudax::nanoseconds(0), 0);
  check(cudax::nanoseconds(-1), 0);
}
template <class Tries> void check_gives_up_at(context& test_, Tries tries) {
  namespace chrono = std::chrono;
  check_times_out(test_, 1'500'000, [&] { return tries(cudax::steady_clock::now() + chrono::microseconds(1'500)); });
  check_times_out(test_, 1'000'000, [&] { return tries(cudax::system_clock::now() + chrono::milliseconds(1)); });
  check_times_out(test_, 0, [&] { return tries(cudax::steady_clock::now()); });
  check_times_out(test_, 0, [&] { return tries(cudax::steady_clock::now() - chrono::hours(1)); });
  check_times_out(test_, 0, [&] { return tries(cudax::steady_clock::time_point()); });
}

TESTS_END
} // namespace cudax_test
