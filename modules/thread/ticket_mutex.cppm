// SPDX-License-Identifier: Apache-2.0
//
// ticket_mutex: mutual exclusion in FIFO order.  [thread.mutex]
// The state is two counters: the tickets taken, and the tickets served. An unlock serves the next ticket. No thread in
// lock() starves, not even a lane of a warp whose other lanes lock again immediately. A ticket cannot be returned. So
// try_lock and the timed operations take a ticket only if it is served immediately, that is, if the lock is free.
module;
#include "../base/macros.hpp"
export module cudax.sync:ticket_mutex;
import :attempt;
import :bits;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :turn;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail {
struct mutex_access; // for scoped_lock, which has its own way to attempt (lock_guard.cppm)
} // namespace cudax::thread_detail

export namespace cudax {

template <thread_scope Scope>
class ticket_mutex;
template <thread_scope Scope>
void init(ticket_mutex<Scope>* object) noexcept;

/// A lock that at most one thread holds at a time, and that waiting threads get in FIFO order.
/// Source:   extension; members as [thread.timedmutex.class]
/// Scope:    Scope, as mutex
/// Units:    on the host, if more threads than processors contend, each turn costs a switch of threads: a microsecond or
///           more, where mutex takes some 10 ns because a thread may lock it again before any other
///           (the guide, "Waiting on the host")
/// Requires: as mutex. Each thread in lock() makes progress until it has taken its turn, because a turn cannot be
///           passed on to another thread. Fewer than 2^31 threads wait at a time
/// Example:
///     __device__ cudax::ticket_mutex<cudax::thread_scope_device> m;
///     __global__ void append(int* log, int* size) {
///       m.lock(); // in FIFO order: no thread starves
///       log[(*size)++] = int(blockIdx.x);
///       m.unlock();
///     }
template <thread_scope Named = thread_scope_system>
class ticket_mutex {
  CUDAX_ENSURE_SCOPE(Named, "ticket_mutex<Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  constexpr ticket_mutex() noexcept
    requires(is_wider_than_cluster(Named))
    : tickets_(0), served_(0) {}
  ticket_mutex() noexcept
    requires(!is_wider_than_cluster(Named))
  = default;
  ticket_mutex(ticket_mutex const&) = delete;
  ticket_mutex& operator=(ticket_mutex const&) = delete;

  /// Takes a place in the queue and blocks until the calling thread holds the lock, after all earlier places.
  /// Order:    acquire; pairs with unlock
  /// Requires: the calling thread does not hold the lock
  void lock() noexcept {
    // Relaxed: only the number of the ticket matters. What earlier holders wrote is acquired from `served_`.
    u32 const ticket = machine::fetch<modification::add, Scope, u32>(&tickets_, 1, memory_order::relaxed);
    machine::await_turn<Scope>(
        &served_, ticket CUDAX_WAIT_NAME("ticket_mutex::lock: ticket # holds the mutex; this thread has ticket #"));
  }

  /// Takes the lock unless it is held or threads wait; returns whether it did.
  /// Order:    acquire if it returns true; pairs with unlock
  [[nodiscard]] bool try_lock() noexcept {
    u32 served = machine::load<Scope, u32>(&served_, memory_order::relaxed);
    // Takes the ticket whose turn it is, if no thread has it. If the compare-and-swap succeeds, it is still this
    // ticket's turn: `served_` grows only when the holder of the ticket unlocks. The compare-and-swap can be relaxed:
    // what the last holder wrote is acquired from `served_`.
    u32 ticket = served;
    if (machine::load<Scope, u32>(&tickets_, memory_order::relaxed) != ticket) return false;
    if (!machine::compare_exchange<Scope, u32>(&tickets_, ticket, served + 1, memory_order::relaxed,
                                               memory_order::relaxed))
      return false;
    machine::upgrade_to_acquire<Scope, u32>(&served_);
    return true;
  }

  /// Repeats try_lock for at most `length` on the steady clock; returns whether the calling thread holds the lock. It
  /// takes no place in the queue, so threads in lock() go first.
  /// Order:    acquire if it returns true; pairs with unlock
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool try_lock_for(D const& length) noexcept {
    return machine::attempt_for<Scope>(&served_, free_predicate(), try_function(), length);
  }

  /// Repeats try_lock until `point`, a time point of any clock; otherwise as try_lock_for.
  /// Order:    acquire if it returns true; pairs with unlock
  template <time_point_like P>
  [[nodiscard]] bool try_lock_until(P const& point) noexcept {
    return machine::attempt_until<Scope>(&served_, free_predicate(), try_function(), point);
  }

  /// Releases the lock: hands it to the thread that has waited longest, or leaves it free.
  /// Order:    release; pairs with the acquire of the ticket that it serves, which reads this write
  /// Requires: the calling thread holds the lock
  void unlock() noexcept {
    CUDAX_ENSURE((machine::load<Scope, u32>(&tickets_, memory_order::relaxed) !=
                  machine::load<Scope, u32>(&served_, memory_order::relaxed)),
                 "ticket_mutex::unlock: the mutex is not locked (%lld); only the thread that locked it may unlock it, "
                 "once [thread.mutex]",
                 0ll);
    // Only the holder writes `served_`, so a store would be correct. But the holder would first have to load `served_`:
    // on a device this is a round trip to the L2, which also delays the waiters. A reduction is a one-way trip.
    machine::serve_turns<Scope>(&served_, 1);
  }

private:
  friend void init<Named>(ticket_mutex* object) noexcept;
  friend thread_detail::mutex_access; // of scoped_lock

  void await_free() const noexcept {
    machine::block_until<Scope>(
        &served_, CUDAX_AWAITS(free_predicate(), "scoped_lock: another thread holds a ticket_mutex"), forever);
  }

  auto free_predicate() const noexcept {
    return [this]() noexcept {
      u32 const served = machine::load<Scope, u32>(&served_, memory_order::relaxed);
      return machine::load<Scope, u32>(&tickets_, memory_order::relaxed) == served;
    };
  }
  auto try_function() noexcept {
    return [this]() noexcept { return try_lock(); };
  }

  u32 tickets_; // tickets taken
  u32 served_;  // the ticket whose turn it is
};

/// Makes a mutex that no thread holds: for example a mutex in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
template <thread_scope Scope>
void init(ticket_mutex<Scope>* object) noexcept {
  object->tickets_ = 0;
  object->served_ = 0;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
