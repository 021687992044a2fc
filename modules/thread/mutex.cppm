// SPDX-License-Identifier: Apache-2.0
//
// mutex: mutual exclusion without fairness.  [thread.mutex]
//
// The state is a flag. On a device, locking is an exchange and unlocking is a store. Waiters only read the flag and
// sleep between polls. Waiters may be in the warp of the thread that holds the lock: from sm_70 the threads of a warp
// make progress independently, so the holder reaches its unlock, and the compiler does not let it wait for its warp
// before that (arch/README.md, "Lanes that wait for each other"). The mutex is not fair. Threads that lock again
// immediately after they unlock may starve others for as long as they continue, and threads of one warp may do so in
// lockstep indefinitely. For threads that lock repeatedly, use ticket_mutex.
//
// On the host the flag also says whether threads may be parked (Drepper, "Futexes Are Tricky", mutex 2). A thread marks
// the flag before it sleeps, and takes the lock with the mark after it has waited, because others may still sleep. An
// unlock that finds the mark wakes one thread. Each thread that was woken takes the lock, or finds it held and marks
// the flag again. So the mark is lost only while a woken thread is about to renew it, and threads that lock in the
// meantime unlock without a system call. A device's exchange may also remove the mark. Then host threads find the lock
// free by polling, as after a device's unlock.
module;
#include "../../runtime/interface/boundary.hpp"
#include "../base/macros.hpp"
export module cudax.sync:mutex;
import :attempt;
import :bits;
import :duration;
import :machine;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail {
struct mutex_access; // for scoped_lock, which has its own way to attempt (lock_guard.cppm)
} // namespace cudax::thread_detail

