// SPDX-License-Identifier: Apache-2.0
//
// loop: modifications that no instruction performs: loops on compare_exchange.
//
// A compare_exchange that fails is the sign of contention. So the first attempt is the caller's own, and an uncontended
// operation pays for nothing else. If it fails, the lanes of the warp whose attempts on the object have failed together
// combine their operands (combine.cppm): one of them tries again for all. Otherwise one attempt in 32 would succeed
// where all lanes modify one object. Additions of floating-point numbers are not combined: each lane repeats its own.
// So does a lane that already operates for its peers (`Combines` is false).
//
// On a device, values of 1 and 2 bytes are modified by attempts on the aligned word around the object. Neither is there
// a narrower compare-and-swap: atom.cas.b16 becomes a loop on the word. Why accesses of both sizes may be mixed is
// argued in arch/README.md, "Sub-word objects". An addition in the highest part of the word is one addition to the
// word: it carries into no neighbour.
//
// Orders. The loads are relaxed, because the attempt that succeeds reads the object again, with the order of the
// operation. seq_cst on a device is fence.sc and then an attempt that acquires; the fence is executed once, before the
// first attempt, and not in every attempt. The fence stands before the barrier of the lanes, as combine.cppm requires.
module;
#include "../base/macros.hpp"
export module cudax.sync:loop;
import :bits;
import :combine;
import :device_barrier;
import :lanes;
import :modify;
import :order;
import :scope;
import :side;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Whether a V is modified by attempts on the word around it.
template <class V>
inline constexpr bool is_narrow = traits::modifies_words && sizeof(V) < 4;

/// The word on which attempts to modify a V are made: its own bytes, or the aligned word around them.
template <thread_scope S, class V>
class attempted_word {
  using word = choose<is_narrow<V>, u32, word_of<V>>;

  void* address_;
  u32 shift_; // of the object in the word, bits
  word seen_; // what the last load or attempt has found

public:
  // A subtraction, and not a mask, keeps the state space of a pointer known to the compiler.
  explicit attempted_word(void* object) noexcept
    : address_((char*)object - u64(object) % sizeof(word)), shift_(8 * u32(u64(object) % sizeof(word))) {}

  void* address() const noexcept { return address_; }
  /// Whether no bits of the word are above those of the object.
  bool is_highest() const noexcept { return shift_ + 8 * sizeof(V) == 8 * sizeof(word); }
  word shifted(V value) const noexcept { return word(to_word(value)) << shift_; }
  V value_in(word whole) const noexcept { return from_word<V>(word_of<V>(whole >> shift_)); }

  /// The value that the last load or attempt has found; after an attempt that succeeded, the value before it.
  V value() const noexcept { return value_in(seen_); }

  void load() noexcept { seen_ = side::template load<word>(address_, memory_order::relaxed, S); }

  /// Replaces value() by `desired` and returns true, or finds another value and returns false.
  bool attempt(V desired, memory_order order) noexcept {
    word const others = seen_ & ~shifted(from_word<V>(word_of<V>(~word_of<V>(0))));
    return side::template compare_exchange<word>(address_, seen_, others | shifted(desired), order,
                                                 memory_order::relaxed, S);
  }
};

/// Executes the fence of seq_cst, once for all attempts, where attempts are PTX instructions. Returns the order of the
/// caller's own attempts.
template <thread_scope S>
memory_order fence_before_attempts(memory_order order) noexcept {
  if (!traits::has_lanes || order != memory_order::seq_cst) return order;
  side::fence(memory_order::seq_cst, S);
  return memory_order::acquire;
}

/// Replaces the value with modified<M>(value, operand) and returns the value before.
/// Requires: S is not thread_scope_thread
template <modification M, thread_scope S, bool Combines, class V>
V fetch_by_loop(void* object, V operand, memory_order order) noexcept {
  attempted_word<S, V> at(object);
  if constexpr (is_narrow<V>) {
    // The word around an automatic object may reach past the variable.
    if (gpu::may_be_automatic(at.address())) return plain_fetch<M>(object, operand);
    if constexpr (M == modification::add && __is_integral(V))
      if (at.is_highest())
        return at.value_in(side::template fetch<M, u32>(at.address(), at.shifted(operand), order, S));
  }
  auto const repeat = [&at](V all, memory_order each) noexcept {
    while (!at.attempt(modified<M>(at.value(), all), each)) {}
    return at.value();
  };
  memory_order const own = fence_before_attempts<S>(order);
  at.load();
  if constexpr (Combines && traits::has_lanes && is_combinable<M, V>) {
    if (at.attempt(modified<M>(at.value(), operand), own)) return at.value();
    return combine<M>(peers_at(object, order), operand,
                      [=](V all) noexcept { return repeat(all, modify_order(order)); });
  } else {
    return repeat(operand, own);
  }
}

/// Replaces the value with `value` and returns the value before.
/// Requires: is_narrow<U>; S is not thread_scope_thread
template <thread_scope S, bool Combines, class U>
U exchange_by_loop(void* object, U value, memory_order order) noexcept {
  attempted_word<S, U> at(object);
  if (gpu::may_be_automatic(at.address())) return plain_exchange(object, value);
  auto const repeat = [&at](U last, memory_order each) noexcept {
    while (!at.attempt(last, each)) {}
    return at.value();
  };
  memory_order const own = fence_before_attempts<S>(order);
  at.load();
  if constexpr (Combines) {
    if (at.attempt(value, own)) return at.value();
    return combine_exchange(peers_at(object, order), value,
                            [=](U last) noexcept { return repeat(last, modify_order(order)); });
  } else {
    return repeat(value, own);
  }
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
