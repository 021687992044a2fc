// SPDX-License-Identifier: Apache-2.0
//
// duration: concepts for durations and time points of any library, and their conversion to nanoseconds.
// [time.duration], [time.point]
//
// std::chrono's types satisfy the concepts. So do this library's own types (wait/clock.cppm), which are needed because
// no interface unit includes a standard header. Internally a time is a count of nanoseconds; arithmetic on it
// saturates.
//
// A NaN duration counts as zero. A NaN time point, or a clock that reads NaN, counts as a time point that has passed.
// So a timed wait with a NaN polls once and returns. host/progress.cppm follows the same rule.
module;
#include "macros.hpp"
export module cudax.sync:duration;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// A duration: a count of periods. The period is a number of seconds, given as a fraction.
template <class D>
concept duration_like = requires(D const& duration) {
  typename D::rep;
  duration.count();
  D::period::num;
  D::period::den;
};

/// A time point of a clock that this code can read.
template <class P>
concept time_point_like = requires(P const& point) {
  typename P::clock;
  { point.time_since_epoch() } -> duration_like;
  { point - P::clock::now() } -> duration_like;
};

inline constexpr long long forever = 0x7fffffffffffffff;

constexpr long long greatest_common_divisor(long long a, long long b) {
  while (b != 0) {
    long long const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Returns whether a duration is NaN.
template <duration_like D>
constexpr bool is_nan_duration(D const& duration) noexcept {
  auto const count = duration.count();
  if constexpr (__is_floating_point(decltype(count))) return !(count == count);
  else return false;
}

/// Returns the nanoseconds in `duration`, rounded up, so that no wait ends early. Saturates at both ends; NaN gives 0.
template <duration_like D>
constexpr long long to_nanoseconds(D const& duration) noexcept {
  constexpr long long common = greatest_common_divisor(1'000'000'000, D::period::den);
  constexpr __int128 den = D::period::den / common;
  constexpr __int128 factor = (__int128)D::period::num * (1'000'000'000 / common); // below 2^93
  auto const count = duration.count();
  if constexpr (__is_floating_point(decltype(count))) {
    if (is_nan_duration(duration)) return 0;
    double const exact = double(count) * double(factor) / double(den);
    if (exact >= 9223372036854775807.0) return forever;
    if (exact <= -9223372036854775808.0) return -forever - 1;
    long long const whole = (long long)exact;
    return whole + (double(whole) < exact);
  } else {
    __int128 product = 0;
    if (__builtin_mul_overflow(count, factor, &product)) return count > 0 ? forever : -forever - 1;
    __int128 const whole = product / den + (product > 0 && product % den != 0);
    return whole > forever ? forever : whole < -forever - 1 ? -forever - 1 : (long long)whole;
  }
}

// Arithmetic on counts of nanoseconds. It saturates.

constexpr long long saturating_sum(long long a, long long b) noexcept {
  long long result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return b > 0 ? forever : -forever - 1;
}
constexpr long long saturating_difference(long long a, long long b) noexcept {
  long long result = 0;
  if (!__builtin_sub_overflow(a, b, &result)) return result;
  return b < 0 ? forever : -forever - 1;
}
constexpr long long saturating_product(long long a, long long b) noexcept {
  long long result = 0;
  if (!__builtin_mul_overflow(a, b, &result)) return result;
  return (a < 0) == (b < 0) ? forever : -forever - 1;
}

/// Returns `now` + `nanoseconds`, at most `forever`.
constexpr long long deadline_after(long long now, long long nanoseconds) noexcept {
  return saturating_sum(now, nanoseconds);
}

/// Returns the nanoseconds until `point`. Returns `forever`, without reading the clock, if the point's count of
/// nanoseconds saturates at the upper end. Otherwise returns 0 if the time point or the clock's reading is NaN. The
/// function subtracts counts since the epoch: the difference of the time points may not fit in the clock's duration, or
/// the representation of that duration may be unsigned. NaN needs a check of its own, because to_nanoseconds converts
/// it to 0, and 0 minus the negative count of a time before the epoch is positive.
template <time_point_like P>
constexpr long long nanoseconds_until(P const& point) noexcept {
  auto const then = point.time_since_epoch();
  if (to_nanoseconds(then) == forever) return forever;
  auto const now = P::clock::now().time_since_epoch();
  if (is_nan_duration(then) || is_nan_duration(now)) return 0;
  return saturating_difference(to_nanoseconds(then), to_nanoseconds(now));
}

} // namespace cudax

CUDAX_EVERYWHERE_END
