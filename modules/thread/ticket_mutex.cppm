// SPDX-License-Identifier: Apache-2.0
//
// ticket_mutex: one thread at a time, in the order in which they came.  [thread.mutex]
// Two counters: tickets that were taken, and tickets that were served. Whoever unlocks serves the next one.
// Nobody starves, not even a lane of a warp whose other lanes lock again at once. A ticket cannot be given back, so what may
// give up does not take one that is not served at once: it tries, when nobody waits.
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

export namespace cudax {

template <thread_scope Scope>
class ticket_mutex;
template <thread_scope Scope>
void init(ticket_mutex<Scope>* object) noexcept;

/// A lock that one thread holds at a time; it is given to those who wait in the order in which they came.
/// Source:   extension; members as [thread.timedmutex.class]
/// Scope:    Scope, as mutex
/// Requires: as mutex; also, since a turn cannot be passed on, each thread that waits goes on to take its own. Fewer than
///           2^31 threads wait
template <thread_scope Named = thread_scope_system>
class ticket_mutex {
  static_assert(exists(Named),
                "cudax.sync: ticket_mutex<Scope>: this thread scope does not exist; use an enumerator of "
                "cudax::thread_scope");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  ticket_mutex() = default;
  ticket_mutex(ticket_mutex const&) = delete;
  ticket_mutex& operator=(ticket_mutex const&) = delete;

  /// Blocks until it has the lock, after every thread that has come before.
  /// Order:    acquire; pairs with unlock
  /// Requires: the thread does not hold it
  void lock() noexcept {
    // Relaxed: only which ticket it is matters; what the holders before wrote comes with `served_`.
    u32 const ticket = machine::fetch<modification::add, Scope, u32>(&tickets_, 1, memory_order::relaxed);
    machine::await_turn<Scope>(&served_, ticket);
  }

  /// Takes the lock unless it is held or threads wait; returns whether it did.
  /// Order:    acquire where it takes it; pairs with unlock
  [[nodiscard]] bool try_lock() noexcept {
    u32 served = machine::load<Scope, u32>(&served_, memory_order::relaxed);
    // The ticket whose turn it is, if nobody has it. It is still its turn then: `served_` moves on only when the ticket's
    // holder unlocks. Relaxed: what the last holder wrote is acquired from `served_`.
    u32 ticket = served;
    if (machine::load<Scope, u32>(&tickets_, memory_order::relaxed) != ticket) return false;
    if (!machine::compare_exchange<Scope, u32>(&tickets_, ticket, served + 1, memory_order::relaxed,
                                               memory_order::relaxed))
      return false;
    machine::acquire_seen<Scope, u32>(&served_);
    return true;
  }

  /// Tries for `length` at most, on steady time; returns whether it has the lock. It has no place in the queue: those who
  /// lock without a limit go first.
  /// Units:    any duration; zero and less, and NaN, try once
  template <duration_like D>
  [[nodiscard]] bool try_lock_for(D const& length) noexcept {
    return machine::attempt_for<Scope>(&served_, looks(), tries(), length);
  }

  /// As try_lock_for, until `point` at most, of any clock that can be read here.
  template <time_point_like P>
  [[nodiscard]] bool try_lock_until(P const& point) noexcept {
    return machine::attempt_until<Scope>(&served_, looks(), tries(), point);
  }

  /// Gives the lock to who has waited longest, or comes next.
  /// Order:    release; pairs with the acquire of the ticket that it serves, which reads this very write
  /// Requires: the thread holds it
  void unlock() noexcept {
    CUDAX_ENSURE((machine::load<Scope, u32>(&tickets_, memory_order::relaxed) !=
                  machine::load<Scope, u32>(&served_, memory_order::relaxed)),
                 "ticket_mutex::unlock: the mutex is not locked (%lld); only the thread that locked it may unlock it, "
                 "once [thread.mutex]",
                 0ll);
    // The holder alone writes it, so a store would do; but it would have to be read first, and on a device that is a trip to
    // the L2 which those who wait would wait for, too. A reduction is one way.
    machine::reduce<modification::add, Scope, u32>(&served_, 1, memory_order::release);
    machine::wake<Scope>(&served_);
  }

private:
  friend void init<Named>(ticket_mutex* object) noexcept;
  friend machine::mutex_access; // of scoped_lock

  void await_free() const noexcept { machine::block_until<Scope>(&served_, looks(), forever); }

  auto looks() const noexcept {
    return [this]() noexcept {
      u32 const served = machine::load<Scope, u32>(&served_, memory_order::relaxed);
      return machine::load<Scope, u32>(&tickets_, memory_order::relaxed) == served;
    };
  }
  auto tries() noexcept {
    return [this]() noexcept { return try_lock(); };
  }

  u32 tickets_; // taken
  u32 served_;  // the ticket whose turn it is
};

/// Makes a mutex that nobody holds: one in shared memory, say.
/// Source:   extension
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads
/// Requires: no thread uses the mutex meanwhile
template <thread_scope Scope>
void init(ticket_mutex<Scope>* object) noexcept {
  object->tickets_ = 0;
  object->served_ = 0;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
