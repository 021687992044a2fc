// SPDX-License-Identifier: Apache-2.0
//
// semaphore: a count of permits to acquire and to release.  [thread.sema]
//
// Counting: the state is one word. A release adds to the word, by a reduction on a device. On a device an acquire
// subtracts 1; if the count was not positive, it adds 1 again, and waits until the count is positive. So a permit costs
// one trip to memory, and contending threads do not make each other repeat, as with compare-and-swap. For a moment the
// count may be below zero, and too low by as many as there are such threads: the word is read as a signed number, and
// an attempt may fail although a permit is left. But no permit is lost: of the threads that subtract while the count
// is positive, the first ones get the permits, and each of the others gives back what it took. All of these are
// read-modify-writes, so they continue the release sequences of the releases.
//   On the host an acquire is a compare-and-swap of a count that was seen to be positive, because a thread that gave
// back a permit would have to wake another one.
// Binary: the word is a flag. A release is a store and an acquire is an exchange: one trip to memory each. An exchange
// that reads 0 also writes 0, which changes nothing.
// The semaphore is not fair: any waiter may acquire next, and a thread may starve. fair_semaphore prevents that.
// Waiters only read the word.
module;
#include "../base/macros.hpp"
export module cudax.sync:semaphore;
import :attempt;
import :bits;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

template <thread_scope Scope, ptrdiff_t LeastMax>
class counting_semaphore;
template <thread_scope Scope, ptrdiff_t LeastMax>
void init(counting_semaphore<Scope, LeastMax>* object, ptrdiff_t desired) noexcept
    CUDAX_REFUSE(desired<0 || desired>(counting_semaphore<Scope, LeastMax>::max()),
                 "init(counting_semaphore): the count is negative or above max() [thread.sema.cnt]");

/// A count that acquire decrements and release increments; acquire blocks while the count is zero.
/// Source:   [thread.sema.cnt]; the scope and init are extensions
/// Scope:    Scope, where thread_scope_thread means the block; threads outside Scope must not use the object. A
///           semaphore that host and device share needs memory that is atomic between host and device. In other memory
///           a release may be lost, or two threads may acquire the same permit
/// Requires: at a scope narrower than thread_scope_device, an object without an initializer gets its count from init
///           before any other use: there the default constructor is trivial, so that the object can be in shared memory
/// Example:
///     void upload(cudax::counting_semaphore<>& free_buffers) { // made with the number of buffers
///       free_buffers.acquire();
///       // ... take a buffer, fill it and copy it
///       free_buffers.release();
///     }
template <thread_scope Named = thread_scope_system, ptrdiff_t LeastMax = 0x7fff'ffff>
class counting_semaphore {
  CUDAX_ENSURE_SCOPE(Named, "counting_semaphore<Scope>");
  static_assert(LeastMax >= 0, "cudax.sync: counting_semaphore<Scope, LeastMax>: the largest count is negative "
                               "[thread.sema.cnt]");
  static constexpr thread_scope Scope = scope_among_threads(Named);
  static constexpr bool is_binary = LeastMax <= 1;
  static constexpr bool is_small = LeastMax <= 0x7fff'ffff;
  using word = choose<is_small, u32, u64>;
  using number = choose<is_small, int, long long>; // what a word means

public:
  /// Returns the largest count, which is at least LeastMax.
  static constexpr ptrdiff_t max() noexcept { return is_binary ? 1 : is_small ? 0x7fff'ffff : 0x7fff'ffff'ffff'ffff; }

  /// Makes a semaphore with the count 0.
  constexpr counting_semaphore() noexcept
    requires(is_wider_than_cluster(Named))
    : count_(0) {}
  counting_semaphore() noexcept
    requires(!is_wider_than_cluster(Named))
  = default;
  constexpr explicit counting_semaphore(ptrdiff_t desired) noexcept
      CUDAX_REFUSE(desired<0 || desired> max(),
                   "counting_semaphore: the count is negative or above max() [thread.sema.cnt]")
    : count_(word(desired)) {
    if (!__builtin_is_constant_evaluated()) ensure_count(desired);
  }
  counting_semaphore(counting_semaphore const&) = delete;
  counting_semaphore& operator=(counting_semaphore const&) = delete;

  /// Adds `update` to the count, so that up to `update` waiters can acquire. An update of 0 does nothing.
  /// Order:    release; pairs with each acquire that takes one of these permits
  /// Requires: 0 <= update <= max() - the count
  void release(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update<0 || update> max(),
                   "counting_semaphore::release: the update is negative or above max() [thread.sema.cnt]") {
    CUDAX_ENSURE(update >= 0 && update <= max(),
                 "counting_semaphore::release: update %lld is negative or above max() [thread.sema.cnt]", update);
    if (update == 0) return;
    // The acquire that takes a permit reads this write, or a read-modify-write in the release sequence that this write
    // heads.
    if constexpr (is_binary) {
      CUDAX_ENSURE(!is_positive(),
                   "counting_semaphore::release: the count exceeds max() by %lld; release only what was acquired "
                   "[thread.sema.cnt]",
                   update);
      machine::check_as_modification<Scope, word>(&count_); // an acquire is an exchange
      machine::store<Scope, word>(&count_, 1, machine::before_wake<memory_order::release>);
    } else {
      add(word(update));
    }
    machine::wake_some<Scope>(&count_, update); // each waiter takes one permit
  }

