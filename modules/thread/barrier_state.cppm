// SPDX-License-Identifier: Apache-2.0
//
// barrier_state: the phases of a barrier as one word.
//
// From the top: the number of the phase, a count of arrivals, how many a phase awaits. The count runs up to `full`, a power
// of two, where its carry adds 1 to the number: an arrival adds its count with one release read-modify-write, and an
// operation that brings it to `full` ends the phase. Then the count is 0, and has to be filled up, so that the next phase's
// arrivals bring it to `full` again.
//
// A phase awaits one arrival more than the program's. The last one of these is known by the result of its addition; it runs
// the completion, which must come before the end of the phase, and adds the missing arrival together with the refill. So
// number and count change by one operation. It is the last one on this phase: who waits may end the object's life, and
// host and device may arrive in turns, phase by phase, in mapped memory, where only one side at a time may modify.
//
// A barrier that changes number and count by operations whose order matters is wrong: between them the next phase can end,
// and its successor has a wrong count for ever.
//
// At device scope without a completion a phase awaits the program's arrivals alone. There a trip to the L2 is what a phase
// costs, and the last arrival's addition ends the phase itself, one trip earlier. Its thread refills the count behind it,
// and nobody waits for that: additions may come in any order, since each phase takes the same sum, its arrivals and one
// refill. Where arrivals overtake the refill, the last one is recognised by the count of all arrivals, and the phase ends
// when the refills are there. At most 2^20 - 1 arrivals make up a phase, and the count has one bit more than they need: it
// is below 2^20 without its refill, and 2^20 or more with it. Who drops out takes 1 from what is awaited in the addition by
// which it arrives; an arrival that overtakes the refill has to know what its own phase awaits, so no thread drops out
// before the refill is there. And as the refill is written behind the end of the phase, waiters must not end the object's
// life on the strength of their wait alone. On the host a trip costs little, and an arrival is one compare-and-swap, which
// adds the refill where it is the last one.
//
// Why these orders. Arrivals release: what a thread wrote before is seen behind the wait. Each continues the release
// sequences of those before it, and so does a refill, which is relaxed: its thread has published what it had to by its
// arrival. So a waiter that acquires what any of them left acquires what every arrival released. With a completion, the
// last arrival acquires, since the completion is the program's code and reads what they wrote, and ends the phase with a
// release store: nobody else writes, since an arrival would be one more than the phase awaits, and it hands on what the
// completion wrote and what was acquired. A waiter that has seen the number change acquires once.
//
// How long the number lasts. The counts take 20 bits for what a phase awaits, since 2^20 - 1 is more threads than a device
// runs at once, and 20 or 21 for the arrivals. They leave 24 bits for the number, and 23 at device scope without a
// completion. A waiter compares the number with that of its token, which is of this phase or the one before when it calls.
// The other threads may then complete any number of phases before the waiter polls again. It finds its phase complete
// unless they completed exactly 2^24 (2^23) phases, or a multiple, between two of its polls. In that case it goes on
// waiting, and returns when they complete another phase; if they never do, it never returns. The number is wide to make
// that improbable, not impossible: a grid's blocks take nine seconds for 2^23 phases of 1.1 us, but a host thread that
// completes phases alone takes 0.04 s for 2^23 at device scope and 0.2 s for 2^24 at system scope, and the operating system
// may keep a waiter from running for so long. To exclude it takes a second word, which each arrival would have to read. A
// thread that waits for a parity must not be late by two phases.
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

namespace cudax::machine {

/// The completion of a barrier that has none.
struct no_completion {
  constexpr void operator()() const noexcept {}
};

/// What an arrival finds.
struct barrier_arrival {
  u32 phase;
  u32 missing; // arrivals that the phase awaits behind it
  bool ended;  // the phase is over, by this arrival
};

template <thread_scope S, class Completion>
class barrier_state {
  static constexpr bool completes = !same_as<Completion, no_completion>;
  static constexpr bool ends_by_arrival = !completes && S == thread_scope_device;
  static constexpr bool refills_behind = ends_by_arrival && traits::refills_after_phase;

  static constexpr int expected_bits = 20;
  static constexpr int count_bits = expected_bits + ends_by_arrival; // with it, one for what is refilled
  static constexpr int phase_bits = 64 - count_bits - expected_bits;
  static constexpr u64 full = u64(1) << count_bits;
  static constexpr u64 one_arrival = u64(1) << expected_bits; // above the expected arrivals
  static constexpr u64 one_phase = full * one_arrival;        // above the count
  static constexpr u64 least_refilled = full >> 1;            // of counts, where the phase ends by an arrival

public:
  static constexpr ptrdiff_t max_count = one_arrival - 1;

  constexpr void start(u32 count) noexcept {
    u64 const awaited = count + !ends_by_arrival;
    word_ = (full - awaited) % full * one_arrival + count;
  }

