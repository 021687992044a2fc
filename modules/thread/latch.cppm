// SPDX-License-Identifier: Apache-2.0
//
// latch: a countdown that is used once.  [thread.latch]
// One word. An arrival is one release read-modify-write of it, a waiter polls it relaxed and acquires once when it has
// seen zero. Each arrival continues the release sequences of those before it, so whoever sees zero acquires all of them,
// and no arrival needs to acquire. On a device a countdown's result is not used, and the instruction needs none.
module;
#include "../base/macros.hpp"
export module cudax.sync:latch;
import :bits;
import :duration;
import :group;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

template <thread_scope Scope>
class latch;
template <thread_scope Scope>
void init(latch<Scope>* object, ptrdiff_t expected) noexcept
    CUDAX_REFUSE(expected < 0, "init(latch): the count is negative; use 0 or more [thread.latch.class]");

/// A counter that threads count down, and at whose zero they wait. It is not reset.
/// Source:   [thread.latch.class]; the scope is an extension
/// Scope:    Scope, where thread_scope_thread means the block; threads outside it must not use the object. Between host and
///           device it needs memory in which their read-modify-writes are atomic to each other: managed memory of a device
///           with concurrent_managed_access, or any with host_native_atomic_supported (atomicity() tells). In other memory
///           arrivals are lost, and waiters wait indefinitely; there only one side may count down
/// Requires: an object that was made by its default constructor, as in shared memory, is given its count by init before
///           any other use
template <thread_scope Named = thread_scope_system>
class latch {
  static_assert(exists(Named), "cudax.sync: latch<Scope>: this thread scope does not exist; use an enumerator of "
                               "cudax::thread_scope");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  /// The largest count.
  static constexpr ptrdiff_t max() noexcept { return 0x7fff'ffff'ffff'ffff; }

  latch() = default;
  constexpr explicit latch(ptrdiff_t expected) noexcept
      CUDAX_REFUSE(expected < 0, "latch: the count is negative; use 0 or more [thread.latch.class]")
    : count_(expected) {
    if (!__builtin_is_constant_evaluated()) ensure_count(expected);
  }
  latch(latch const&) = delete;
  latch& operator=(latch const&) = delete;

  /// Takes `update` from the count and, where it reaches zero, lets the waiters go. 0 takes part in the order alone:
  /// what was written before it is seen by those who are let go later.
  /// Order:    release; pairs with the acquire of try_wait and wait
  /// Requires: 0 <= update <= the count
  void count_down(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update < 0, "latch::count_down: the update is negative; use 0 or more [thread.latch.class]") {
    CUDAX_ENSURE(update >= 0, "latch::count_down: update %lld is negative; use 0 or more [thread.latch.class]", update);
    ptrdiff_t const before = machine::fetch<modification::add, Scope>(&count_, -update, memory_order::release);
    CUDAX_ENSURE(before >= update,
                 "latch::count_down: the count falls to %lld; count down no more than it was made with "
                 "[thread.latch.class]",
                 before - update);
    if (before == update) machine::wake<Scope>(&count_);
  }

  /// One arrival of a whole group: when all of its threads have called, its first one counts down by 1.
  /// Source:   extension
  /// Order:    what any thread of the group wrote before is released
  /// Requires: every thread of the group calls it
  template <thread_group G>
  void count_down(G const& group) noexcept {
    group.sync();
    if (group.thread_rank() == 0) count_down();
  }

  /// Returns whether the count is zero. Never fails where it is.
  /// Order:    acquire where it is; pairs with count_down
  [[nodiscard]] bool try_wait() const noexcept { return is_zero() && acquired(); }

  /// Blocks until the count is zero: polls relaxed, then acquires once. A device polls; a host thread parks
  /// (runtime/README.md).
  /// Order:    acquire; pairs with count_down
  void wait() const noexcept {
    machine::block_until<Scope>(&count_, looks(), forever);
    acquired();
  }

  /// As wait, for `length` at most, on steady time; returns whether the count is zero.
  /// Source:   extension
  /// Units:    any duration; zero and less, and NaN, look once
  template <duration_like D>
  [[nodiscard]] bool wait_for(D const& length) const noexcept {
    return machine::block_for<Scope>(&count_, looks(), length) && acquired();
  }

  /// As wait, until `point` at most, of any clock that can be read here; returns whether the count is zero.
  /// Source:   extension
  template <time_point_like P>
  [[nodiscard]] bool wait_until(P const& point) const noexcept {
    return (is_zero() || machine::block_until_point<Scope>(&count_, looks(), point)) && acquired();
  }

  /// Counts down by `update` and waits.
  /// Order:    release, then acquire
  /// Requires: 0 <= update <= the count
  void arrive_and_wait(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update < 0, "latch::arrive_and_wait: the update is negative; use 0 or more [thread.latch.class]") {
    count_down(update);
    wait();
  }

  /// One arrival of a whole group, and one waiting thread: its first one. The others wait for that one in sync().
  /// Source:   extension
  /// Order:    as if each thread of the group had released before, and acquires behind
  /// Requires: every thread of the group calls it
  template <thread_group G>
  void arrive_and_wait(G const& group) noexcept {
    group.sync();
    if (group.thread_rank() == 0) arrive_and_wait();
    group.sync();
  }

private:
  friend void init<Named>(latch* object, ptrdiff_t expected) noexcept;

  static void ensure_count([[maybe_unused]] ptrdiff_t expected) noexcept {
    CUDAX_ENSURE(expected >= 0, "latch: the count %lld is negative; use 0 or more [thread.latch.class]", expected);
  }

  bool is_zero() const noexcept { return machine::load<Scope, u64>(&count_, memory_order::relaxed) == 0; }
  auto looks() const noexcept {
    return [this]() noexcept { return is_zero(); };
  }
  /// Behind a relaxed load that saw zero, which nothing replaces.
  bool acquired() const noexcept {
    machine::acquire_seen<Scope, u64>(&count_);
    return true;
  }

  ptrdiff_t count_;
};

/// Gives a latch its count: one in shared memory, say, or one that all are done with.
/// Source:   extension
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads
/// Requires: 0 <= expected; no thread uses the latch meanwhile
template <thread_scope Scope>
void init(latch<Scope>* object, ptrdiff_t expected) noexcept {
  latch<Scope>::ensure_count(expected);
  object->count_ = expected;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
