// SPDX-License-Identifier: Apache-2.0
//
// progress: waits on the host for a change that a device makes. During the wait, the host thread keeps the device
// making progress, and it detects if the change can no longer come. runtime/kernels/progress.cpp says how.
//
// Objects, orders and durations may have any type with the right members. So a program can wait for objects of any
// library.
module;
#include "../../runtime/interface/boundary.hpp"
#include "../../runtime/interface/execution_boundary.hpp"
export module cudax.sync.host:progress;
import :error;

#include "../base/duration_rules.hpp"

namespace cudax {

/// A callable that a host thread may call while it waits. It returns nothing, an error of CUDA or an error code.
template <class Query>
concept progress_query = requires(Query& query) { query(); } && requires(Query& query) {
  requires __is_void(decltype(query())) || __is_enum(decltype(query())) || __is_same(decltype(query()), int) ||
               __is_same(decltype(query()), error_code);
};

/// Returns an error code in the runtime's representation.
inline runtime::code_of_category to_runtime_code(error_code const& error) noexcept {
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

/// Names the source of the change that a host thread waits for: a stream, an event (CUDA's own handles convert), a
/// device, or a callable. The waiting thread queries this source repeatedly. A `progress` does not own the source: the
/// source must exist as long as the `progress` is used.
/// Source:   CUDA's execution model, Execution.Model.API.4: repeated queries ensure progress
/// Example:
///     inline bool done_in_time(cudax::atomic<bool> const& done) {
///       cudax::progress const device = cudax::progress::of_current_device();
///       cudax::wait_result const result = cudax::wait_for(done, false, device, std::chrono::seconds(10));
///       if (result == cudax::wait_reason::device_error) std::puts(result.error.message().c_str());
///       return bool(result);
///     }
class [[nodiscard]] progress {
public:
  /// Refers to the work of a stream. Null is the legacy default stream of the thread's device. The wait ends when the
  /// stream has no work left.
  /// Requires: the stream exists; it is not being captured
  progress(CUstream_st* stream) noexcept : source_{runtime::progress_source::kind::stream, -1, stream} {}

  progress(decltype(nullptr)) noexcept : progress(static_cast<CUstream_st*>(nullptr)) {}

  /// Refers to the work before an event. The wait ends when this work has finished. It also ends if the event was never
  /// recorded.
  progress(CUevent_st* event) noexcept : source_{runtime::progress_source::kind::event, -1, event} {}

  /// Refers to all work of a device, in any stream, including work that is launched later. So the wait does not end by
  /// itself. A device without a context is idle: the wait makes no context, and continues. The thread's device and
  /// context do not change.
  /// Requires: no thread resets the device during the wait: the wait would not detect it
  static progress of_device(int ordinal) noexcept {
    return progress({runtime::progress_source::kind::device, ordinal});
  }
  static progress of_current_device() noexcept { return of_device(-1); }

  /// Refers to a callable: the waiting thread calls query() repeatedly. The wait does not end by itself. query()
  /// returns one of these:
  ///   - nothing;
  ///   - a cudaError_t, or a std::error_code of cuda_category(): cudaSuccess and cudaErrorNotReady continue the wait,
  ///     other values end it;
  ///   - a std::error_code of another category, or a std::errc: 0 continues the wait, other values end it.
  /// The wait returns the value that ended it, with its category.
  /// Requires: query() does not throw
  template <progress_query Query>
    requires(!__is_same(typename without_reference<Query>::type, progress))
  progress(Query&& query) noexcept
    : source_{runtime::progress_source::kind::callable, -1, (void const*)__builtin_addressof(query),
              &call<typename without_reference<Query>::type>} {}

  /// For the library: returns the source to query.
  runtime::progress_source const& source() const noexcept { return source_; }

private:
  explicit progress(runtime::progress_source source) noexcept : source_(source) {}

  template <class Query> static runtime::code_of_category call(void const* query) {
    auto& called = *(Query*)query;
    if constexpr (__is_void(decltype(called()))) {
      called();
      return {};
    } else if constexpr (__is_same(decltype(called()), error_code)) {
      return to_runtime_code(called());
    } else if constexpr (__is_same(decltype(called()), errc)) {
      return to_runtime_code(make_error_code(called()));
    } else {
      return {int(called())};
    }
  }

  runtime::progress_source source_;
};

/// Says why a wait ended.
enum class wait_reason {
  changed,      ///< the object's value differs
  timed_out,    ///< it has not changed at the end of the time
  finished,     ///< it has not changed, and the stream or the event has no work left that could change it
  device_error, ///< it has not changed, and a query failed: the kernel died, or was never launched
};

/// The result of a wait.
struct [[nodiscard]] wait_result {
  wait_reason reason = wait_reason::changed;
  error_code error;                      ///< for device_error, the error of CUDA or of the callable; otherwise none
  void const volatile* object = nullptr; ///< the object of the wait

  /// Returns whether the object has changed.
  explicit operator bool() const noexcept { return reason == wait_reason::changed; }

  /// Throws unless the object has changed.
  /// Errors:   cuda_error with the code that CUDA or the callable returned; with std::errc::timed_out; or with
  ///           std::errc::operation_canceled if the work has finished
  inline void or_throw() const;

  friend bool operator==(wait_result const& result, wait_reason reason) noexcept { return result.reason == reason; }
};

} // namespace cudax

namespace cudax {

using runtime::no_deadline;
static_assert(no_deadline == forever);

/// Returns the address at which notify finds the threads that wait for `object`.
template <class Object> void const volatile* waiting_address(Object const& object) noexcept {
  if constexpr (requires { object.address(); }) return object.address();
  else return __builtin_addressof(object);
}

/// Polls until a poll returns true, or until steady_now() reaches `deadline`; does not poll again after a poll that
/// returned true. So a poll may also take what it found, for example a lock.
template <class Poll>
wait_result poll_by_deadline(void const volatile* address, Poll poll, progress const& by, long long deadline) noexcept {
  auto const changed = [](void const* at) { return (*(Poll*)at)(); };
  runtime::woken const how = runtime::wait_with_progress(address, changed, &poll, deadline, by.source());
  switch (how.why) {
  case runtime::woken_by::change: return {wait_reason::changed, {}, address};
  case runtime::woken_by::deadline: return {wait_reason::timed_out, {}, address};
  case runtime::woken_by::finish: return {wait_reason::finished, {}, address};
  case runtime::woken_by::error: break;
  }
  return {wait_reason::device_error, to_error_code(how.error.code, how.error.category), address};
}

/// As poll_by_deadline, for `rest` nanoseconds from now. If `rest` is not positive, polls once and does not query `by`.
template <class Poll>
wait_result poll_for_nanoseconds(void const volatile* address, Poll poll, progress const& by, long long rest) noexcept {
  if (rest > 0) return poll_by_deadline(address, poll, by, saturating_sum(runtime::steady_now(), rest));
  return {poll() ? wait_reason::changed : wait_reason::timed_out, {}, address};
}

/// As poll_by_deadline, until `point` of its clock. Reads the clock again after each round, because a clock that is not
/// steady may have been set, backwards or forwards.
template <class Poll, class Point>
wait_result poll_until_point(void const volatile* address, Poll poll, progress const& by, Point const& point) noexcept {
  for (;;) {
    long long const rest = nanoseconds_until(point);
    wait_result const result = poll_for_nanoseconds(address, poll, by, runtime::round_of<typename Point::clock>(rest));
    if (result.reason != wait_reason::timed_out || rest <= 0) return result;
  }
}

/// Returns a poll for the change of `object`. `order` is one order, or none for the default of try_wait. A poll with
/// this order costs the host no more than a relaxed one.
template <class Object, class Value, class... Order>
auto poll_of_change(Object const& object, Value const& old, Order... order) noexcept {
  return [&object, &old, order...] { return object.try_wait(old, order...); };
}

inline void wait_result::or_throw() const {
  runtime::failure why;
  runtime::woken how;
  switch (reason) {
  case wait_reason::changed: return;
  case wait_reason::timed_out: how.why = runtime::woken_by::deadline; break;
  case wait_reason::finished: how.why = runtime::woken_by::finish; break;
  case wait_reason::device_error: how = {runtime::woken_by::error, to_runtime_code(error)}; break;
  }
  runtime::explain_wait(object, how, why);
  runtime::raise(why);
}

} // namespace cudax

export namespace cudax {

/// Blocks the host thread until `object` (an atomic, an atomic_ref or an atomic_flag) differs from `old`, or is no
/// longer expected to change; returns which. For a barrier, `old` is the token of an arrival, there is no `order`, and
/// the wait ends when the phase of the token is complete. During the wait the thread queries `by` repeatedly. So the
/// kernel that the thread waits for starts, and the thread detects that the kernel has ended. It detects an error at
/// most half a millisecond after CUDA reports the error. A notify by a host thread wakes the waiting thread at once.
/// Source:   [atomics.wait]; CUDA's execution model, Execution.Model.API.2 to API.4
/// Order:    `order`, a memory_order, if the result is wait_reason::changed; memory_order_seq_cst if none is given
/// Requires: on a device without concurrent_managed_access, the object is not in managed memory
/// Errors:   returned: wait_reason::device_error with CUDA's code, or with the code that a callable returned. The wait
///           also returns device_error if the work has ended and the launch before the wait failed. A failed launch
///           leaves its error as the thread's last error. So if the last error before the wait is an error that
///           launches leave (the guide lists them), the wait takes it for the error of the launch.
///           cudaErrorInvalidValue is one of them, and other calls leave it, too: clear an older error with
///           cudaGetLastError before the launch. The wait does not clear the last error. wait_result::or_throw() throws
///           these errors
/// Example:
///     __global__ void finish(cudax::atomic<bool>* done) { done->store(true, cudax::memory_order_release); }
///     inline void run(cudaStream_t stream, cudax::mapped_ptr<cudax::atomic<bool>> const& done) {
///       finish<<<1, 1, 0, stream>>>(done.device_pointer());
///       cudax::wait(*done, false, stream, cudax::memory_order_acquire).or_throw();
///     }
template <class Object, class Value, class... Order>
  requires(sizeof...(Order) <= 1)
wait_result wait(Object const& object, Value const& old, progress const& by, Order... order) noexcept {
  return poll_by_deadline(waiting_address(object), poll_of_change(object, old, order...), by, no_deadline);
}

/// Blocks as wait does, but at most for `length` of steady time.
/// Units:    any duration; a duration that is not positive, or is NaN, polls the object once and does not query `by`
template <class Object, class Value, class Duration, class... Order>
  requires(sizeof...(Order) <= 1)
wait_result wait_for(Object const& object, Value const& old, progress const& by, Duration const& length,
                     Order... order) noexcept {
  return poll_for_nanoseconds(waiting_address(object), poll_of_change(object, old, order...), by,
                              to_nanoseconds(length));
}

/// Blocks as wait does, but at most until `point`, a time point of any clock. If the clock is not steady, reads it
/// again every second, because it may have been set. A NaN time point counts as passed.
template <class Object, class Value, class Point, class... Order>
  requires(sizeof...(Order) <= 1)
wait_result wait_until(Object const& object, Value const& old, progress const& by, Point const& point,
                       Order... order) noexcept {
  return poll_until_point(waiting_address(object), poll_of_change(object, old, order...), by, point);
}

} // namespace cudax
