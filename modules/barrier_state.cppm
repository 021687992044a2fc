// SPDX-License-Identifier: Apache-2.0
//
// barrier_state: the phases of a barrier as one word.
//
// From the top: the number of the phase, the arrivals that the next phase will await, those that this phase still awaits. An
// arrival takes its count from the lowest field with one release fetch_sub, and one that drops out takes 1 from the middle
// with the same. The result tells the last one, which brings the lowest field to zero, the next phase's count, since every
// arrival that dropped out before is in it: nothing else has to be read. It runs the completion, and then changes number and
// count together with one operation.
//
// Nobody else writes the word from the arrival that brings the lowest field to zero until that operation. An arrival before
// it would be one more than the phase awaits, which is misuse, and waiters only read. So no phase can begin, let alone end,
// with the count of another. A barrier that changes number and count by two operations is wrong: between them the next
// phase can end, and the reset then gives its successor a wrong count for ever.
//
// Why these orders. Arrivals release: what a thread wrote before is seen behind the wait. Each continues the release
// sequences of those before it in its phase. Without a completion, the operation that begins the next phase is a relaxed
// addition: a read-modify-write, it continues them, too, so a waiter that acquires what it left acquires what every arrival
// released, and the last arrival has neither to acquire nor to release once more. With one, the last arrival acquires, since
// the completion is the program's code and reads what they wrote, and begins the next phase with a release store: it hands on
// what the completion wrote, and what was acquired. A waiter that has seen the number change acquires once. It may see a later
// number than the next: what begins a phase is a store by a thread that has acquired, arrival by arrival, all phases before,
// or continues what began them.
//
// The number has 16 bits and a token is one phase old at most, so a waiter is still right about what it sees unless it has
// looked away for exactly a multiple of 65536 phases, and then it is right at its next look; one that waits for a parity must
// not be late by two.
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
  static constexpr int count_bits = 24;
  static constexpr u64 one_expected = u64(1) << count_bits;
  static constexpr u64 one_phase = u64(1) << 2 * count_bits;

public:
  static constexpr ptrdiff_t max_count = one_expected - 1;

  constexpr void start(u32 count) noexcept { word_ = count * one_expected + count; }

  /// Arrives `count` times; returns the phase.
  template <class Completion>
  u32 arrive(u32 count, Completion& completion) noexcept {
    return arrive(count, count, completion);
  }

  /// Arrives once; from the next phase on one arrival less is awaited.
  template <class Completion>
  void arrive_and_drop(Completion& completion) noexcept {
    arrive(1, one_expected + 1, completion);
  }

  /// The phase now, relaxed.
  u32 phase() const noexcept { return phase(load<S, u64>(&word_, memory_order::relaxed)); }

  /// How many phases ago `phase` was.
  u32 age(u32 phase) const noexcept { return u16(this->phase() - phase); }

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
  static u32 phase(u64 word) noexcept { return u32(word / one_phase); }
  static u32 expected(u64 word) noexcept { return u32(word / one_expected % one_expected); }
  static u32 missing(u64 word) noexcept { return u32(word % one_expected); }

  /// Takes `amount` from the word, of which `count` are arrivals.
  template <class Completion>
  u32 arrive(u32 count, u64 amount, Completion& completion) noexcept {
    u64 const before = fetch<modification::add, S>(&word_, u64(0) - amount, memory_order::release);
    CUDAX_ENSURE(amount == count || expected(before) > 0,
                 "barrier::arrive_and_drop: %lld threads are left to drop out [thread.barrier.class]",
                 expected(before));
    CUDAX_ENSURE(count <= missing(before),
                 "barrier::arrive: %lld arrivals more than the phase awaits; arrive no more often than the barrier was "
                 "made for, less the threads that dropped out [thread.barrier.class]",
                 (long long)count - missing(before));
    if (missing(before) == count) finish(before - amount, completion);
    return phase(before);
  }

  /// Begins the next phase; `word` is what the last arrival left.
  template <class Completion>
  void finish(u64 word, Completion& completion) noexcept {
    u64 const step = one_phase + expected(word);
    if constexpr (same_as<Completion, no_completion>) {
      reduce<modification::add, S>(&word_, step, memory_order::relaxed); // the arrivals' release sequences go on
    } else {
      acquire_seen<S, u64>(&word_); // pairs with the arrivals' release
      completion();
      store<S, u64>(&word_, word + step, memory_order::release); // pairs with acquired()
    }
    wake<S>(&word_);
  }

  u64 word_; // or an mbarrier (barrier_hardware.cppm)
};

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