export namespace cudax {

template <thread_scope Scope>
class mutex;
template <thread_scope Scope>
void init(mutex<Scope>* object) noexcept;

/// A lock that at most one thread holds at a time.
/// Source:   [thread.timedmutex.class]; the scope and init are extensions
/// Scope:    Scope, where thread_scope_thread means the block; threads outside Scope must not use the object. A mutex
///           that host and device share needs memory that is atomic between host and device. In other memory two
///           threads may hold the lock
/// Requires: at a scope narrower than thread_scope_device, the object is made with braces, or has static storage
///           duration, or gets its state from init before any other use: there the default constructor is trivial, so
///           that the object can be in shared memory. The thread that holds the lock makes progress until it unlocks:
///           on a device, all contending threads are resident
/// Example:
///     __device__ cudax::mutex<cudax::thread_scope_device> m;
///     __global__ void add(double* sums, double value) {
///       m.lock();
///       sums[0] += value;
///       sums[1] += value * value;
///       m.unlock();
///     }
template <thread_scope Named = thread_scope_system>
class mutex {
  CUDAX_ENSURE_SCOPE(Named, "mutex<Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  constexpr mutex() noexcept
    requires(is_wider_than_cluster(Named))
    : held_(0) {}
  mutex() noexcept
    requires(!is_wider_than_cluster(Named))
  = default;
  mutex(mutex const&) = delete;
  mutex& operator=(mutex const&) = delete;

  /// Blocks until the calling thread holds the lock.
  /// Order:    acquire; pairs with unlock
  /// Requires: the calling thread does not hold the lock
  void lock() noexcept {
    if (machine::traits::parks && take()) return;
    machine::attempt_one_by_one<Scope>(&held_,
                                       CUDAX_AWAITS(free_predicate(), "mutex::lock: another thread holds the mutex"),
                                       take_after_wait_function());
  }

  /// Takes the lock if it is free; returns whether it did. Fails only if it has read the lock as held.
  /// Order:    acquire if it returns true; pairs with unlock
  [[nodiscard]] bool try_lock() noexcept { return is_free() && take(); }

  /// Blocks as lock, but for at most `length` on the steady clock; returns whether the calling thread holds the lock.
  /// Order:    acquire if it returns true; pairs with unlock
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool try_lock_for(D const& length) noexcept {
    return (machine::traits::parks && take()) ||
           machine::attempt_for<Scope>(&held_, free_predicate(), take_after_wait_function(), length);
  }

  /// Blocks as lock, but at most until `point`, a time point of any clock; returns whether the calling thread holds the
  /// lock.
  /// Order:    acquire if it returns true; pairs with unlock
  template <time_point_like P>
  [[nodiscard]] bool try_lock_until(P const& point) noexcept {
    return (machine::traits::parks && take()) ||
           machine::attempt_until<Scope>(&held_, free_predicate(), take_after_wait_function(), point);
  }

  /// Releases the lock.
  /// Order:    release; pairs with the acquire of the thread that takes the lock next, which reads this store
  /// Requires: the calling thread holds the lock
  void unlock() noexcept {
    CUDAX_ENSURE(!is_free(),
                 "mutex::unlock: the mutex is not locked (%lld); only the thread that locked it may unlock it, once "
                 "[thread.mutex]",
                 0ll);
    if constexpr (machine::traits::parks) {
      constexpr memory_order order = machine::before_wake<memory_order::release>;
      if (machine::exchange<Scope, u32>(&held_, 0, order) == marked) machine::wake_some<Scope>(&held_, 1);
    } else {
      machine::store<Scope, u32>(&held_, 0, memory_order::release);
    }
  }

private:
  friend void init<Named>(mutex* object) noexcept;
  friend thread_detail::mutex_access; // of scoped_lock
  friend runtime::lock_poll;

  static constexpr u32 held = 1, marked = 2; // marked: held, and threads may be parked

  /// The unlock may have woken only this thread, which does not take the lock. So it wakes the next one.
  void await_free() noexcept {
    machine::block_until<Scope>(&held_, CUDAX_AWAITS(free_predicate(), "scoped_lock: another thread holds a mutex"),
                                forever);
    machine::wake_some<Scope>(&held_, 1);
  }

  bool is_free() const noexcept { return machine::load<Scope, u32>(&held_, memory_order::relaxed) == 0; }
  /// Returns whether the lock is free. If it is not, marks it on the host, because the caller may sleep.
  bool is_free_or_marked() noexcept {
    if constexpr (!machine::traits::parks) {
      return is_free();
    } else {
      u32 seen = machine::load<Scope, u32>(&held_, memory_order::relaxed);
      if (seen == held &&
          machine::compare_exchange<Scope, u32>(&held_, seen, marked, memory_order::relaxed, memory_order::relaxed))
        return false;
      return seen == 0;
    }
  }
  auto free_predicate() noexcept {
    return [this]() noexcept { return is_free_or_marked(); };
  }
  bool take() noexcept {
    u32 seen = 0;
    if constexpr (machine::traits::parks) { // an exchange could remove the mark
      if (machine::compare_exchange<Scope, u32>(&held_, seen, held, memory_order::acquire, memory_order::relaxed))
        return true;
    } else {
      seen = machine::exchange<Scope, u32>(&held_, held, memory_order::acquire);
      if (seen == 0) return true;
    }
    ensure_state(seen);
    return false;
  }
  bool take_after_wait() noexcept {
    if constexpr (machine::traits::parks) {
      u32 const before = machine::exchange<Scope, u32>(&held_, marked, memory_order::acquire);
      ensure_state(before);
      return before == 0;
    } else {
      return take();
    }
  }
  static void ensure_state([[maybe_unused]] u32 state) noexcept {
    CUDAX_ENSURE(state <= marked,
                 "mutex: the state 0x%llx is not that of a mutex; call init before any other use [thread.mutex]",
                 (long long)state);
  }
  auto take_after_wait_function() noexcept {
    return [this]() noexcept { return take_after_wait(); };
  }
  bool take_or_mark() noexcept { return is_free_or_marked() && take_after_wait(); }

  u32 held_;
};

/// Makes a mutex that no thread holds: for example a mutex in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
template <thread_scope Scope>
void init(mutex<Scope>* object) noexcept {
  object->held_ = 0;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
