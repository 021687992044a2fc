// SPDX-License-Identifier: Apache-2.0
//
// clock: clocks that host and device can both read.  [time.clock]
// Their durations and time points convert to std::chrono's durations and combine with them; what a program adds to a
// time point may be a duration of any library.
module;
#include "../base/macros.hpp"
export module cudax.sync:clock;
import :bits;
import :device_time;
import :duration;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// A number of nanoseconds. Any library's duration converts to it, rounded up and saturating, and it converts to the
/// durations of std::chrono that hold it exactly (std::chrono::nanoseconds and finer, floating-point ones).
/// Source:   [time.duration], reduced to what a clock's result needs
class nanoseconds {
  long long count_ = 0;

public:
  using rep = long long;
  struct period {
    static constexpr long long num = 1;
    static constexpr long long den = 1'000'000'000;
  };

  nanoseconds() = default;
  constexpr explicit nanoseconds(long long count) noexcept : count_(count) {}
  /// Whether a nanosecond is a whole number of D's periods.
  template <class D>
  static constexpr bool counts_whole =
      D::period::den % period::den == 0 && D::period::den / period::den % D::period::num == 0;

  template <duration_like D>
    requires(!same_as<D, nanoseconds>)
  constexpr nanoseconds(D const& duration) noexcept : count_(to_nanoseconds(duration)) {}

  constexpr long long count() const noexcept { return count_; }

  template <duration_like D>
    requires(!same_as<D, nanoseconds> && (__is_floating_point(typename D::rep) || counts_whole<D>))
  constexpr operator D() const {
    using rep = typename D::rep;
    if constexpr (__is_floating_point(rep))
      return D(rep(count_) * D::period::den / (rep(period::den) * D::period::num));
    else return D(rep(saturating_product(count_, D::period::den / period::den / D::period::num)));
  }

  friend constexpr nanoseconds operator+(nanoseconds a, nanoseconds b) noexcept {
    return nanoseconds(saturating_sum(a.count_, b.count_));
  }
  friend constexpr nanoseconds operator-(nanoseconds a, nanoseconds b) noexcept {
    return nanoseconds(saturating_difference(a.count_, b.count_));
  }
  friend constexpr bool operator==(nanoseconds a, nanoseconds b) noexcept { return a.count_ == b.count_; }
  friend constexpr bool operator<(nanoseconds a, nanoseconds b) noexcept { return a.count_ < b.count_; }
  friend constexpr bool operator>(nanoseconds a, nanoseconds b) noexcept { return b < a; }
  friend constexpr bool operator<=(nanoseconds a, nanoseconds b) noexcept { return !(b < a); }
  friend constexpr bool operator>=(nanoseconds a, nanoseconds b) noexcept { return !(a < b); }
};

/// A point in time of Clock.
/// Source:   [time.point], reduced as above
template <class Clock>
class time_point {
  nanoseconds since_epoch_;

public:
  using clock = Clock;
  using duration = nanoseconds;
  using rep = nanoseconds::rep;
  using period = nanoseconds::period;

  time_point() = default;
  constexpr explicit time_point(nanoseconds since_epoch) noexcept : since_epoch_(since_epoch) {}

  constexpr nanoseconds time_since_epoch() const noexcept { return since_epoch_; }

  /// Later or earlier by a duration of any library; what does not fit is the end of time.
  friend constexpr time_point operator+(time_point point, nanoseconds length) noexcept {
    return time_point(point.since_epoch_ + length);
  }
  friend constexpr time_point operator-(time_point point, nanoseconds length) noexcept {
    return time_point(point.since_epoch_ - length);
  }
  friend constexpr nanoseconds operator-(time_point a, time_point b) noexcept {
    return a.since_epoch_ - b.since_epoch_;
  }

  friend constexpr bool operator==(time_point a, time_point b) noexcept { return a.since_epoch_ == b.since_epoch_; }
  friend constexpr bool operator<(time_point a, time_point b) noexcept { return a.since_epoch_ < b.since_epoch_; }
  friend constexpr bool operator>(time_point a, time_point b) noexcept { return b < a; }
  friend constexpr bool operator<=(time_point a, time_point b) noexcept { return !(b < a); }
  friend constexpr bool operator>=(time_point a, time_point b) noexcept { return !(a < b); }
};

/// Time that never goes back: CLOCK_MONOTONIC on the host, %globaltimer on a device. The two do not share an origin: a
/// time point means nothing on the other side.
/// Source:   [time.clock.steady]
/// Units:    nanoseconds; %globaltimer advances in steps of the device, 32 ns to about 1 us
struct steady_clock {
  using duration = nanoseconds;
  using rep = nanoseconds::rep;
  using period = nanoseconds::period;
  using time_point = cudax::time_point<steady_clock>;
  static constexpr bool is_steady = true;

  static inline time_point now() noexcept { return time_point(nanoseconds(machine::steady_now())); }
};

/// Time since 1970 in UTC: CLOCK_REALTIME on the host, %globaltimer on a device, which the driver sets when it starts
/// and does not adjust.
/// Source:   [time.clock.system]
struct system_clock {
  using duration = nanoseconds;
  using rep = nanoseconds::rep;
  using period = nanoseconds::period;
  using time_point = cudax::time_point<system_clock>;
  static constexpr bool is_steady = false;

  static inline time_point now() noexcept { return time_point(nanoseconds(machine::system_now())); }
};

/// Source:   [time.clock.hires]
using high_resolution_clock = steady_clock;

/// Cycles of the multiprocessor that runs the calling thread; of the processor's time-stamp counter on the host. The
/// length of a cycle is not known, so it is a number and no timed function takes it.
/// Source:   PTX ISA, "%clock64"
struct sm_clock {
  using rep = unsigned long long;
  static constexpr bool is_steady = true;

  static inline rep now() noexcept { return machine::cycles_now(); }
};

} // namespace cudax

CUDAX_EVERYWHERE_END
