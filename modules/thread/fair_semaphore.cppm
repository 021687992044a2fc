// SPDX-License-Identifier: Apache-2.0
//
// fair_semaphore: a semaphore that grants permits in FIFO order.
// The state is two counters that only grow: the tickets taken and the permits granted. acquire takes a ticket and waits
// until the second counter is above the ticket; release adds to the second counter. The count of the semaphore is the
// second counter minus the first. If the count is negative, its absolute value is the number of waiting threads. A
// ticket cannot be returned. So try_acquire and the timed operations take a ticket only if it is granted immediately,
// that is, if the count is positive.
module;
#include "../base/macros.hpp"
export module cudax.sync:fair_semaphore;
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
class fair_semaphore;
template <thread_scope Scope>
void init(fair_semaphore<Scope>* object, ptrdiff_t desired) noexcept
    CUDAX_REFUSE(desired<0 || desired> fair_semaphore<Scope>::max(),
                 "init(fair_semaphore): the count is negative or above max() [thread.sema.cnt]");

/// A counting semaphore that grants permits in FIFO order.
/// Source:   extension; members as counting_semaphore, [thread.sema.cnt]
/// Scope:    Scope, as counting_semaphore
/// Units:    on the host, if more threads than processors contend, a turn costs a switch of threads, as with ticket_mutex
/// Requires: as counting_semaphore; fewer than 2^31 threads wait at a time
/// Example:
///     __device__ cudax::fair_semaphore<cudax::thread_scope_device> slots(8);
///     __global__ void load(int* loads) {
///       slots.acquire(); // blocks until fewer than 8 threads hold a slot; no thread starves
///       atomicAdd(loads, 1);
///       slots.release();
///     }
template <thread_scope Named = thread_scope_system>
class fair_semaphore {
  CUDAX_ENSURE_SCOPE(Named, "fair_semaphore<Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  /// Returns the largest count.
  static constexpr ptrdiff_t max() noexcept { return 0x7fff'ffff; }

  /// Makes a semaphore with the count 0.
  constexpr fair_semaphore() noexcept
    requires(is_wider_than_cluster(Named))
    : tickets_(0), granted_(0) {}
  fair_semaphore() noexcept
    requires(!is_wider_than_cluster(Named))
  = default;
  constexpr explicit fair_semaphore(ptrdiff_t desired) noexcept
      CUDAX_REFUSE(desired<0 || desired> max(),
                   "fair_semaphore: the count is negative or above max() [thread.sema.cnt]")
    : tickets_(0), granted_(u32(desired)) {
    if (!__builtin_is_constant_evaluated()) ensure_count(desired);
  }
  fair_semaphore(fair_semaphore const&) = delete;
  fair_semaphore& operator=(fair_semaphore const&) = delete;

  /// Grants `update` permits: to the threads that have waited longest, and then to the next threads that acquire. An
  /// update of 0 does nothing.
  /// Order:    release; pairs with the acquires that get these permits
  /// Requires: 0 <= update <= max() - the count
  void release(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update<0 || update> max(),
                   "fair_semaphore::release: the update is negative or above max() [thread.sema.cnt]") {
    CUDAX_ENSURE(update >= 0 && update <= max(),
                 "fair_semaphore::release: update %lld is negative or above max() [thread.sema.cnt]", update);
    if (update == 0) return;
    // Each release continues the release sequences of the releases before it. So an acquire synchronizes with every
    // release that was needed to reach its ticket. This is the last access to the object: a thread that acquires may
    // end the object's lifetime.
#if defined(CUDAX_CHECKED)
    // Acquire: pairs with the earlier releases. A thread that released may have acquired before, and ensure_room must
    // see the ticket of that acquire.
    u32 granted = machine::load<Scope, u32>(&granted_, memory_order::acquire);
    do ensure_room(granted, update);
    while (!machine::compare_exchange<Scope, u32>(&granted_, granted, granted + u32(update),
                                                  machine::before_wake<memory_order::release>, memory_order::acquire));
    machine::wake_turns<Scope>(&granted_, granted + 1, u32(update));
#else
    machine::serve_turns<Scope>(&granted_, u32(update));
#endif
  }

  /// Takes a place in the queue and blocks until a permit is granted to it, after all earlier places; subtracts 1 from
  /// the count.
  /// Order:    acquire; pairs with release
  void acquire() noexcept {
    // Relaxed: only the number of the ticket matters. await_turn acquires.
    u32 const ticket = machine::fetch<modification::add, Scope, u32>(&tickets_, 1, memory_order::relaxed);
    machine::await_turn<Scope>(
        &granted_, ticket + 1 CUDAX_WAIT_NAME("fair_semaphore::acquire: # permits were granted; this thread needs #"));
  }

  /// Subtracts 1 from the count unless the count is zero or threads wait; returns whether it did.
  /// Order:    acquire if it returns true; pairs with release
  [[nodiscard]] bool try_acquire() noexcept {
    u32 ticket = machine::load<Scope, u32>(&tickets_, memory_order::relaxed);
    // A ticket below granted_ is granted immediately, and stays so because granted_ only grows. The ticket could belong
    // to the next round of the counter only if 2^32 threads took tickets between the load and the compare-and-swap. The
    // compare-and-swap can be relaxed: what was released is acquired from granted_.
    while (machine::turns_left<Scope>(&granted_, ticket + 1, memory_order::relaxed) <= 0)
      if (machine::compare_exchange<Scope, u32>(&tickets_, ticket, ticket + 1, memory_order::relaxed,
                                                memory_order::relaxed)) {
        machine::upgrade_to_acquire<Scope, u32>(&granted_);
        return true;
      }
    return false;
  }

  /// Repeats try_acquire for at most `length` on the steady clock; returns whether it has subtracted 1. It takes no
  /// place in the queue, so threads in acquire() go first.
  /// Order:    acquire if it returns true; pairs with release
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool try_acquire_for(D const& length) noexcept {
    return machine::attempt_for<Scope>(&granted_, ready_predicate(), try_function(), length);
  }

  /// Repeats try_acquire until `point`, a time point of any clock; otherwise as try_acquire_for.
  /// Order:    acquire if it returns true; pairs with release
  template <time_point_like P>
  [[nodiscard]] bool try_acquire_until(P const& point) noexcept {
    return machine::attempt_until<Scope>(&granted_, ready_predicate(), try_function(), point);
  }

private:
  friend void init<Named>(fair_semaphore* object, ptrdiff_t desired) noexcept;

  static void ensure_count([[maybe_unused]] ptrdiff_t desired) noexcept {
    CUDAX_ENSURE(desired >= 0 && desired <= max(),
                 "fair_semaphore: the count %lld is negative or above max() [thread.sema.cnt]", desired);
  }

  /// Stops a checked build if adding `update` to the count would exceed max(). Threads that take tickets after
  /// `granted` was read only lower the count, so there is no false positive.
  void ensure_room([[maybe_unused]] u32 granted, [[maybe_unused]] ptrdiff_t update) const noexcept {
    [[maybe_unused]] long long const count = int(granted - machine::load<Scope, u32>(&tickets_, memory_order::relaxed));
    CUDAX_ENSURE(update <= max() - count,
                 "fair_semaphore::release: the count exceeds max() by %lld; release only what was acquired "
                 "[thread.sema.cnt]",
                 update - (max() - count));
  }

  auto ready_predicate() const noexcept {
    return [this]() noexcept {
      u32 const ticket = machine::load<Scope, u32>(&tickets_, memory_order::relaxed);
      return machine::turns_left<Scope>(&granted_, ticket + 1, memory_order::relaxed) <= 0;
    };
  }
  auto try_function() noexcept {
    return [this]() noexcept { return try_acquire(); };
  }

  u32 tickets_; // tickets taken
  u32 granted_; // permits granted
};

/// Gives a semaphore its count: for example a semaphore in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
/// Requires: 0 <= desired <= max(); no other thread uses the semaphore during the call
template <thread_scope Scope>
void init(fair_semaphore<Scope>* object, ptrdiff_t desired) noexcept {
  fair_semaphore<Scope>::ensure_count(desired);
  object->tickets_ = 0;
  object->granted_ = u32(desired);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
