// SPDX-License-Identifier: Apache-2.0
//
// barrier_state: the phases of a barrier as one word.
//
// The word holds the number of the phase in its high half and the arrivals that the phase still awaits in its low half; a
// second word holds how many arrivals the next phase will await. An arrival takes its count from the word with one
// release fetch_sub. The last one, which brings the low half to zero, runs the completion, and then changes number and
// count together with one release store.
//
// Why a store is enough: nobody else writes the word from the arrival that brings the low half to zero until that store.
// An arrival before it would be one more than the phase awaits, which is misuse, and waiters only read. So no phase can
// begin, let alone end, with the count of another. A barrier that changes number and count by two operations is wrong:
// between them the next phase can end, and the reset then gives its successor a wrong count for ever.
//
// Why these orders. Arrivals release: what a thread wrote before is seen behind the wait. Each continues the release
// sequences of those before it in its phase, so the last arrival's acquire takes in all of them, and needs to come only
// there. It has to come: the completion is the program's code and reads what they wrote, the second word may have been
// counted down by any of them, and the store that follows is no read-modify-write, so it ends those sequences and must
// hand on what they released. Hence release on the store, and acquire once for a waiter that has seen the number change.
// A waiter may see a later number than the next: that store was made by a thread which had acquired, arrival by arrival,
// all phases before.
//
// The number has 32 bits and a token is one phase old at most, so a waiter that is late by 2^32 - 2 phases is still right
// about what it sees; one that waits for a parity must not be late by two.
module;
#include "macros.hpp"
export module cudax.sync:barrier_state;
import :bits;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// The completion of a barrier that has none.
struct no_completion {
  constexpr void operator()() const noexcept {}
};

template <thread_scope S>
class barrier_state {
public:
  static constexpr ptrdiff_t max_count = 0x7fff'ffff;

  constexpr void start(u32 count) noexcept {
    word_ = count;
    next_count_ = count;
  }

  /// Arrives `count` times; returns the phase.
  template <class Completion>
  u32 arrive(u32 count, Completion& completion) noexcept {
    u64 const before = fetch<modification::add, S>(&word_, u64(0) - count, memory_order::release);
    CUDAX_ENSURE(count <= missing(before),
                 "barrier::arrive: %lld arrivals more than the phase awaits; arrive no more often than the barrier was "
                 "made for, less the threads that dropped out [thread.barrier.class]",
                 (long long)count - missing(before));
    if (missing(before) == count) finish(phase(before), completion);
    return phase(before);
  }

  /// From the next phase on one arrival less is awaited. Relaxed: the thread's arrival, which follows, releases it.
  void drop() noexcept {
    [[maybe_unused]] u32 const before = fetch<modification::add, S>(&next_count_, u32(0) - 1, memory_order::relaxed);
    CUDAX_ENSURE(before > 0, "barrier::arrive_and_drop: %lld threads are left to drop out [thread.barrier.class]",
                 before);
  }

  /// The phase now, relaxed.
  u32 phase() const noexcept { return phase(load<S, u64>(&word_, memory_order::relaxed)); }

  /// What waiters poll.
  bool is_over(u32 awaited_phase) const noexcept { return phase() != awaited_phase; }
  bool is_over_parity(bool parity) const noexcept { return (phase() & 1) != parity; }

  /// Behind a look that saw the awaited phase over.
  bool acquired() const noexcept {
    acquire_seen<S, u64>(&word_);
    return true;
  }

  void* address() noexcept { return &word_; }
  void const* address() const noexcept { return &word_; }

private:
  static u32 phase(u64 word) noexcept { return u32(word >> 32); }
  static u32 missing(u64 word) noexcept { return u32(word); }

  template <class Completion>
  void finish(u32 phase, Completion& completion) noexcept {
    acquire_seen<S, u64>(&word_); // pairs with the arrivals' release
    completion();
    u32 const count = load<S, u32>(&next_count_, memory_order::relaxed);
    store<S, u64>(&word_, u64(phase + 1) << 32 | count, memory_order::release); // pairs with acquired()
    wake<S>(&word_);
  }

  u64 word_;       // or an mbarrier (barrier_hardware.cppm)
  u32 next_count_; // arrivals that a phase begins with
};

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
