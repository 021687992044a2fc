// SPDX-License-Identifier: Apache-2.0
//
// clock: clocks that both host and device can read.  [time.clock]
// The clocks' durations convert to std::chrono's durations and combine with them. A program may add a duration of any
// library to a time point.
module;
#include "../base/macros.hpp"
export module cudax.sync:clock;
import :bits;
import :device_time;
import :duration;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Holds a duration as a count of nanoseconds. A duration of any library converts to `nanoseconds`, rounded up and
/// saturating. `nanoseconds` converts to durations of std::chrono: to std::chrono::nanoseconds and finer ones
/// (saturating), and to floating-point ones (rounded).
/// Source:   [time.duration], reduced to what the result of a clock needs
/// Example:
///     cudax::nanoseconds const limit = std::chrono::microseconds(50);
///     auto const begin = cudax::steady_clock::now();
///     while (cudax::steady_clock::now() - begin < limit) cudax::this_thread::yield();
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
  /// Whether one nanosecond is a whole number of D's periods.
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

/// Holds a time point of Clock, as the duration since its epoch.
/// Source:   [time.point], reduced to what the result of a clock needs
/// Example:
///     cudax::time_point<cudax::steady_clock> const begin = cudax::steady_clock::now();
///     cudax::this_thread::sleep_until(begin + std::chrono::microseconds(10));
///     cudax::nanoseconds const elapsed = cudax::steady_clock::now() - begin;
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

  /// Adds or subtracts a duration of any library. The result saturates.
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

/// Reads a clock that is never set back: CLOCK_MONOTONIC on the host, %globaltimer on a device. The two have different
/// epochs: a time point of one side has no meaning on the other.
/// Source:   [time.clock.steady]
/// Units:    nanoseconds; %globaltimer advances in steps of 32 ns to about 1 us, depending on the device
/// Example:
///     __global__ void wait_briefly(cudax::atomic<int>* value, bool* changed) {
///       auto const deadline = cudax::steady_clock::now() + std::chrono::milliseconds(1);
///       *changed = value->wait_until(0, deadline, cudax::memory_order_acquire);
///     }
struct steady_clock {
  using duration = nanoseconds;
  using rep = nanoseconds::rep;
  using period = nanoseconds::period;
  using time_point = cudax::time_point<steady_clock>;
  static constexpr bool is_steady = true;

  static inline time_point now() noexcept { return time_point(nanoseconds(machine::steady_now())); }
};

/// Reads the time since 1970 in UTC: CLOCK_REALTIME on the host, %globaltimer on a device. The driver sets %globaltimer
/// when it starts and does not adjust it later.
/// Source:   [time.clock.system]
/// Example:
///     __global__ void stamp(long long* nanoseconds_since_1970) {
///       *nanoseconds_since_1970 = cudax::system_clock::now().time_since_epoch().count();
///     }
struct system_clock {
  using duration = nanoseconds;
  using rep = nanoseconds::rep;
  using period = nanoseconds::period;
  using time_point = cudax::time_point<system_clock>;
  static constexpr bool is_steady = false;

  static inline time_point now() noexcept { return time_point(nanoseconds(machine::system_now())); }
};

/// The same clock as steady_clock.
/// Source:   [time.clock.hires]
using high_resolution_clock = steady_clock;

/// Counts cycles: of the multiprocessor that runs the calling thread, or of the processor's time-stamp counter on the
/// host. The length of a cycle is not known. So now() returns a number, which no timed function accepts.
/// Source:   PTX ISA, "%clock64"
/// Example:
///     __global__ void measure(float* value, unsigned long long* cycles) {
///       auto const begin = cudax::sm_clock::now();
///       *value = sinf(*value);
///       *cycles = cudax::sm_clock::now() - begin;
///     }
struct sm_clock {
  using rep = unsigned long long;
  static constexpr bool is_steady = true;

  static inline rep now() noexcept { return machine::cycles_now(); }
};

} // namespace cudax

CUDAX_EVERYWHERE_END
