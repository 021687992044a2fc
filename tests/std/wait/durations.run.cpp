// SPDX-License-Identifier: Apache-2.0
//
// [time.duration], [time.point] nanoseconds, time_point and the durations of std::chrono
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"
#include <chrono>
#include <mutex>
#include <thread>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

namespace chrono = std::chrono;

TEST("any duration converts to nanoseconds, rounded up") {
  auto const check = [&](auto length, long long wanted) { CHECK_EQUAL(cudax::nanoseconds(length).count(), wanted); };
  check(chrono::nanoseconds(5), 5);
  check(chrono::microseconds(7), 7'000);
  check(chrono::hours(2), 7'200'000'000'000);
  check(chrono::duration<signed char, std::milli>(3), 3'000'000);
  check(chrono::duration<unsigned short>(65'535), 65'535'000'000'000);
  check(chrono::duration<int, std::pico>(1), 1);
  check(chrono::duration<int, std::pico>(1'000), 1);
  check(chrono::duration<int, std::pico>(1'001), 2);
  check(chrono::duration<int, std::ratio<1, 3>>(1), 333'333'334);
  check(chrono::duration<int, std::ratio<1, 3>>(3), 1'000'000'000);
  check(chrono::duration<double>(0.25), 250'000'000);
  check(chrono::duration<float, std::micro>(0.5f), 500);
  check(chrono::duration<double, std::nano>(1.25), 2);
}

TEST("a negative duration keeps its length, rounded up") {
  auto const check = [&](auto length, long long wanted) { CHECK_EQUAL(cudax::nanoseconds(length).count(), wanted); };
  check(chrono::seconds(-5), -5'000'000'000);
  check(chrono::duration<int, std::pico>(-1'001), -1);
  check(chrono::duration<double, std::nano>(-1.25), -1);
  check(chrono::hours::min(), -0x7fff'ffff'ffff'ffff - 1);
  check(chrono::duration<double>(-__builtin_inf()), -0x7fff'ffff'ffff'ffff - 1);
  CHECK_EQUAL((steady_clock::time_point() + chrono::seconds(-5)).time_since_epoch().count(), -5'000'000'000);
  CHECK_EQUAL((steady_clock::time_point() - chrono::seconds(-5)).time_since_epoch().count(), 5'000'000'000);
}

TEST("a period with large prime numerator or denominator is converted exactly") {
  using tick = std::ratio<1, 10'000'000'019>;
  CHECK_EQUAL((cudax::nanoseconds(chrono::duration<long long, tick>(9'999'999'999)).count()), 999'999'999);
  CHECK_EQUAL((cudax::nanoseconds(chrono::duration<long long, tick>(10'000'000'019)).count()), 1'000'000'000);
}

TEST("nanoseconds and time points saturate at their first and last value") {
  cudax::nanoseconds const last(0x7fff'ffff'ffff'ffff), first(-0x7fff'ffff'ffff'ffff - 1), one(1);
  CHECK((last + one == last) && (first - one == first));
  CHECK((one - first == last) && (first + first == first));
  steady_clock::time_point const begin(first), end(last);
  CHECK((end + one == end) && (begin - one == begin));
  CHECK(end - begin == last);
  CHECK_EQUAL((chrono::duration<long long, std::pico>(last).count()), 0x7fff'ffff'ffff'ffff);
}

TEST("a duration beyond the range of nanoseconds converts to the longest one") {
  auto const check = [&](auto length) { CHECK_EQUAL(cudax::nanoseconds(length).count(), 0x7fff'ffff'ffff'ffff); };
  check(chrono::hours::max());
  check(chrono::duration<unsigned long long, std::nano>(~0ull));
  check(chrono::duration<unsigned long long>(~0ull));
  check(chrono::duration<double>(1e30));
  check(chrono::duration<double>(__builtin_inf()));
}

TEST("a NaN duration converts to zero") {
  float const nan = __builtin_nanf("");
  CHECK_EQUAL(cudax::nanoseconds(chrono::duration<float>(nan)).count(), 0);
  CHECK_EQUAL(cudax::nanoseconds(chrono::duration<double, std::nano>(-nan)).count(), 0);
  steady_clock::time_point const start(cudax::nanoseconds(1'000));
  CHECK(start + chrono::duration<double>(nan) == start);
  CHECK(start - chrono::duration<double>(nan) == start);
}

TEST("nanoseconds convert implicitly to the std::chrono durations that represent them exactly") {
  cudax::nanoseconds const length(1'500'000'007);
  chrono::nanoseconds const exact = length;
  CHECK_EQUAL(exact.count(), 1'500'000'007);
  chrono::duration<long long, std::pico> const finer = length;
  CHECK_EQUAL(finer.count(), 1'500'000'007'000);
  chrono::duration<double> const seconds = cudax::nanoseconds(1'500'000'000);
  CHECK_EQUAL(seconds.count(), 1.5);
  static_assert(!__is_convertible(cudax::nanoseconds, chrono::milliseconds));
  static_assert(!__is_convertible(cudax::nanoseconds, chrono::duration<long long, std::ratio<3, 1'000'000'000>>));
}

TEST("nanoseconds add, subtract and compare") {
  cudax::nanoseconds const a(5), b(7);
  CHECK_EQUAL((a + b).count(), 12);
  CHECK_EQUAL((a - b).count(), -2);
  CHECK_EQUAL(cudax::nanoseconds().count(), 0);
  CHECK(a < b && b > a && a <= b && b >= a && a <= a && a >= a && a == a && !(a == b) && a != b);
}

TEST("a time point moves by durations of any library, and saturates") {
  steady_clock::time_point const start(cudax::nanoseconds(1'000));
  CHECK_EQUAL((start + chrono::microseconds(2)).time_since_epoch().count(), 3'000);
  CHECK_EQUAL((start - chrono::nanoseconds(1)).time_since_epoch().count(), 999);
  CHECK_EQUAL(((start + chrono::milliseconds(1)) - start).count(), 1'000'000);
  CHECK_EQUAL((start + chrono::hours::max()).time_since_epoch().count(), 0x7fff'ffff'ffff'ffff);
  auto const later = start + cudax::nanoseconds(1);
  CHECK(start < later && later > start && start <= later && later >= start && start == start && start != later);
}

TESTS_END

HOST_TEST("nanoseconds reach duration_cast, sleep_until and try_lock_until of the standard library by one conversion") {
  using standard = std::chrono::nanoseconds;
  cudax::nanoseconds const length(1'500'700);
  CHECK_EQUAL(std::chrono::duration_cast<std::chrono::microseconds>(standard(length)).count(), 1500);
  auto const begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_until(begin + standard(length));
  CHECK(std::chrono::steady_clock::now() - begin >= standard(length));
  mutex<> m{};
  std::unique_lock lock(m, std::defer_lock);
  CHECK(lock.try_lock_until(std::chrono::steady_clock::now() + standard(length)));
  // This library's own locks take time points of any clock.
  CHECK(!m.try_lock_until(std::chrono::steady_clock::now() + standard(length)));
  CHECK(!unique_lock(m, cudax::steady_clock::now() + length));
}
