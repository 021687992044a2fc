// SPDX-License-Identifier: Apache-2.0
//
// condition: condition_variable_any waits, without a lock, until another thread notifies. [thread.condition.condvarany]
// The state counts the notifications. A waiter reads the count while it holds its lock, unlocks, and waits until the
// count differs. A waiter on a device polls, so a notification cannot choose one waiter: notify_one wakes all of them,
// as the standard permits (spurious wake-ups).
//   Every operation on the count is relaxed. What the threads tell each other is in data that the lock protects. No
// wake-up is lost. Let the notifier hold the lock, change the data, unlock and notify. If the waiter's read of the
// count already includes this notification, the notifier has locked before the waiter: otherwise the waiter's unlock,
// and with it the read, would happen before the notification. So the waiter sees the data, or will not wait. If the
// read does not include the notification, a later poll does, and the same argument holds for the lock that the waiter
// takes after the poll.
// The count has 64 bits, so it does not wrap within a wait.
module;
#include "../base/macros.hpp"
export module cudax.sync:condition;
import :bits;
import :clock;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Why a timed wait returned.
/// Source:   [condition.variable.syn]
enum class cv_status : int { no_timeout, timeout };

template <thread_scope Scope>
class condition_variable_any;
template <thread_scope Scope>
void init(condition_variable_any<Scope>* object) noexcept;

/// Lets threads that hold a lock wait, without the lock, until another thread notifies.
/// Source:   [thread.condition.condvarany]; the scope and init are extensions
/// Order:    none of its own: the lock orders what it protects
/// Scope:    Scope, as mutex
/// Requires: as mutex. The object outlives every wait: unlike in the standard it must not end after the notification
///           and before the waits return, because waiters poll it
/// Example:
///     void receive(cudax::mutex<>& m, cudax::condition_variable_any<>& filled, bool& full, int& message) {
///       cudax::unique_lock lock(m);
///       filled.wait(lock, [&] { return full; });
///       full = false;
///       message = 0; // after its use
///     }
template <thread_scope Named = thread_scope_system>
class condition_variable_any {
  CUDAX_ENSURE_SCOPE(Named, "condition_variable_any<Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  constexpr condition_variable_any() noexcept
    requires(is_wider_than_cluster(Named))
    : notifications_(0) {}
  condition_variable_any() noexcept
    requires(!is_wider_than_cluster(Named))
  = default;
  condition_variable_any(condition_variable_any const&) = delete;
  condition_variable_any& operator=(condition_variable_any const&) = delete;

  /// Wake the threads that wait. notify_one wakes all of them, as notify_all does.
  void notify_one() noexcept { notify_all(); }
  void notify_all() noexcept {
    machine::reduce<modification::add, Scope, u64>(&notifications_, 1, machine::before_wake<memory_order::relaxed>);
    machine::wake<Scope>(&notifications_);
  }

  /// Unlocks `lock`, blocks until a notification, and locks `lock` again. May return without a notification.
  /// Requires: the calling thread holds `lock`
  template <class Lock>
  void wait(Lock& lock) {
    (void)wait_by_deadline(lock, forever);
  }
  /// Waits until predicate(), which it calls with the lock held, returns true.
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate predicate) {
    while (!predicate()) wait(lock);
  }

  /// Waits for at most `length` on the steady clock.
  /// Units:    any duration; with zero, a negative value or NaN the function unlocks, polls once, and locks again
  template <class Lock, duration_like D>
  cv_status wait_for(Lock& lock, D const& length) {
    return wait_by_deadline(lock, deadline_after(machine::steady_now(), to_nanoseconds(length)));
  }
  /// Waits as above; returns the last result of predicate().
  template <class Lock, duration_like D, class Predicate>
  bool wait_for(Lock& lock, D const& length, Predicate predicate) {
    long long const deadline = deadline_after(machine::steady_now(), to_nanoseconds(length));
    while (!predicate())
      if (wait_by_deadline(lock, deadline) == cv_status::timeout) return predicate();
    return true;
  }

  /// Waits at most until `point`, a time point of any clock.
  template <class Lock, time_point_like P>
  cv_status wait_until(Lock& lock, P const& point) {
    auto const notified = after_now();
    lock.unlock();
    bool const in_time = machine::block_until_point<Scope>(&notifications_, notified, point);
    lock.lock();
    return in_time ? cv_status::no_timeout : cv_status::timeout;
  }
  /// Waits as above; returns the last result of predicate().
  template <class Lock, time_point_like P, class Predicate>
  bool wait_until(Lock& lock, P const& point, Predicate predicate) {
    while (!predicate())
      if (wait_until(lock, point) == cv_status::timeout) return predicate();
    return true;
  }

private:
  friend void init<Named>(condition_variable_any* object) noexcept;

  u64 count() const noexcept { return machine::load<Scope, u64>(&notifications_, memory_order::relaxed); }

  /// Returns a predicate: whether there was a notification after this call.
  auto after_now() const noexcept {
    return [this, before = count()]() noexcept { return count() != before; };
  }

  template <class Lock>
  cv_status wait_by_deadline(Lock& lock, long long deadline) {
    auto const notified = after_now();
    lock.unlock();
    bool const in_time = machine::block_until<Scope>(
        &notifications_, CUDAX_AWAITS(notified, "condition_variable::wait: no thread has notified"), deadline);
    lock.lock();
    return in_time ? cv_status::no_timeout : cv_status::timeout;
  }

  u64 notifications_;
};

/// Makes a condition variable for which no thread waits: for example one in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
template <thread_scope Scope>
void init(condition_variable_any<Scope>* object) noexcept {
  object->notifications_ = 0;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
