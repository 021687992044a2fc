// SPDX-License-Identifier: Apache-2.0
//
// fair_semaphore: a semaphore that serves whoever came first.
// Two counters that only grow: how many have come, and how many may go. acquire takes a ticket and waits until the second
// counter is above it; release adds to the second. The count of the semaphore is the difference; where it is negative,
// so many threads wait. A ticket cannot be given back, so whatever may give up never takes one that is not served
// at once: it tries, when nobody waits.
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

/// A counting semaphore whose acquire serves threads in the order in which they came.
/// Source:   extension; members as counting_semaphore, [thread.sema.cnt]
/// Scope:    Scope, as counting_semaphore
/// Requires: as counting_semaphore; fewer than 2^31 threads wait
template <thread_scope Named = thread_scope_system>
class fair_semaphore {
  static_assert(exists(Named), "cudax.sync: fair_semaphore<Scope>: this thread scope does not exist; use an enumerator "
                               "of cudax::thread_scope");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  /// The largest count.
  static constexpr ptrdiff_t max() noexcept { return 0x7fff'ffff; }

  fair_semaphore() = default;
  constexpr explicit fair_semaphore(ptrdiff_t desired) noexcept
      CUDAX_REFUSE(desired<0 || desired> max(),
                   "fair_semaphore: the count is negative or above max() [thread.sema.cnt]")
    : tickets_(0), granted_(u32(desired)) {
    if (!__builtin_is_constant_evaluated()) ensure_count(desired);
  }
  fair_semaphore(fair_semaphore const&) = delete;
  fair_semaphore& operator=(fair_semaphore const&) = delete;

  /// Lets the `update` threads go that have waited longest, or come next. 0 does nothing.
  /// Order:    release; pairs with the acquire of those who go
  /// Requires: 0 <= update <= max() - the count
  void release(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update<0 || update> max(),
                   "fair_semaphore::release: the update is negative or above max() [thread.sema.cnt]") {
    CUDAX_ENSURE(update >= 0 && update <= max(),
                 "fair_semaphore::release: update %lld is negative or above max() [thread.sema.cnt]", update);
    if (update == 0) return;
    // Each release continues those before it, so whoever goes acquires all that were needed to let it go. It is the last
    // access: a thread that goes may end the object's life.
#if defined(CUDAX_CHECKED)
    // Acquire: pairs with the releases before, whose threads may have acquired, so their tickets are counted, too.
    u32 granted = machine::load<Scope, u32>(&granted_, memory_order::acquire);
    do ensure_room(granted, update);
    while (!machine::compare_exchange<Scope, u32>(&granted_, granted, granted + u32(update), memory_order::release,
                                                  memory_order::acquire));
#else
    machine::reduce<modification::add, Scope, u32>(&granted_, u32(update), memory_order::release);
#endif
    machine::wake<Scope>(&granted_);
  }

  /// Blocks until it can take 1 from the count, after every thread that has come before it.
  /// Order:    acquire; pairs with release
  void acquire() noexcept {
    // Relaxed: only which ticket it is matters.
    u32 const ticket = machine::fetch<modification::add, Scope, u32>(&tickets_, 1, memory_order::relaxed);
    machine::await_turn<Scope>(&granted_, ticket + 1);
  }

  /// Takes 1 from the count unless it is zero or threads wait; returns whether it did.
  /// Order:    acquire where it takes; pairs with release
  [[nodiscard]] bool try_acquire() noexcept {
    u32 ticket = machine::load<Scope, u32>(&tickets_, memory_order::relaxed);
    // A ticket below the other counter, which only grows, is served at once; between the look and the
    // compare-and-swap it could be one of the next round only if 2^32 threads came. Taking it needs no order of its own:
    // what was released is acquired from the other counter.
    while (machine::turns_left<Scope>(&granted_, ticket + 1, memory_order::relaxed) <= 0)
      if (machine::compare_exchange<Scope, u32>(&tickets_, ticket, ticket + 1, memory_order::relaxed,
                                                memory_order::relaxed)) {
        machine::acquire_seen<Scope, u32>(&granted_);
        return true;
      }
    return false;
  }

  /// Tries for `length` at most, on steady time; returns whether it has taken. It has no place in the queue: those who
  /// acquire without a limit go first.
  /// Units:    any duration; zero and less, and NaN, try once
  template <duration_like D>
  [[nodiscard]] bool try_acquire_for(D const& length) noexcept {
    return machine::attempt_for<Scope>(&granted_, looks(), tries(), length);
  }

  /// As try_acquire_for, until `point` at most, of any clock that can be read here.
  template <time_point_like P>
  [[nodiscard]] bool try_acquire_until(P const& point) noexcept {
    return machine::attempt_until<Scope>(&granted_, looks(), tries(), point);
  }

private:
  friend void init<Named>(fair_semaphore* object, ptrdiff_t desired) noexcept;

  static void ensure_count([[maybe_unused]] ptrdiff_t desired) noexcept {
    CUDAX_ENSURE(desired >= 0 && desired <= max(),
                 "fair_semaphore: the count %lld is negative or above max() [thread.sema.cnt]", desired);
  }

  /// Threads that come after `granted` was read make the count smaller: there is no false alarm.
  void ensure_room([[maybe_unused]] u32 granted, [[maybe_unused]] ptrdiff_t update) const noexcept {
    [[maybe_unused]] long long const count = int(granted - machine::load<Scope, u32>(&tickets_, memory_order::relaxed));
    CUDAX_ENSURE(update <= max() - count,
                 "fair_semaphore::release: %lld more than max(); release only what was acquired [thread.sema.cnt]",
                 update - (max() - count));
  }

  auto looks() const noexcept {
    return [this]() noexcept {
      u32 const ticket = machine::load<Scope, u32>(&tickets_, memory_order::relaxed);
      return machine::turns_left<Scope>(&granted_, ticket + 1, memory_order::relaxed) <= 0;
    };
  }
  auto tries() noexcept {
    return [this]() noexcept { return try_acquire(); };
  }

  u32 tickets_; // how many have come
  u32 granted_; // how many may go
};

/// Gives a semaphore its count: one in shared memory, say.
/// Source:   extension
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads
/// Requires: 0 <= desired <= max(); no thread uses the semaphore meanwhile
template <thread_scope Scope>
void init(fair_semaphore<Scope>* object, ptrdiff_t desired) noexcept {
  fair_semaphore<Scope>::ensure_count(desired);
  object->tickets_ = 0;
  object->granted_ = u32(desired);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
