// SPDX-License-Identifier: Apache-2.0
//
// [time.clock.steady], [time.clock.system], [time.clock.hires]; sm_clock
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"
#include <chrono>
#include <ctime>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

template <class Clock> void check_never_goes_back(context& test_) {
  auto before = Clock::now();
  for (int i = 0; i < 1000; ++i) {
    auto const next = Clock::now();
    CHECK(before <= next);
    before = next;
  }
}

TEST("steady_clock, high_resolution_clock and sm_clock never go backwards") {
  check_never_goes_back<steady_clock>(test_);
  check_never_goes_back<high_resolution_clock>(test_);
  check_never_goes_back<sm_clock>(test_);
  CHECK(steady_clock::is_steady && high_resolution_clock::is_steady && sm_clock::is_steady);
  CHECK(!system_clock::is_steady);
}

/// Waits until another clock has passed 2 ms, and compares.
template <class Clock> void check_pace(context& test_) {
  // Each reading of one clock is between two readings of the other, however long the thread is preempted between them.
  long long const before_from = now();
  auto const from = Clock::now();
  long long const after_from = now();
  AWAIT(now() - after_from >= 2'000'000);
  long long const before_to = now();
  auto const to = Clock::now();
  long long const after_to = now();
  CHECK((to - from).count() >= before_to - after_from - 100'000);
  CHECK((to - from).count() <= after_to - before_from + 100'000);
}

TEST("steady_clock counts nanoseconds") {
  check_pace<steady_clock>(test_);
  check_pace<high_resolution_clock>(test_);
}

TEST("system_clock counts nanoseconds since 1970") {
  constexpr long long year_2024 = 1'704'067'200'000'000'000, year_2100 = 4'102'444'800'000'000'000;
  long long const count = system_clock::now().time_since_epoch().count();
  CHECK(count > year_2024);
  CHECK(count < year_2100);
}

TEST("sm_clock advances") {
  auto const start = sm_clock::now();
  AWAIT(sm_clock::now() > start + 10'000);
  CHECK(sm_clock::now() > start);
}

TESTS_END

HOST_TEST("on the host, the clocks agree with those of the operating system") {
  auto const before = std::chrono::steady_clock::now().time_since_epoch();
  auto const steady = steady_clock::now().time_since_epoch();
  auto const after = std::chrono::steady_clock::now().time_since_epoch();
  CHECK(before <= std::chrono::nanoseconds(steady.count()));
  CHECK(std::chrono::nanoseconds(steady.count()) <= after);

  auto const since_1970 = std::chrono::system_clock::now().time_since_epoch();
  auto const system = std::chrono::nanoseconds(system_clock::now().time_since_epoch().count());
  CHECK(system - since_1970 < std::chrono::minutes(5));
  CHECK(since_1970 - system < std::chrono::minutes(5));
}
