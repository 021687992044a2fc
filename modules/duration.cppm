// SPDX-License-Identifier: Apache-2.0
//
// duration: lengths of time and points in time of any library, taken by their shape.  [time.duration], [time.point]
// std::chrono's types satisfy the concepts, and so do this library's own, which are needed because no interface unit
// includes a standard header. Internally time is a count of nanoseconds that saturates.
module;
#include "macros.hpp"
export module cudax.sync:duration;
import :bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// A count of a period, which is a fraction of a second.
template <class D>
concept duration_like = requires(D const& duration) {
  typename D::rep;
  duration.count();
  D::period::num;
  D::period::den;
};

/// A point in time of a clock that can be read here.
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

/// Nanoseconds in `duration`, rounded up, so that nobody wakes early; `forever` where they do not fit. What is not
/// positive gives 0 or less; NaN gives 0.
template <duration_like D>
constexpr long long to_nanoseconds(D const& duration) noexcept {
  // one period is numerator / denominator nanoseconds, in lowest terms
  constexpr long long common = greatest_common_divisor(1'000'000'000, D::period::den);
  constexpr long long den = D::period::den / common;
  constexpr long long scale = 1'000'000'000 / common;
  auto const count = duration.count();
  if constexpr (__is_floating_point(decltype(count))) {
    double const exact = double(count) * double(D::period::num) * double(scale) / double(den);
    if (!(exact > 0)) return exact < 0 ? -1 : 0;
    if (exact >= 9223372036854775807.0) return forever;
    long long const whole = (long long)exact;
    return whole + (double(whole) < exact);
  } else {
    if (!(count > 0)) return count < 0 ? -1 : 0;
    long long whole = 0;
    if (__builtin_add_overflow(count, 0, &whole)) return forever; // a rep wider than ours
    long long product = 0;
    if constexpr (den == 1) {
      long long factor = 0;
      if (__builtin_mul_overflow((long long)D::period::num, scale, &factor)) return forever;
      return __builtin_mul_overflow(whole, factor, &product) ? forever : product;
    } else {
      // whole * num * scale / den without the overflow of the product: by quotient and remainder of den
      long long rest = 0;
      long long factor = 0;
      if (__builtin_mul_overflow((long long)D::period::num, scale, &factor)) return forever;
      if (__builtin_mul_overflow(whole / den, factor, &product)) return forever;
      if (__builtin_mul_overflow(whole % den, factor, &rest)) return forever;
      return __builtin_add_overflow(product, rest / den + (rest % den != 0), &product) ? forever : product;
    }
  }
}

/// `now` + `nanoseconds`, at most `forever` and at least the first moment.
constexpr long long deadline_after(long long now, long long nanoseconds) noexcept {
  long long deadline = 0;
  if (!__builtin_add_overflow(now, nanoseconds, &deadline)) return deadline;
  return nanoseconds > 0 ? forever : -forever - 1;
}

/// Nanoseconds until `point`, as to_nanoseconds() gives them. The difference of two points on different sides of the
/// clock's epoch may not fit in the clock's duration, so it is not taken there.
template <time_point_like P>
constexpr long long nanoseconds_until(P const& point) noexcept {
  auto const now = P::clock::now();
  auto const since = point.time_since_epoch();
  auto const now_since = now.time_since_epoch();
  bool const point_after_epoch = since.count() > 0;
  bool const now_after_epoch = now_since.count() > 0;
  if (point_after_epoch && to_nanoseconds(since) == forever) return forever;
  if (point_after_epoch == now_after_epoch) return to_nanoseconds(point - now);
  if (now_after_epoch) return -1;
  return deadline_after(to_nanoseconds(since), to_nanoseconds(now_since - now_since - now_since));
}

} // namespace cudax

CUDAX_EVERYWHERE_END
