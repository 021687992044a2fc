// SPDX-License-Identifier: Apache-2.0
//
// latch: a single-use countdown.  [thread.latch]
// The state is one word. An arrival is one release read-modify-write of the word. A waiter polls the word with relaxed
// loads and acquires once, after the poll that read zero. Each arrival continues the release sequences of the arrivals
// before it. So a waiter that reads zero acquires all arrivals, and no arrival has to acquire. On a device no thread
// has to be woken, so nothing uses the result of the read-modify-write, and its instruction need not return one.
//
// Many threads that arrive and wait. The lanes of a warp that call arrive_and_wait together arrive and wait as one: at
// device scope the updates of one word follow each other in the L2, and polls delay them. For the same reason a thread
// pauses before a poll while many updates are missing. On an H200 a latch of 132 blocks with 128, 256, 512 and 1,024
// threads takes 2,234, 3,240, 6,257 and 12,997 cycles; without both, 2,988, 5,736, 12,199 and 26,043. With 32 threads
// it takes 1,945 instead of 1,604.
module;
#include "../base/macros.hpp"
export module cudax.sync:latch;
import :bits;
import :combined;
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

/// A counter that threads decrement; other threads block until it is zero. The counter is never reset.
/// Source:   [thread.latch.class]; the scope is an extension
/// Scope:    Scope, where thread_scope_thread means the block; threads outside Scope must not use the object. A latch
///           that host and device share needs memory that is atomic between host and device. In other memory only one
///           side may count down; if both do, arrivals are lost and waiters block indefinitely
/// Requires: an object made by the default constructor, as in shared memory, gets its count from init before any other
///           use
/// Example:
///     __global__ void rotate(int* values) {
///       __shared__ cudax::latch<cudax::thread_scope_block> loaded;
///       if (threadIdx.x == 0) init(&loaded, blockDim.x);
///       __syncthreads();
///       int const value = values[threadIdx.x];
///       loaded.arrive_and_wait(); // every thread has loaded its value
///       values[(threadIdx.x + 1) % blockDim.x] = value;
///     }
template <thread_scope Named = thread_scope_system>
class latch {
  CUDAX_ENSURE_SCOPE(Named, "latch<Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  /// Returns the largest count.
  static constexpr ptrdiff_t max() noexcept { return 0x7fff'ffff'ffff'ffff; }

  latch() = default;
  constexpr explicit latch(ptrdiff_t expected) noexcept
      CUDAX_REFUSE(expected < 0, "latch: the count is negative; use 0 or more [thread.latch.class]")
    : count_(expected) {
    if (!__builtin_is_constant_evaluated()) ensure_count(expected);
  }
  latch(latch const&) = delete;
  latch& operator=(latch const&) = delete;

  /// Subtracts `update` from the count; if the count becomes zero, unblocks the waiters.
  /// Order:    release; pairs with the acquire of try_wait and wait. An update of 0 has release semantics and does not
  ///           change the count
  /// Requires: 0 <= update <= the count
  void count_down(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update < 0, "latch::count_down: the update is negative; use 0 or more [thread.latch.class]") {
    CUDAX_ENSURE(update >= 0, "latch::count_down: update %lld is negative; use 0 or more [thread.latch.class]", update);
    (void)subtract(update);
  }

  /// Counts down by 1 for a whole group: after all threads of the group have called, its first thread counts down.
  /// Source:   extension
  /// Order:    release, of everything that is sequenced before the call in any thread of the group
  /// Requires: every thread of the group calls it
  template <thread_group G>
  void count_down(G const& group) noexcept {
    if (thread_detail::sync_and_choose_first(group)) count_down();
  }

  /// Returns whether the count is zero. Never fails spuriously.
  /// Order:    acquire if it returns true; pairs with count_down
  [[nodiscard]] bool try_wait() const noexcept { return is_zero() && acquired(); }

  /// Blocks until the count is zero. A device thread polls; a host thread spins briefly, then parks
  /// (the guide, "Waiting on the host").
  /// Order:    acquire; pairs with count_down
  void wait() const noexcept {
    // On the host the first poll is here, because the last arrival need not call the runtime.
    if (!machine::traits::parks || !is_zero())
      machine::block_until<Scope>(&count_, CUDAX_AWAITS(zero_predicate(), "latch::wait: missing arrivals: #", left()),
                                  forever);
    acquired();
  }

  /// Blocks as wait, but for at most `length` on the steady clock; returns whether the count is zero.
  /// Source:   extension
  /// Order:    acquire if it returns true; pairs with count_down
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool wait_for(D const& length) const noexcept {
    return machine::block_for<Scope>(&count_, zero_predicate(), length) && acquired();
  }

  /// Blocks as wait, but at most until `point`, a time point of any clock; returns whether the count is zero.
  /// Source:   extension
  /// Order:    acquire if it returns true; pairs with count_down
  template <time_point_like P>
  [[nodiscard]] bool wait_until(P const& point) const noexcept {
    return (is_zero() || machine::block_until_point<Scope>(&count_, zero_predicate(), point)) && acquired();
  }

  /// Counts down by `update`, then blocks until the count is zero.
  /// Order:    release, then acquire
  /// Requires: 0 <= update <= the count
  void arrive_and_wait(ptrdiff_t update = 1) noexcept
      CUDAX_REFUSE(update < 0, "latch::arrive_and_wait: the update is negative; use 0 or more [thread.latch.class]") {
    CUDAX_ENSURE(update >= 0, "latch::arrive_and_wait: update %lld is negative; use 0 or more [thread.latch.class]",
                 update);
    machine::act_for_peers<Scope>(&count_, u64(update), [this, update](u32 count) noexcept {
      pause_for(subtract(count * update));
      auto const changed = [this]() noexcept { return poll_with_pause(); };
      machine::block_until<Scope>(&count_, CUDAX_AWAITS(changed, "latch::arrive_and_wait: missing arrivals: #", left()),
                                  forever);
      acquired();
    });
  }

  /// Counts down by 1 for a whole group, then blocks all of its threads until the count is zero. The group's first
  /// thread counts down and waits for the latch; the other threads wait for the first thread in sync().
  /// Source:   extension
  /// Order:    release, then acquire, as if by every thread of the group
  /// Requires: every thread of the group calls it
  template <thread_group G>
  void arrive_and_wait(G const& group) noexcept {
    thread_detail::act_for_group(group, [this]() noexcept {
      count_down();
      wait();
    });
  }

private:
  friend void init<Named>(latch* object, ptrdiff_t expected) noexcept;

  static void ensure_count([[maybe_unused]] ptrdiff_t expected) noexcept {
    CUDAX_ENSURE(expected >= 0, "latch: the count %lld is negative; use 0 or more [thread.latch.class]", expected);
  }

  /// Counts down and returns what is left.
  ptrdiff_t subtract(ptrdiff_t update) noexcept {
    ptrdiff_t const before =
        machine::fetch<modification::add, Scope>(&count_, -update, machine::before_wake<memory_order::release>);
    CUDAX_ENSURE(before >= update,
                 "latch::count_down: the count falls to %lld; the updates must not exceed the initial count "
                 "[thread.latch.class]",
                 before - update);
    if (before == update) machine::wake<Scope>(&count_);
    return before - update;
  }

  ptrdiff_t left() const noexcept { return ptrdiff_t(machine::load<Scope, u64>(&count_, memory_order::relaxed)); }
  bool is_zero() const noexcept { return left() == 0; }

  /// Pauses a thread that is about to poll while many updates are missing, so that its polls do not delay them.
  static void pause_for(ptrdiff_t left) noexcept {
    constexpr ptrdiff_t most = 0x7fff'ffff;
    machine::pause_for_operations<Scope>(unsigned(left < most ? left : most));
  }
  bool poll_with_pause() const noexcept {
    ptrdiff_t const now = left();
    if (now != 0) pause_for(now);
    return now == 0;
  }
  auto zero_predicate() const noexcept {
    return [this]() noexcept { return is_zero(); };
  }
  /// Upgrades the preceding relaxed load, which read zero, to an acquire. No later store replaces the zero.
  bool acquired() const noexcept {
    machine::upgrade_to_acquire<Scope, u64>(&count_);
    return true;
  }

  ptrdiff_t count_;
};

/// Gives a latch its count: for example a latch in shared memory, or one that no thread uses any more.
/// Source:   extension
/// Order:    none: a plain initialization
/// Requires: 0 <= expected; no other thread uses the latch during the call
template <thread_scope Scope>
void init(latch<Scope>* object, ptrdiff_t expected) noexcept {
  latch<Scope>::ensure_count(expected);
  object->count_ = expected;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
