// SPDX-License-Identifier: Apache-2.0
//
// waits: waits on the host, with progress, for what has no value to compare: latches, stop tokens, semaphores and
// locks. progress.cppm has those for atomic objects and barriers, and says what they have in common.
//
// The objects may have any type with the right members. A host thread that counts down a latch, releases a
// counting_semaphore or unlocks a mutex wakes the waiting thread. A device cannot, nor does a host thread that unlocks
// a ticket_mutex, releases a fair_semaphore or requests a stop: the waiting thread sees this change at most half a
// millisecond later.
//
// An unlock of a mutex wakes only one of the parked threads. This may be a thread that waits here. So such a thread
// polls as lock() does: it takes the lock with the mark that others may be parked, or renews the mark. Without the mark
// its own unlock would wake no thread, and the others would sleep until they poll. A release of a semaphore needs no
// such mark: it wakes as many threads as it has permits.
module;
#include "../../runtime/interface/boundary.hpp"
#include "../../runtime/interface/execution_boundary.hpp"
export module cudax.sync.host:waits;
import :error;
import :progress;

namespace cudax {

template <class Object>
concept ends_once = requires(Object const& object) { object.try_wait(); } || requires(Object const& object) {
  object.stop_requested();
  object.stop_possible();
};
template <class Object>
concept has_permits = requires(Object& object) {
  object.try_acquire();
  object.release();
};
template <class Object>
concept has_lock = requires(Object& object) {
  object.try_lock();
  object.unlock();
};

template <ends_once Object> auto poll_of_end(Object const& object) noexcept {
  return [&object] {
    if constexpr (requires { object.try_wait(); }) return object.try_wait();
    else return object.stop_requested();
  };
}
template <has_permits Object> auto poll_of_permit(Object& object) noexcept {
  return [&object] { return object.try_acquire(); };
}
template <has_lock Object> auto poll_of_lock(Object& object) noexcept {
  return [&object] { return runtime::lock_poll::take(object); };
}

} // namespace cudax

export namespace cudax {

/// Blocks the host thread until the count of a latch is zero, or until a stop is requested through the state of a stop
/// token, or until neither is expected any more; returns which. During the wait the thread queries `by`.
/// Source:   [thread.latch.class], wait; extension for stop tokens, and for `by`
/// Order:    acquire, if the result is wait_reason::changed
/// Requires: as wait for an atomic object
/// Errors:   returned, as of wait for an atomic object
/// Example:
///     __global__ void work(cudax::latch<>* done) { done->count_down(); }
///     inline void run(cudaStream_t stream, cudax::mapped_ptr<cudax::latch<>> const& done) { // a count of 1
///       work<<<1, 1, 0, stream>>>(done.device_pointer());
///       cudax::wait(*done, stream).or_throw();
///     }
template <ends_once Object>
wait_result wait(Object const& object, progress const& by) noexcept {
  return poll_by_deadline(waiting_address(object), poll_of_end(object), by, no_deadline);
}

/// Blocks as wait, but at most for `length` of steady time.
/// Units:    any duration; a duration that is not positive, or is NaN, polls the object once and does not query `by`
template <ends_once Object, class Duration>
wait_result wait_for(Object const& object, progress const& by, Duration const& length) noexcept {
  return poll_for_nanoseconds(waiting_address(object), poll_of_end(object), by, to_nanoseconds(length));
}

/// Blocks as wait, but at most until `point`, a time point of any clock.
template <ends_once Object, class Point>
wait_result wait_until(Object const& object, progress const& by, Point const& point) noexcept {
  return poll_until_point(waiting_address(object), poll_of_end(object), by, point);
}

/// Blocks the host thread until it has acquired a permit of a semaphore, or until no permit is expected any more;
/// returns which: with wait_reason::changed the thread has a permit, otherwise it has none. During the wait the thread
/// queries `by`.
/// Source:   [thread.sema.cnt], acquire; `by` is an extension
/// Order:    acquire, if the result is wait_reason::changed
/// Requires: as wait for an atomic object; for host and device, the semaphore is in memory as its docstring says
/// Errors:   returned, as of wait for an atomic object
/// Example:
///     inline bool next_result(cudax::counting_semaphore<>& results, cudaStream_t producer) {
///       cudax::wait_result const result = cudax::acquire(results, producer);
///       if (result == cudax::wait_reason::device_error) std::puts(result.error.message().c_str());
///       return bool(result); // false: the producer has ended
///     }
template <has_permits Semaphore>
wait_result acquire(Semaphore& semaphore, progress const& by) noexcept {
  return poll_by_deadline(waiting_address(semaphore), poll_of_permit(semaphore), by, no_deadline);
}

/// As acquire, but blocks at most for `length` of steady time.
/// Units:    as wait_for
template <has_permits Semaphore, class Duration>
wait_result try_acquire_for(Semaphore& semaphore, progress const& by, Duration const& length) noexcept {
  return poll_for_nanoseconds(waiting_address(semaphore), poll_of_permit(semaphore), by, to_nanoseconds(length));
}

/// As acquire, but blocks at most until `point`, a time point of any clock.
template <has_permits Semaphore, class Point>
wait_result try_acquire_until(Semaphore& semaphore, progress const& by, Point const& point) noexcept {
  return poll_until_point(waiting_address(semaphore), poll_of_permit(semaphore), by, point);
}

/// Blocks the host thread until it holds the lock, or until the lock is no longer expected to become free; returns
/// which: with wait_reason::changed the thread holds the lock. It takes no place in the queue of a fair lock. During
/// the wait the thread queries `by`.
/// Source:   [thread.mutex.requirements]; `by` is an extension
/// Order:    acquire, if the result is wait_reason::changed; pairs with unlock
/// Requires: as wait for an atomic object; for host and device, the mutex is in memory as its docstring says
/// Errors:   returned, as of wait for an atomic object
/// Example:
///     inline void take_over(cudax::mutex<>& of_kernel, cudaStream_t stream) {
///       cudax::lock(of_kernel, stream).or_throw(); // throws if the kernel died with the lock
///       // ... read what the lock protects
///       of_kernel.unlock();
///     }
template <has_lock Mutex>
wait_result lock(Mutex& mutex, progress const& by) noexcept {
  return poll_by_deadline(waiting_address(mutex), poll_of_lock(mutex), by, no_deadline);
}

/// As lock, but blocks at most for `length` of steady time.
/// Units:    as wait_for
template <has_lock Mutex, class Duration>
wait_result try_lock_for(Mutex& mutex, progress const& by, Duration const& length) noexcept {
  return poll_for_nanoseconds(waiting_address(mutex), poll_of_lock(mutex), by, to_nanoseconds(length));
}

/// As lock, but blocks at most until `point`, a time point of any clock.
template <has_lock Mutex, class Point>
wait_result try_lock_until(Mutex& mutex, progress const& by, Point const& point) noexcept {
  return poll_until_point(waiting_address(mutex), poll_of_lock(mutex), by, point);
}

} // namespace cudax
