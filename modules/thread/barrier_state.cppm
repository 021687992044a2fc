// SPDX-License-Identifier: Apache-2.0
//
// barrier_state: the phases of a barrier in one word.
//
// Layout. The word holds, from its top bits down: the phase number, the arrival count, and the expected count (how many
// arrivals a phase expects). The arrival count runs up to `full`, a power of two. An arrival adds its count with one
// release read-modify-write. The operation that brings the arrival count to `full` ends the phase: the carry adds 1 to
// the phase number and leaves the arrival count at 0. A refill must then be added to the arrival count, so that the
// arrivals of the next phase bring it to `full` again.
//
// Ending a phase, in general. A phase expects the program's arrivals and one more. The last arrival of the program
// recognises itself by the result of its addition. It runs the completion, which must precede the end of the phase, and
// then adds the extra arrival together with the refill. So one operation changes the phase number and the arrival
// count, and it is the last access to the object in this phase. Two things follow. A waiter may end the object's
// lifetime. And host and device may arrive alternately, phase by phase, in mapped memory, where only one side at a time
// may modify.
//
// Why one operation. If one operation changed the phase number and a second one the arrival count, the next phase could
// end between the two, and all later phases would have a wrong count. Two operations are correct only if their order
// does not matter, as in the next case.
//
// Ending a phase at device scope without a completion. A phase expects the program's arrivals only. Here the cost of a
// phase is trips to the L2, and the addition of the last arrival itself ends the phase, one trip earlier. The last
// arrival then adds the refill separately, and only arrive_and_drop waits for a refill. So arrivals of the next phase
// may take effect before the refill. The order does not matter, because each phase adds the same sum: its arrivals and
// one refill. Suppose that all arrivals of the next phase overtake the refill. The last of them recognises itself by
// the number of arrivals alone, and adds a refill as well. The two refills are equal: the one that takes effect first
// ends that phase, and the other one refills the count for the phase after it. An arrival can tell whether the count
// has been refilled: a phase has at most 2^20 - 1 arrivals, and the arrival count has one bit more than they need, so
// it is below 2^20 before its refill and at least 2^20 after it.
//   Dropping out subtracts 1 from the expected count, in the same addition as the arrival. An arrival that overtakes
//   the refill must still find the expected count of its own phase, so arrive_and_drop waits until the refill has been
//   added. Lifetime: the refill is written after the phase ends, so a waiter must not end the object's lifetime only
//   because its wait has returned.
//   On the host a trip to memory costs little: an arrival is one compare-and-swap, and the last arrival's
//   compare-and-swap includes the refill.
//
// Memory orders. Arrivals release, so that what a thread wrote before its arrival is visible after the wait. Each
// arrival continues the release sequences of the arrivals before it. So does a refill, which can be relaxed because its
// thread has already published everything by its arrival. So a waiter that acquires from any of these operations
// acquires what every arrival released. With a completion, the last arrival acquires, because the completion is the
// program's code and reads what the arriving threads wrote. It then ends the phase with a release store, which
// publishes what the completion wrote and what the last arrival acquired. No other thread writes at that time, because
// a further arrival would exceed the expected count. A waiter acquires once, after it has seen the phase number change.
//
// Width of the phase number. The expected count has 20 bits, since 2^20 - 1 is more threads than a device runs at once.
// The arrival count has 20 bits, or 21 at device scope without a completion. So the phase number has 24 bits, or 23 at
// device scope without a completion. A waiter compares the phase number with the number in its token, which is of the
// current or the previous phase when the waiter calls. The other threads may then complete any number of phases before
// the waiter polls again. The waiter finds its phase complete unless they completed exactly 2^24 (2^23) phases, or a
// multiple, between two of its polls. In that case the waiter continues to wait and returns when they complete another
// phase; if they never do, it never returns. The width makes this improbable, not impossible. The blocks of a grid take
// nine seconds for 2^23 phases of 1.1 us. But a host thread that completes phases alone takes 0.04 s for 2^23 phases at
// device scope and 0.2 s for 2^24 at system scope, and the operating system may suspend a waiter for that long. To
// exclude the case, the barrier would need a second word, which every arrival would have to read. A thread that waits
// for a parity must not be two phases late.
module;
#include "../base/macros.hpp"
export module cudax.sync:barrier_state;
import :bits;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::thread_detail {

/// The completion of a barrier that has none.
struct no_completion {
  constexpr void operator()() const noexcept {}
};

/// The result of an arrival.
struct barrier_arrival {
  u32 phase;
  u32 missing;      // arrivals that the phase still expects after this one
  bool ended_phase; // this arrival ended the phase
};

template <thread_scope S, class Completion>
class barrier_state {
  static constexpr bool has_completion = !same_as<Completion, no_completion>;
  static constexpr bool last_addition_ends_phase = !has_completion && S == thread_scope_device;
  static constexpr bool refills_separately = last_addition_ends_phase && machine::traits::refills_after_phase;

  static constexpr int expected_bits = 20;
  // With last_addition_ends_phase, the extra bit tells whether the count has been refilled.
  static constexpr int count_bits = expected_bits + last_addition_ends_phase;
  static constexpr int phase_bits = 64 - count_bits - expected_bits;
  static constexpr u64 full = u64(1) << count_bits;
  static constexpr u64 one_arrival = u64(1) << expected_bits; // the field above the expected count
  static constexpr u64 one_phase = full * one_arrival;        // the field above the arrival count
  static constexpr u64 min_refilled_count = full >> 1;        // if last_addition_ends_phase

public:
  static constexpr ptrdiff_t max_count = one_arrival - 1;

  constexpr void start(u32 count) noexcept {
    u64 const awaited = count + !last_addition_ends_phase;
    word_ = (full - awaited) % full * one_arrival + count;
  }

  /// Arrives `count` times.
  barrier_arrival arrive(u32 count, Completion& completion) noexcept { return add(count, 0, completion); }

  /// Arrives once, and lowers the expected count of all later phases by one.
  void arrive_and_drop(Completion& completion) noexcept {
    if constexpr (refills_separately) {
      auto const may_drop = [this]() noexcept {
        u64 const word = load_word();
        return is_refilled(word) || expected(word) == 0;
      };
      machine::block_until<S>(&word_, CUDAX_AWAITS(may_drop, "barrier::arrive_and_drop: the next phase has not begun"),
                              forever);
    }
    (void)add(1, 1, completion);
  }

  /// Returns the number of the current phase, by a relaxed load.
  u32 phase() const noexcept { return phase(load_word()); }

  /// Returns how many phases ago `phase` was.
  u32 age(u32 phase) const noexcept { return (this->phase() - phase) % (u32(1) << phase_bits); }

  bool is_complete(u32 awaited_phase) const noexcept { return phase() != awaited_phase; }
  bool is_parity_complete(bool parity) const noexcept { return (phase() & 1) != parity; }

  /// As is_complete, for pollers: if the phase is not complete, pauses before it returns, so that the poll does not
  /// delay the missing arrivals.
  bool poll_with_pause(u32 awaited_phase) const noexcept {
    u64 const word = load_word();
    return phase(word) != awaited_phase || pause_and_return_false(missing(word));
  }
  bool poll_parity_with_pause(bool parity) const noexcept {
    u64 const word = load_word();
    return (phase(word) & 1) != parity || pause_and_return_false(missing(word));
  }

  /// Pauses in the same way before the first poll.
  static void pause_for(barrier_arrival const& arrival) noexcept { machine::pause_for_operations<S>(arrival.missing); }

  /// Upgrades the preceding relaxed poll, which found the awaited phase complete, to an acquire.
  bool acquired() const noexcept {
    machine::upgrade_to_acquire<S, u64>(&word_);
    return true;
  }

  /// Returns how many arrivals the current phase still expects, by a relaxed load.
  u32 missing() const noexcept { return missing(load_word()); }

  void* address() noexcept { return &word_; }
  void const* address() const noexcept { return &word_; }

private:
  static u32 phase(u64 word) noexcept { return u32(word / one_phase); }
  static u32 count(u64 word) noexcept { return u32(word / one_arrival % full); }
  static u32 expected(u64 word) noexcept { return u32(word % one_arrival); }
  static bool is_refilled(u64 word) noexcept { return count(word) >= min_refilled_count; }

  /// Returns how many of the program's arrivals the phase still expects.
  static u32 missing(u64 word) noexcept {
    if constexpr (!last_addition_ends_phase) return u32(full - 1 - count(word));
    else return (is_refilled(word) ? u32(full) : expected(word)) - count(word);
  }

  u64 load_word() const noexcept { return machine::load<S, u64>(&word_, memory_order::relaxed); }

  static bool pause_and_return_false(u32 missing) noexcept {
    machine::pause_for_operations<S>(missing);
    return false;
  }

  barrier_arrival add(u32 arrivals, u32 drops, Completion& completion) noexcept {
    u64 const amount = arrivals * one_arrival - drops;
    u64 const before = add(amount);
    CUDAX_ENSURE(drops <= expected(before),
                 "barrier::arrive_and_drop: %lld threads are left that can drop out; drop out at most as often as the "
                 "barrier was made for [thread.barrier.class]",
                 expected(before));
    CUDAX_ENSURE(arrivals <= missing(before),
                 "barrier::arrive: %lld arrivals more than the phase awaits; arrive no more often than the barrier was "
                 "made for, less the threads that dropped out [thread.barrier.class]",
                 (long long)arrivals - missing(before));
    bool const is_last = arrivals == missing(before);
    if (is_last) finish(before + amount, completion);
    return {phase(before), missing(before) - arrivals, is_last};
  }

  /// Adds an arrival to the word; returns the word before.
  u64 add(u64 amount) noexcept {
    if constexpr (!last_addition_ends_phase || refills_separately) {
      return machine::fetch<modification::add, S>(&word_, amount, memory_order::release);
    } else {
      u64 before = load_word();
      auto const after = [&]() noexcept {
        bool const is_last = count(before + amount) == 0;
        return before + amount + (is_last ? refill(before + amount) : 0);
      };
      while (!machine::compare_exchange<S, u64>(&word_, before, after(), machine::before_wake<memory_order::release>,
                                                memory_order::relaxed)) {}
      return before;
    }
  }

  /// Returns the amount whose addition gives the arrival count its value at the beginning of a phase. Without
  /// last_addition_ends_phase the amount includes the extra arrival. With it, the amount is 0 if the expected count is
  /// 0, because the refill would then end a phase by itself.
  static u64 refill(u64 word) noexcept {
    return last_addition_ends_phase && expected(word) == 0 ? 0 : (full - expected(word)) * one_arrival;
  }

  /// Does the work of the last arrival after its addition; `word` is the value that the addition wrote.
  void finish(u64 word, Completion& completion) noexcept {
    if constexpr (has_completion) {
      machine::upgrade_to_acquire<S, u64>(&word_); // pairs with the arrivals' release
      completion();
      machine::store<S, u64>(&word_, word + refill(word),
                             machine::before_wake<memory_order::release>); // pairs with acquired()
    } else if constexpr (!last_addition_ends_phase || refills_separately) {
      // Relaxed: continues the arrivals' release sequences.
      machine::reduce<modification::add, S>(&word_, refill(word), machine::before_wake<memory_order::relaxed>);
    }
    machine::wake<S>(&word_);
  }

  u64 word_; // or an mbarrier (barrier_hardware.cppm)
};

} // namespace cudax::thread_detail

CUDAX_EVERYWHERE_END
