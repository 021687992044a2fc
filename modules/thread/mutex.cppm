// SPDX-License-Identifier: Apache-2.0
//
// mutex: one thread at a time, whoever comes first.  [thread.mutex]
//
// A flag: locking is an exchange, unlocking a store. Those who wait only read, and sleep between looks, also in the warp of
// the thread that holds the lock: the threads of a warp make progress independently from sm_70 on, so the holder gets to
// its unlock. What the mutex does not promise is a turn: threads that lock again at once may keep others out for as long as
// they go on, those of one warp in the same rhythm for ever. Where threads lock again and again, use ticket_mutex.
module;
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

export namespace cudax {

template <thread_scope Scope>
class mutex;
template <thread_scope Scope>
void init(mutex<Scope>* object) noexcept;

/// A lock that one thread holds at a time.
/// Source:   [thread.timedmutex.class]; the scope and init are extensions
/// Scope:    Scope, where thread_scope_thread means the block; threads outside it must not use the object. Between host and
///           device it needs memory in which their read-modify-writes are atomic to each other: managed memory of a device
///           with concurrent_managed_access, or any with host_native_atomic_supported (atomicity() tells). In other memory
///           two threads may hold the lock
/// Requires: the default constructor does nothing, so that the object can stand in shared memory: make it with braces,
///           `mutex<> m{};`, or static, or call init before any other use. A thread that holds it goes on to unlock it:
///           on a device, all threads that contend are running
template <thread_scope Named = thread_scope_system>
class mutex {
  static_assert(exists(Named), "cudax.sync: mutex<Scope>: this thread scope does not exist; use an enumerator of "
                               "cudax::thread_scope");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  mutex() = default;
  mutex(mutex const&) = delete;
  mutex& operator=(mutex const&) = delete;

  /// Blocks until it has the lock.
  /// Order:    acquire; pairs with unlock
  /// Requires: the thread does not hold it
  void lock() noexcept { machine::attempt_forever<Scope>(&held_, looks(), takes()); }

  /// Takes the lock unless it is held; returns whether it did. Fails only where it has seen it held.
  /// Order:    acquire where it takes it; pairs with unlock
  [[nodiscard]] bool try_lock() noexcept { return is_free() && take(); }

  /// As lock, for `length` at most, on steady time; returns whether it has the lock.
  /// Units:    any duration; zero and less, and NaN, try once
  template <duration_like D>
  [[nodiscard]] bool try_lock_for(D const& length) noexcept {
    return machine::attempt_for<Scope>(&held_, looks(), takes(), length);
  }

  /// As lock, until `point` at most, of any clock that can be read here; returns whether it has the lock.
  template <time_point_like P>
  [[nodiscard]] bool try_lock_until(P const& point) noexcept {
    return machine::attempt_until<Scope>(&held_, looks(), takes(), point);
  }

  /// Gives the lock back.
  /// Order:    release; pairs with the acquire of whoever takes it next, which reads this very store
  /// Requires: the thread holds it
  void unlock() noexcept {
    CUDAX_ENSURE(!is_free(),
                 "mutex::unlock: the mutex is not locked (%lld); only the thread that locked it may unlock it, once "
                 "[thread.mutex]",
                 0ll);
    machine::store<Scope, u32>(&held_, 0, memory_order::release);
    machine::wake<Scope>(&held_);
  }

private:
  friend void init<Named>(mutex* object) noexcept;
  friend machine::mutex_access; // of scoped_lock

  void await_free() const noexcept { machine::block_until<Scope>(&held_, looks(), forever); }

  bool is_free() const noexcept { return machine::load<Scope, u32>(&held_, memory_order::relaxed) == 0; }
  auto looks() const noexcept {
    return [this]() noexcept { return is_free(); };
  }
  bool take() noexcept { return machine::exchange<Scope, u32>(&held_, 1, memory_order::acquire) == 0; }
  auto takes() noexcept {
    return [this]() noexcept { return take(); };
  }

  u32 held_;
};

/// Makes a mutex that nobody holds: one in shared memory, say.
/// Source:   extension
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads
/// Requires: no thread uses the mutex meanwhile
template <thread_scope Scope>
void init(mutex<Scope>* object) noexcept {
  object->held_ = 0;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
