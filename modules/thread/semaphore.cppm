// SPDX-License-Identifier: Apache-2.0
//
// semaphore: a count of things to take and to give back.  [thread.sema]
//
// Counting: one word. Giving back adds to it, a reduction on a device; taking is a compare-and-swap of a count that was
// seen to be positive, so that the count never falls below zero and a thread that gives up has nothing to undo.
// Binary: the word is a flag. Giving back is a store and taking an exchange, one trip to the memory each; an exchange
// that finds 0 has written 0 over it, which changes nothing.
// Whoever comes first takes: of many threads that take again and again one may go away empty for long, which
// fair_semaphore prevents. Those who wait only read.
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

/// A count that threads take from, where they wait while it is zero, and add to.
/// Source:   [thread.sema.cnt]; the scope and init are extensions
/// Scope:    Scope, where thread_scope_thread means the block; threads outside it must not use the object. Between host and
///           device it needs memory in which their read-modify-writes are atomic to each other: managed memory of a device
///           with concurrent_managed_access, or any with host_native_atomic_supported (atomicity() tells). In other memory
///           releases are lost, or two threads take the same one
/// Requires: an object that was made by its default constructor, as in shared memory, is given its count by init before
///           any other use
template <thread_scope Named = thread_scope_system, ptrdiff_t LeastMax = 0x7fff'ffff>
class counting_semaphore {
  static_assert(exists(Named), "cudax.sync: counting_semaphore<Scope>: this thread scope does not exist; use an "
                               "enumerator of cudax::thread_scope");
  static_assert(LeastMax >= 0, "cudax.sync: counting_semaphore<Scope, LeastMax>: the largest count is negative "
                               "[thread.sema.cnt]");
  static constexpr thread_scope Scope = scope_among_threads(Named);
  static constexpr bool is_binary = LeastMax <= 1;
  static constexpr bool is_small = LeastMax <= 0x7fff'ffff;
  using word = choose<is_small, u32, u64>;

public:
  /// The largest count: LeastMax or more.
  static constexpr ptrdiff_t max() noexcept { return is_binary ? 1 : is_small ? 0x7fff'ffff : 0x7fff'ffff'ffff'ffff; }

  counting_semaphore() = default;
  constexpr explicit counting_semaphore(ptrdiff_t desired) noexcept
      CUDAX_REFUSE(desired<0 || desired> max(),
                   "counting_semaphore: the count is negative or above max() [thread.sema.cnt]")
    : count_(word(desired)) {
    if (!__builtin_is_constant_evaluated()) ensure_count(desired);
  }
  counting_semaphore(counting_semaphore const&) = delete;
  counting_semaphore& operator=(counting_semaphore const&) = delete;

  /// Adds `update` to the count and lets as many waiters take from it. 0 does nothing.
  /// Order:    release; pairs with the acquire of whoever takes what was added
  /// Requires: 0 <= update <= max() - the count
  void release(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update<0 || update> max(),
                   "counting_semaphore::release: the update is negative or above max() [thread.sema.cnt]") {
    CUDAX_ENSURE(update >= 0 && update <= max(),
                 "counting_semaphore::release: update %lld is negative or above max() [thread.sema.cnt]", update);
    if (update == 0) return;
    // Whoever takes reads this very write, or one of a chain of read-modify-writes that it heads.
    if constexpr (is_binary) {
      CUDAX_ENSURE(!is_positive(),
                   "counting_semaphore::release: %lld more than max(); release only what was acquired "
                   "[thread.sema.cnt]",
                   update);
      machine::check_as_modification<Scope, word>(&count_); // an acquire exchanges
      machine::store<Scope, word>(&count_, 1, memory_order::release);
    } else {
      add(word(update));
    }
    machine::wake<Scope>(&count_);
  }

  /// Blocks until it can take 1 from the count. The order of those who wait is not defined.
  /// Order:    acquire; pairs with release
  void acquire() noexcept { machine::attempt_forever<Scope>(&count_, looks(), takes()); }

  /// Takes 1 from the count unless it is zero; returns whether it did. Fails only where it has seen zero.
  /// Order:    acquire where it takes; pairs with release
  [[nodiscard]] bool try_acquire() noexcept { return is_positive() && take(); }

  /// As acquire, for `length` at most, on steady time; returns whether it has taken.
  /// Units:    any duration; zero and less, and NaN, try once
  template <duration_like D>
  [[nodiscard]] bool try_acquire_for(D const& length) noexcept {
    return machine::attempt_for<Scope>(&count_, looks(), takes(), length);
  }

  /// As acquire, until `point` at most, of any clock that can be read here; returns whether it has taken.
  template <time_point_like P>
  [[nodiscard]] bool try_acquire_until(P const& point) noexcept {
    return machine::attempt_until<Scope>(&count_, looks(), takes(), point);
  }

private:
  friend void init<Named, LeastMax>(counting_semaphore* object, ptrdiff_t desired) noexcept;

  static void ensure_count([[maybe_unused]] ptrdiff_t desired) noexcept {
    CUDAX_ENSURE(desired >= 0 && desired <= max(),
                 "counting_semaphore: the count %lld is negative or above max() [thread.sema.cnt]", desired);
  }

  void add(word update) noexcept {
#if defined(CUDAX_CHECKED)
    word const before = machine::fetch<modification::add, Scope>(&count_, update, memory_order::release);
    CUDAX_ENSURE(before <= word(max()) - update,
                 "counting_semaphore::release: %lld more than max(); release only what was acquired "
                 "[thread.sema.cnt]",
                 (long long)(before - (word(max()) - update)));
#else
    machine::reduce<modification::add, Scope>(&count_, update, memory_order::release);
#endif
  }

  bool is_positive() const noexcept { return machine::load<Scope, word>(&count_, memory_order::relaxed) != 0; }
  auto looks() const noexcept {
    return [this]() noexcept { return is_positive(); };
  }

  /// Acquire alone: what the thread did before is not handed to anybody by taking.
  bool take() noexcept {
    if constexpr (is_binary) {
      return machine::exchange<Scope, word>(&count_, 0, memory_order::acquire) != 0;
    } else {
      word seen = machine::load<Scope, word>(&count_, memory_order::relaxed);
      while (seen != 0)
        if (machine::compare_exchange<Scope, word>(&count_, seen, seen - 1, memory_order::acquire,
                                                   memory_order::relaxed))
          return true;
      return false;
    }
  }
  auto takes() noexcept {
    return [this]() noexcept { return take(); };
  }

  word count_;
};

/// A count of 0 or 1.
/// Source:   [thread.sema.cnt]
template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

/// Gives a semaphore its count: one in shared memory, say.
/// Source:   extension
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads
/// Requires: 0 <= desired <= max(); no thread uses the semaphore meanwhile
template <thread_scope Scope, ptrdiff_t LeastMax>
void init(counting_semaphore<Scope, LeastMax>* object, ptrdiff_t desired) noexcept {
  counting_semaphore<Scope, LeastMax>::ensure_count(desired);
  object->count_ = (typename counting_semaphore<Scope, LeastMax>::word)desired;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
