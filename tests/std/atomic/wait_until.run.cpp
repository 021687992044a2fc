// SPDX-License-Identifier: Apache-2.0
//
// [atomics.wait] wait_until (P2643)
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"
#include "support/scripted_clock.hpp"
#include "support/waiting.hpp"
#include <chrono>
#include <thread>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

namespace chrono = std::chrono;

TEST("wait_until times out at its time point, not before: the library's clocks") {
  auto& a = make<atomic<int>>(test_, 1);
  check_times_out(test_, 1'500'000, [&] { return a.wait_until(1, steady_clock::now() + chrono::microseconds(1'500)); });
  check_times_out(test_, 1'000'000,
                  [&] { return a.wait_until(1, steady_clock::now() + cudax::nanoseconds(1'000'000)); });
  check_times_out(test_, 1'000'000,
                  [&] { return a.wait_until(1, high_resolution_clock::now() + chrono::milliseconds(1)); });
  // The host's system clock may be adjusted meanwhile, so the test does not measure the wait with a steady clock.
  auto const point = system_clock::now() + chrono::milliseconds(2);
  CHECK(!a.wait_until(1, point));
  CHECK(system_clock::now() >= point);
}

TEST("wait_until a past time point checks the value once") {
  auto& a = make<atomic<int>>(test_, 1);
  auto const check = [&](auto point) {
    check_times_out(test_, 0, [&] { return a.wait_until(1, point); });
    CHECK(a.wait_until(2, point));
  };
  check(steady_clock::now());
  check(steady_clock::now() - chrono::seconds(1));
  check(steady_clock::time_point());
  check(system_clock::time_point());
}

/// The library's clock in fractions of a second.
struct clock_of_fractions {
  using duration = chrono::duration<double>;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = chrono::time_point<clock_of_fractions>;
  static constexpr bool is_steady = true;

  static time_point now() { return time_point(duration(double(steady_clock::now().time_since_epoch().count()) / 1e9)); }
};
TEST("wait_until a NaN time point checks the value once") {
  auto& a = make<atomic<int>>(test_, 1);
  clock_of_fractions::time_point const point(chrono::duration<double>(__builtin_nan("")));
  check_times_out(test_, 0, [&] { return a.wait_until(1, point); });
  CHECK(a.wait_until(2, point));
}

TEST("wait_until returns immediately if the value differs: every type, scope and order") {
  for_each_type_then_scope<int>(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    auto const later = steady_clock::now() + chrono::hours(1);
    CHECK(a.wait_until(sample<T>(1), later));
    CHECK(!a.wait_until(sample<T>(0), steady_clock::time_point()));
    for_each_load_order([&](memory_order order) {
      CHECK(a.wait_until(sample<T>(1), later, order));
      CHECK((atomic_ref<T, S>(*a.address()).wait_until(sample<T>(1), later, order)));
    });
  });
}

TEST("the last time point does not overflow") {
  auto& a = make<atomic<int>>(test_, 1);
  CHECK(a.wait_until(2, steady_clock::now() + chrono::hours::max()));
  CHECK(a.wait_until(2, system_clock::now() + chrono::hours::max()));
}

/// A change and notify_all end the waits.
template <thread_scope Scope> struct woken_by_a_change {
  static constexpr thread_scope scope = Scope;
  atomic<int, Scope> value{0};
  atomic<unsigned, Scope> woken{0u};

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      linger();
      value.store(1);
      value.notify_all();
      return;
    }
    bool changed = false;
    if (me.rank % 2 == 0) changed = value.wait_until(0, steady_clock::now() + chrono::hours::max());
    else changed = value.wait_until(0, system_clock::now() + chrono::minutes(5));
    CHECK(changed);
    woken.fetch_add(1);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(woken.load(), threads - 1); }
};
CONCURRENT_TEST("a change ends wait_until before the timeout: block", woken_by_a_change<thread_scope_block>)
CONCURRENT_TEST("a change ends wait_until before the timeout: device", woken_by_a_change<thread_scope_device>)
CONCURRENT_TEST("a change ends wait_until before the timeout: system", woken_by_a_change<thread_scope_system>)

TESTS_END

// --- clocks that only a host has -------------------------------------------------------------------------------------

/// Is set back to the same time before each of its first five readings, then jumps far ahead.
struct clock_that_is_set_back {
  using duration = chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = chrono::time_point<clock_that_is_set_back>;
  static constexpr bool is_steady = false;
  static inline int readings = 0;

  static time_point now() {
    if (readings == 5) return time_point(chrono::hours(1));
    ++readings;
    return time_point();
  }
};

HOST_TEST("wait_until accepts the standard's clocks on the host") {
  atomic<int> a(1);
  check_times_out(test_, 1'500'000,
                  [&] { return a.wait_until(1, chrono::steady_clock::now() + chrono::microseconds(1'500)); });
  check_times_out(test_, 0, [&] { return a.wait_until(1, chrono::steady_clock::time_point::min()); });
  check_times_out(test_, 0, [&] { return a.wait_until(1, chrono::system_clock::time_point()); });
  auto const point = chrono::system_clock::now() + chrono::milliseconds(2);
  CHECK(!a.wait_until(1, point));
  CHECK(chrono::system_clock::now() >= point);
  CHECK(a.wait_until(2, chrono::system_clock::now() + chrono::hours(1)));
}

/// A clock whose epoch is in the future.
struct clock_before_its_epoch {
  using duration = chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = chrono::time_point<clock_before_its_epoch>;
  static constexpr bool is_steady = true;

  static time_point now() {
    return time_point(chrono::steady_clock::now().time_since_epoch() - chrono::hours(24 * 365 * 200));
  }
};

/// A clock with an unsigned count.
struct unsigned_clock {
  using rep = unsigned long long;
  using period = std::nano;
  using duration = chrono::duration<rep, period>;
  using time_point = chrono::time_point<unsigned_clock>;
  static constexpr bool is_steady = true;

  static time_point now() { return time_point(duration(rep(chrono::steady_clock::now().time_since_epoch().count()))); }
};

HOST_TEST("wait_until accepts a clock with an unsigned count") {
  atomic<int> a(1);
  check_times_out(test_, 0, [&] { return a.wait_until(1, unsigned_clock::now() - chrono::milliseconds(5)); });
  auto const soon = unsigned_clock::now() + chrono::microseconds(1'500);
  check_times_out(test_, 1'500'000, [&] { return a.wait_until(1, soon); });
}

HOST_TEST("wait_until accepts the first and the last time point of a clock") {
  atomic<int> a(1);
  auto const ends_by_a_change = [&](auto const& point) {
    a.store(1);
    std::thread changes([&] {
      std::this_thread::sleep_for(chrono::milliseconds(2));
      a.store(2);
      a.notify_all();
    });
    CHECK(a.wait_until(1, point));
    changes.join();
  };
  ends_by_a_change(chrono::steady_clock::time_point::max());
  ends_by_a_change(chrono::system_clock::time_point::max());
  ends_by_a_change(chrono::time_point<chrono::system_clock, chrono::hours>::max());
  ends_by_a_change(chrono::time_point<chrono::steady_clock, chrono::duration<double>>::max());
  ends_by_a_change(clock_before_its_epoch::time_point::max());

  a.store(1);
  check_times_out(test_, 0, [&] { return a.wait_until(1, chrono::system_clock::time_point::min()); });
  check_times_out(test_, 0, [&] { return a.wait_until(1, clock_before_its_epoch::time_point::min()); });
  auto const soon = clock_before_its_epoch::now() + chrono::microseconds(1'500);
  check_times_out(test_, 1'500'000, [&] { return a.wait_until(1, soon); });
}

HOST_TEST("a NaN time point or clock reading counts as past, even before the clock's epoch") {
  // A wait that takes NaN for a future time point reads the clock again, and by then the time point has passed.
  double const nan = __builtin_nan("");
  struct {
    double point, reading;
  } const cases[] = {{nan, -0.01}, {nan, 0.01}, {0.01, nan}, {-0.01, nan}, {nan, nan}};
  for (auto const& [point, reading] : cases) {
    atomic<int> a(1);
    scripted_clock::begin(reading, 1.0);
    CHECK(!a.wait_until(1, scripted_clock::at(point)));
    CHECK(scripted_clock::readings <= 1);
    CHECK(a.wait_until(2, scripted_clock::at(point)));
    scripted_clock::begin(reading, 1.0);
    this_thread::sleep_until(scripted_clock::at(point));
    CHECK(scripted_clock::readings <= 1);
    binary_semaphore<> s(0);
    scripted_clock::begin(reading, 1.0);
    CHECK(!s.try_acquire_until(scripted_clock::at(point)));
    CHECK(scripted_clock::readings <= 1);
  }
}

HOST_TEST("wait_until reads the clock again if it was set back meanwhile") {
  atomic<int> a(1);
  clock_that_is_set_back::readings = 0;
  auto const point = clock_that_is_set_back::now() + chrono::milliseconds(1);
  CHECK(!a.wait_until(1, point));
  CHECK(clock_that_is_set_back::now() >= point);
  CHECK_EQUAL(clock_that_is_set_back::readings, 5);
}