  /// Blocks until the count is positive, and subtracts 1. Waiters acquire in no particular order.
  /// Order:    acquire; pairs with release
  void acquire() noexcept {
    [[maybe_unused]] auto const ready =
        CUDAX_AWAITS(ready_predicate(), "counting_semaphore::acquire: no permit was released");
    if constexpr (is_binary) machine::attempt_one_by_one<Scope>(&count_, ready, take_function());
    else machine::attempt_forever<Scope>(&count_, ready, take_function());
  }

  /// Subtracts 1 from the count if the count is positive; returns whether it did. On a device it may also fail while
  /// other threads acquire at the same time.
  /// Order:    acquire if it returns true; pairs with release
  [[nodiscard]] bool try_acquire() noexcept { return is_positive() && take(); }

  /// Blocks as acquire, but for at most `length` on the steady clock; returns whether it has subtracted 1.
  /// Order:    acquire if it returns true; pairs with release
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool try_acquire_for(D const& length) noexcept {
    return machine::attempt_for<Scope>(&count_, ready_predicate(), take_function(), length);
  }

  /// Blocks as acquire, but at most until `point`, a time point of any clock; returns whether it has subtracted 1.
  /// Order:    acquire if it returns true; pairs with release
  template <time_point_like P>
  [[nodiscard]] bool try_acquire_until(P const& point) noexcept {
    return machine::attempt_until<Scope>(&count_, ready_predicate(), take_function(), point);
  }

private:
  friend void init<Named, LeastMax>(counting_semaphore* object, ptrdiff_t desired) noexcept;

  static void ensure_count([[maybe_unused]] ptrdiff_t desired) noexcept {
    CUDAX_ENSURE(desired >= 0 && desired <= max(),
                 "counting_semaphore: the count %lld is negative or above max() [thread.sema.cnt]", desired);
  }

  void add(word update) noexcept {
#if defined(CUDAX_CHECKED)
    word const before =
        machine::fetch<modification::add, Scope>(&count_, update, machine::before_wake<memory_order::release>);
    ptrdiff_t const room = max() - ptrdiff_t(update);
    CUDAX_ENSURE(number(before) <= room,
                 "counting_semaphore::release: the count exceeds max() by %lld; release only what was acquired "
                 "[thread.sema.cnt]",
                 (long long)number(before) - room);
#else
    machine::reduce<modification::add, Scope>(&count_, update, machine::before_wake<memory_order::release>);
#endif
  }

  bool is_positive() const noexcept { return number(machine::load<Scope, word>(&count_, memory_order::relaxed)) > 0; }
  auto ready_predicate() const noexcept {
    return [this]() noexcept { return is_positive(); };
  }

  /// Subtracts 1 from the count if the count is positive; returns whether it did.
  /// Order: acquire. A release is not needed, since taking a permit publishes nothing that the thread did before.
  bool take() noexcept {
    if constexpr (is_binary) {
      return machine::exchange<Scope, word>(&count_, 0, memory_order::acquire) != 0;
    } else if constexpr (!machine::traits::parks) {
      if (number(machine::fetch<modification::add, Scope>(&count_, word(-1), memory_order::acquire)) > 0) return true;
      machine::reduce<modification::add, Scope>(&count_, word(1), memory_order::relaxed);
      return false;
    } else {
      word seen = machine::load<Scope, word>(&count_, memory_order::relaxed);
      while (number(seen) > 0)
        if (machine::compare_exchange<Scope, word>(&count_, seen, seen - 1, memory_order::acquire,
                                                   memory_order::relaxed))
          return true;
      return false;
    }
  }
  auto take_function() noexcept {
    return [this]() noexcept { return take(); };
  }

  word count_;
};

/// A count of 0 or 1.
/// Source:   [thread.sema.cnt]
/// Example:
///     __global__ void answer(cudax::binary_semaphore<>* asked, int const* question, int* result) {
///       asked->acquire(); // the host has written the question
///       *result = 2 * *question;
///     }
template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

/// Gives a semaphore its count: for example a semaphore in shared memory.
/// Source:   extension
/// Order:    none: a plain initialization
/// Requires: 0 <= desired <= max(); no other thread uses the semaphore during the call
template <thread_scope Scope, ptrdiff_t LeastMax>
void init(counting_semaphore<Scope, LeastMax>* object, ptrdiff_t desired) noexcept {
  counting_semaphore<Scope, LeastMax>::ensure_count(desired);
  object->count_ = (typename counting_semaphore<Scope, LeastMax>::word)desired;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
