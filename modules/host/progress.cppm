// SPDX-License-Identifier: Apache-2.0
//
// progress: a host thread waits for a change that a device makes, keeps the device going meanwhile, and hears when it
// will never come. runtime/progress.cpp says how.
//
// Objects, orders and durations are taken by their shape, so that what is waited for may be anybody's.
module;
#include "../../runtime/boundary.hpp"
#include "../../runtime/execution_boundary.hpp"
export module cudax.sync.host:progress;
import :error;

namespace cudax {

/// What may be called while a host thread waits: it returns nothing, an error of CUDA or an error code.
template <class Query>
concept progress_query = requires(Query& query) { query(); } && requires(Query& query) {
  requires __is_void(decltype(query())) || __is_enum(decltype(query())) || __is_same(decltype(query()), int) ||
               __is_same(decltype(query()), error_code);
};

/// An error code in the parts that the runtime carries.
inline runtime::code_of_category parts_of(error_code const& error) noexcept {
  bool const of_cuda = error.category() == cuda_category();
  return {error.value(), of_cuda ? nullptr : (void const*)__builtin_addressof(error.category())};
}

template <class T> struct without_reference {
  using type = T;
};
template <class T> struct without_reference<T&> {
  using type = T;
};

} // namespace cudax

export namespace cudax {

/// Who makes the change that a host thread waits for, and what is asked again and again meanwhile: a stream, an event
/// (CUDA's own handles convert), a device, or anything that can be called. Refers to what it was made of.
/// Source:   CUDA's execution model, Execution.Model.API.4: repeated queries ensure progress
class [[nodiscard]] progress {
public:
  /// The work of a stream; null is the legacy default stream of the thread's device. The wait ends when the stream
  /// has no work left.
  /// Requires: the stream is alive; it is not being captured
  progress(CUstream_st* stream) noexcept : source_{runtime::progress_source::kind::stream, -1, stream} {}

  progress(decltype(nullptr)) noexcept : progress(static_cast<CUstream_st*>(nullptr)) {}

  /// The work before an event. The wait ends when that has finished; so it does for an event that was never recorded.
  progress(CUevent_st* event) noexcept : source_{runtime::progress_source::kind::event, -1, event} {}

  /// Whatever runs on a device, of any stream, and is launched there later: such a wait does not end by itself. A device
  /// that has no context is idle; the wait starts none, and goes on. The thread's device and context stay as they are.
  /// Requires: no thread resets the device meanwhile: the wait would not hear of it
  static progress of_device(int ordinal) noexcept {
    return progress({runtime::progress_source::kind::device, ordinal});
  }
  static progress of_current_device() noexcept { return of_device(-1); }

  /// Calls query() again and again. What it returns may be nothing; a cudaError_t: cudaSuccess and cudaErrorNotReady
  /// go on, others end the wait; a std::error_code of cuda_category(), which means the same; or one of another category or a
  /// std::errc, of which 0 alone goes on. The wait returns what ended it, with its category. Such a wait does not end by
  /// itself.
  /// Requires: query() throws nothing
  template <progress_query Query>
    requires(!__is_same(typename without_reference<Query>::type, progress))
  progress(Query&& query) noexcept
    : source_{runtime::progress_source::kind::callable, -1, (void const*)__builtin_addressof(query),
              &call<typename without_reference<Query>::type>} {}

  /// For the library: what to ask.
  runtime::progress_source const& source() const noexcept { return source_; }

private:
  explicit progress(runtime::progress_source source) noexcept : source_(source) {}

  template <class Query> static runtime::code_of_category call(void const* query) {
    auto& called = *(Query*)query;
    if constexpr (__is_void(decltype(called()))) {
      called();
      return {};
    } else if constexpr (__is_same(decltype(called()), error_code)) {
      return parts_of(called());
    } else if constexpr (__is_same(decltype(called()), errc)) {
      return parts_of(make_error_code(called()));
    } else {
      return {int(called())};
    }
  }

  runtime::progress_source source_;
};

/// Why a wait ended.
enum class wait_reason {
  changed,      ///< the object has another value
  timed_out,    ///< it has not, at the end of the time
  finished,     ///< it has not, and the stream or the event has nothing left that could change it
  device_error, ///< it has not, and a query failed: the kernel died, or was never launched
};

/// What a wait returns.
struct [[nodiscard]] wait_result {
  wait_reason reason = wait_reason::changed;
  error_code error;                      ///< of a device_error: CUDA's, or the callable's; none otherwise
  void const volatile* object = nullptr; ///< what was waited for

  /// Whether the object has changed.
  explicit operator bool() const noexcept { return reason == wait_reason::changed; }

  /// Returns where the object has changed.
  /// Errors:   cuda_error: what CUDA or the callable returned; std::errc::timed_out; std::errc::operation_canceled where
  ///           the work has finished
  inline void or_throw() const;

  friend bool operator==(wait_result const& result, wait_reason reason) noexcept { return result.reason == reason; }
};

} // namespace cudax

