// SPDX-License-Identifier: Apache-2.0
//
// duration_rules: how durations and time points of any library become counts of nanoseconds, on which arithmetic
// saturates.  [time.duration], [time.point]
//
// A NaN duration counts as zero. A NaN time point, or a clock that reads NaN, counts as a time point that has passed.
// So a timed wait with a NaN polls once and returns.
//
// base/duration.cppm includes this text in cudax.sync, host/progress.cppm in cudax.sync.host, which does not import
// cudax.sync for it.
#pragma once

namespace cudax {

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
template <class D>
constexpr bool is_nan_duration(D const& duration) noexcept {
  auto const count = duration.count();
  if constexpr (__is_floating_point(decltype(count))) return !(count == count);
  else return false;
}

/// Returns the nanoseconds in `duration`, rounded up, so that no wait ends early. Saturates at both ends; NaN gives 0.
template <class D>
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
template <class P>
constexpr long long nanoseconds_until(P const& point) noexcept {
  auto const then = point.time_since_epoch();
  if (to_nanoseconds(then) == forever) return forever;
  auto const now = P::clock::now().time_since_epoch();
  if (is_nan_duration(then) || is_nan_duration(now)) return 0;
  return saturating_difference(to_nanoseconds(then), to_nanoseconds(now));
}

} // namespace cudax