  /// Arrives `count` times.
  barrier_arrival arrive(u32 count, Completion& completion) noexcept { return add(count, 0, completion); }

  /// Arrives once; from the next phase on one arrival less is awaited.
  void arrive_and_drop(Completion& completion) noexcept {
    if constexpr (refills_behind) {
      auto const may_drop = [this]() noexcept {
        u64 const word = look();
        return is_refilled(word) || expected(word) == 0;
      };
      block_until<S>(&word_, may_drop, forever);
    }
    (void)add(1, 1, completion);
  }

  /// The phase now, relaxed.
  u32 phase() const noexcept { return phase(look()); }

  /// How many phases ago `phase` was.
  u32 age(u32 phase) const noexcept { return (this->phase() - phase) % (u32(1) << phase_bits); }

  bool is_over(u32 awaited_phase) const noexcept { return phase() != awaited_phase; }
  bool is_over_parity(bool parity) const noexcept { return (phase() & 1) != parity; }

  /// The same for who looks again and again: leaves the word to those that still have to arrive.
  bool is_over_or_pauses(u32 awaited_phase) const noexcept {
    u64 const word = look();
    return phase(word) != awaited_phase || pauses(missing(word));
  }
  bool is_over_parity_or_pauses(bool parity) const noexcept {
    u64 const word = look();
    return (phase(word) & 1) != parity || pauses(missing(word));
  }

  /// The same before the first look.
  static void pause_for(barrier_arrival const& arrival) noexcept { pause_for_operations<S>(arrival.missing); }

  /// Behind a look that saw the awaited phase over.
  bool acquired() const noexcept {
    acquire_seen<S, u64>(&word_);
    return true;
  }

  void* address() noexcept { return &word_; }
  void const* address() const noexcept { return &word_; }

private:
  static u32 phase(u64 word) noexcept { return u32(word / one_phase); }
  static u32 count(u64 word) noexcept { return u32(word / one_arrival % full); }
  static u32 expected(u64 word) noexcept { return u32(word % one_arrival); }
  static bool is_refilled(u64 word) noexcept { return count(word) >= least_refilled; }

  /// The program's arrivals that the phase still awaits.
  static u32 missing(u64 word) noexcept {
    if constexpr (!ends_by_arrival) return u32(full - 1 - count(word));
    else return (is_refilled(word) ? u32(full) : expected(word)) - count(word);
  }

  u64 look() const noexcept { return load<S, u64>(&word_, memory_order::relaxed); }

  static bool pauses(u32 missing) noexcept {
    pause_for_operations<S>(missing);
    return false;
  }

  barrier_arrival add(u32 arrivals, u32 drops, Completion& completion) noexcept {
    u64 const amount = arrivals * one_arrival - drops;
    u64 const before = add(amount);
    CUDAX_ENSURE(drops <= expected(before),
                 "barrier::arrive_and_drop: %lld threads are left to drop out [thread.barrier.class]",
                 expected(before));
    CUDAX_ENSURE(arrivals <= missing(before),
                 "barrier::arrive: %lld arrivals more than the phase awaits; arrive no more often than the barrier was "
                 "made for, less the threads that dropped out [thread.barrier.class]",
                 (long long)arrivals - missing(before));
    bool const is_last = arrivals == missing(before);
    if (is_last) finish(before + amount, completion);
    return {phase(before), missing(before) - arrivals, is_last};
  }

  /// One arrival's addition; returns the word before.
  u64 add(u64 amount) noexcept {
    if constexpr (!ends_by_arrival || refills_behind) {
      return fetch<modification::add, S>(&word_, amount, memory_order::release);
    } else {
      u64 before = look();
      auto const after = [&]() noexcept {
        bool const is_last = count(before + amount) == 0;
        return before + amount + (is_last ? refill(before + amount) : 0);
      };
      while (!compare_exchange<S, u64>(&word_, before, after(), memory_order::release, memory_order::relaxed)) {}
      return before;
    }
  }

  /// What brings the count to where a phase begins; nothing where nobody is awaited any more, since it would end a phase.
  static u64 refill(u64 word) noexcept {
    return ends_by_arrival && expected(word) == 0 ? 0 : (full - expected(word)) * one_arrival;
  }

  /// What the last arrival does behind its addition; `word` is what that left.
  void finish(u64 word, Completion& completion) noexcept {
    if constexpr (completes) {
      acquire_seen<S, u64>(&word_); // pairs with the arrivals' release
      completion();
      store<S, u64>(&word_, word + refill(word), memory_order::release); // pairs with acquired()
    } else if constexpr (!ends_by_arrival || refills_behind) {
      reduce<modification::add, S>(&word_, refill(word),
                                   memory_order::relaxed); // the arrivals' release sequences go on
    }
    wake<S>(&word_);
  }

  u64 word_; // or an mbarrier (barrier_hardware.cppm)
};

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