namespace cudax {

using runtime::no_deadline;

// NaN is no time, as in cudax.sync (duration.cppm): a duration of no length, a point that has passed.

/// Whether a duration is NaN.
template <class Duration> constexpr bool is_nan_duration(Duration const& length) noexcept {
  auto const count = length.count();
  if constexpr (__is_floating_point(decltype(count))) return !(count == count);
  else return false;
}

/// Nanoseconds in a duration of any library, rounded up, so that nobody wakes early; saturates; NaN gives 0.
template <class Duration> constexpr long long to_nanoseconds(Duration const& length) noexcept {
  constexpr __int128 num = (__int128)Duration::period::num * 1'000'000'000, den = Duration::period::den;
  constexpr long long most = no_deadline;
  auto const count = length.count();
  if constexpr (__is_floating_point(decltype(count))) {
    if (is_nan_duration(length)) return 0;
    double const exact = double(count) * double(num) / double(den);
    if (exact <= -9e18) return -most;
    if (exact >= 9e18) return most;
    return (long long)exact + (double((long long)exact) < exact);
  } else {
    __int128 product = 0;
    if (__builtin_mul_overflow(count, num, &product)) return count > 0 ? most : -most;
    __int128 const whole = product / den + (product > 0 && product % den != 0);
    return whole > most ? most : whole < -most ? -most : (long long)whole;
  }
}

constexpr long long saturating_sum(long long a, long long b) noexcept {
  long long result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return b > 0 ? no_deadline : -no_deadline;
}

/// Where notify looks for those who wait for `object`.
template <class Object> void const volatile* waiting_address(Object const& object) noexcept {
  if constexpr (requires { object.address(); }) return object.address();
  else return __builtin_addressof(object);
}

/// Looks, and waits until steady_now() reaches `deadline`. A change back to `old` is waited over, as atomic::wait does.
/// `order`: one, or none for the default of try_wait. Polling with it costs the host nothing.
template <class Object, class Value, class... Order>
wait_result wait_by_deadline(Object const& object, Value const& old, progress const& by, long long deadline,
                             Order... order) noexcept {
  void const volatile* const address = waiting_address(object);
  auto const look = [&] { return object.try_wait(old, order...); };
  auto const changed = [](void const* at) { return (*(decltype(look)*)at)(); };
  for (;;) {
    if (look()) return {wait_reason::changed, {}, address};
    runtime::woken const how = runtime::wait_with_progress(address, changed, &look, deadline, by.source());
    switch (how.why) {
    case runtime::woken_by::change: break;
    case runtime::woken_by::deadline: return {wait_reason::timed_out, {}, address};
    case runtime::woken_by::finish: return {wait_reason::finished, {}, address};
    case runtime::woken_by::error:
      return {wait_reason::device_error, to_error_code(how.error.code, how.error.category), address};
    }
  }
}

template <class Object, class Value, class... Order>
wait_result wait_for_nanoseconds(Object const& object, Value const& old, progress const& by, long long rest,
                                 Order... order) noexcept {
  if (rest > 0) return wait_by_deadline(object, old, by, saturating_sum(runtime::steady_now(), rest), order...);
  wait_reason const reason = object.try_wait(old, order...) ? wait_reason::changed : wait_reason::timed_out;
  return {reason, {}, waiting_address(object)};
}

inline void wait_result::or_throw() const {
  runtime::failure why;
  runtime::woken how;
  switch (reason) {
  case wait_reason::changed: return;
  case wait_reason::timed_out: how.why = runtime::woken_by::deadline; break;
  case wait_reason::finished: how.why = runtime::woken_by::finish; break;
  case wait_reason::device_error: how = {runtime::woken_by::error, parts_of(error)}; break;
  }
  runtime::explain_wait(object, how, why);
  runtime::raise(why);
}

} // namespace cudax

export namespace cudax {

/// Blocks the host thread until `object` (an atomic, an atomic_ref or an atomic_flag) differs from `old`, or cannot be
/// expected to change any more; returns which. Meanwhile what makes the progress is asked again and again, so that the
/// kernel that is waited for does start, and its end is heard of: an error at most half a millisecond after CUDA
/// reports it. A host thread's notify wakes at once.
/// Source:   [atomics.wait]; CUDA's execution model, Execution.Model.API.2 to API.4
/// Order:    a memory_order, where it returns wait_reason::changed; memory_order_seq_cst where none is given
/// Requires: on a device without concurrent_managed_access, the object is not in managed memory
/// Errors:   returned: wait_reason::device_error with CUDA's code, or with what a callable returned. Also where the work has
///           ended and the launch before was refused: the thread's last error before the wait is one that launches leave
///           (runtime/README.md lists them; cudaErrorInvalidValue among them, so take an older one away with
///           cudaGetLastError). The last error stays. wait_result::or_throw() throws them
template <class Object, class Value, class... Order>
  requires(sizeof...(Order) <= 1)
wait_result wait(Object const& object, Value const& old, progress const& by, Order... order) noexcept {
  return wait_by_deadline(object, old, by, no_deadline, order...);
}

/// The same, for `length` at most, on steady time.
/// Units:    any duration; zero and less, and NaN, look once, and ask nobody
template <class Object, class Value, class Duration, class... Order>
  requires(sizeof...(Order) <= 1)
wait_result wait_for(Object const& object, Value const& old, progress const& by, Duration const& length,
                     Order... order) noexcept {
  return wait_for_nanoseconds(object, old, by, to_nanoseconds(length), order...);
}

/// The same, until `point` at most, of any clock. One that is not steady is asked again after the wait. A point that is NaN
/// has passed.
template <class Object, class Value, class Point, class... Order>
  requires(sizeof...(Order) <= 1)
wait_result wait_until(Object const& object, Value const& old, progress const& by, Point const& point,
                       Order... order) noexcept {
  for (;;) {
    auto const then = point.time_since_epoch();
    if (to_nanoseconds(then) == no_deadline) return wait_by_deadline(object, old, by, no_deadline, order...);
    auto const now = Point::clock::now().time_since_epoch();
    bool const has_passed = is_nan_duration(then) || is_nan_duration(now);
    long long const rest = has_passed ? 0 : saturating_sum(to_nanoseconds(then), -to_nanoseconds(now));
    wait_result const result = wait_for_nanoseconds(object, old, by, rest, order...);
    if (result.reason != wait_reason::timed_out || rest <= 0) return result;
  }
}

} // namespace cudax
