// SPDX-License-Identifier: Apache-2.0
//
// machine: atomic operations on words, the same on host and device. If the side being compiled has an operation itself
// (host.cppm, device/words.cppm), it is used. Max and min of float and double are the side's integer operations. All
// others are loops on compare_exchange (loop.cppm). Operations at thread scope are plain accesses: no other thread may
// access the object, so nothing has to be ordered or made atomic.
module;
#include "../base/macros.hpp"
export module cudax.sync:machine;
import :bits;
import :loop;
import :modify;
import :order;
import :scope;
import :side;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

[[noreturn]] inline void stop(char const* sentence, long long value) noexcept { side::stop(sentence, value); }

/// Returns the address of `object`, hidden from the optimiser, so that checked builds can test its alignment. A
/// reference promises its alignment to the optimiser, which would otherwise fold the test.
inline u64 checked_address(void const volatile* object) noexcept {
  void const volatile* volatile hidden = object;
  return (u64)hidden;
}

// --- checks of orders that are known only at run time ----------------------------------------------------------------
// For a constant order the checks fold: order.cppm has already rejected the constants that are not allowed.

/// Whether the side's operation checks the order itself, so that the functions below need not check it again.
template <thread_scope S>
inline constexpr bool side_ensures_order = traits::operations_check_orders && S != thread_scope_thread;

template <thread_scope S>
void ensure_load_order(memory_order order) noexcept {
  if (!side_ensures_order<S> && !allowed_in_load(order))
    stop("cudax.sync: load: memory order %lld is not allowed; use relaxed, consume, acquire or seq_cst "
         "[atomics.types.operations]\n",
         int(order));
}
template <thread_scope S>
void ensure_store_order(memory_order order) noexcept {
  if (!side_ensures_order<S> && !allowed_in_store(order))
    stop("cudax.sync: store: memory order %lld is not allowed; use relaxed, release or seq_cst "
         "[atomics.types.operations]\n",
         int(order));
}
template <thread_scope S>
void ensure_modify_order(memory_order order) noexcept {
  if (!side_ensures_order<S> && !exists(order))
    stop("cudax.sync: read-modify-write: memory order %lld does not exist; use an enumerator of cudax::memory_order\n",
         int(order));
}
/// A loop does not reach an operation of the side on every path.
inline void ensure_order_of_loop(memory_order order) noexcept { ensure_modify_order<thread_scope_thread>(order); }
template <thread_scope S>
void ensure_fence_order(memory_order order) noexcept {
  if (!side_ensures_order<S> && !exists(order))
    stop("cudax.sync: fence: memory order %lld does not exist; use an enumerator of cudax::memory_order\n", int(order));
}
/// Checks the orders on both sides: a device's operation gets only the join of the two orders, which would hide a wrong
/// one.
inline void ensure_compare_orders(memory_order success, memory_order failure) noexcept {
  if (!exists(success))
    stop("cudax.sync: compare_exchange: memory order %lld does not exist; use an enumerator of cudax::memory_order\n",
         int(success));
  if (!allowed_in_load(failure))
    stop("cudax.sync: compare_exchange: failure order %lld is not allowed; use relaxed, consume, acquire or seq_cst "
         "[atomics.types.operations]\n",
         int(failure));
}

// --- operations ----------------------------------------------------------------------------------------------------

template <thread_scope S, class U>
U load(void const* object, memory_order order) noexcept {
  ensure_load_order<S>(order);
  if constexpr (S == thread_scope_thread) return plain_load<U>(object);
  else return side::template load<U>(object, order, S);
}

/// Two relaxed loads of neighbouring words, in no order; a device makes one access. Returns the first word in the low
/// half.
/// Requires: the address is aligned to 16 bytes
template <thread_scope S>
u128 load_two(u64 const* objects) noexcept {
  if constexpr (S == thread_scope_thread) return u128(objects[1]) << 64 | objects[0];
  else return side::load_two(objects, S);
}

template <thread_scope S, class U>
void store(void* object, U value, memory_order order) noexcept {
  ensure_store_order<S>(order);
  if constexpr (S == thread_scope_thread) plain_store(object, value);
  else side::template store<U>(object, value, order, S);
}

/// Marks a store that read-modify-writes of other threads must not undo. An exchange that is not atomic with respect to
/// the store could undo it: the exchange reads before the store and writes after it. Checked builds on the host check
/// the store as they check a read-modify-write.
template <thread_scope S, class U>
void check_as_modification(void const* object) noexcept {
  side::template check_as_modification<U>(object, S);
}

/// Combines: whether lanes that contend combine, if the operation is a loop. The default is right, except for a lane that
/// already operates for its peers.
template <thread_scope S, class U, bool Combines = true>
U exchange(void* object, U value, memory_order order) noexcept {
  if constexpr (S == thread_scope_thread) {
    ensure_modify_order<S>(order);
    return plain_exchange(object, value);
  } else if constexpr (is_narrow<U>) {
    ensure_order_of_loop(order);
    return exchange_by_loop<S, Combines>(object, value, order);
  } else {
    ensure_modify_order<S>(order);
    return side::template exchange<U>(object, value, order, S);
  }
}

/// Replaces the value with `desired` if it equals `expected`; otherwise writes the value to `expected`. Returns whether
/// it replaced the value. Never fails spuriously.
template <thread_scope S, class U>
bool compare_exchange(void* object, U& expected, U desired, memory_order success, memory_order failure) noexcept {
  ensure_compare_orders(success, failure);
  if constexpr (S == thread_scope_thread) {
    U const before = plain_load<U>(object);
    bool const exchanged = before == expected;
    if (exchanged) plain_store(object, desired);
    else expected = before;
    return exchanged;
  } else {
    return side::template compare_exchange<U>(object, expected, desired, success, failure, S);
  }
}

/// Whether fetch<M, V> is an integer operation that the sign of the operand selects (through_integers). The 16-bit
/// formats keep one loop that calls `modified`: 16-bit integer operations are loops, too, and there would be two.
template <modification M, class V>
inline constexpr bool is_through_integers = is_floating_extreme<M, V> && sizeof(V) >= 4;

/// Replaces the value with modified<M>(value, operand) and returns the value before. Combines: as for exchange.
template <modification M, thread_scope S, class V, bool Combines = true>
V fetch(void* object, V operand, memory_order order) noexcept {
  if constexpr (S == thread_scope_thread) {
    ensure_modify_order<S>(order);
    return plain_fetch<M>(object, operand);
  } else if constexpr (side::template has_fetch<M, V>) {
    ensure_modify_order<S>(order);
    return side::template fetch<M, V>(object, operand, order, S);
  } else if constexpr (is_through_integers<M, V>) {
    ensure_modify_order<S>(order);
    return from_word<V>(through_integers<M>(operand, [=]<modification N, class I>(I bits) noexcept {
      return word_of<V>(side::template fetch<N, I>(object, bits, order, S));
    }));
  } else {
    ensure_order_of_loop(order);
    return fetch_by_loop<M, S, Combines>(object, operand, order);
  }
}

/// Performs fetch without a result. `order` is one that a store may have.
template <modification M, thread_scope S, class V, bool Combines = true>
void reduce(void* object, V operand, memory_order order) noexcept {
  if (!allowed_in_store(order)) // on both sides: not every store_key is one operation on a device
    stop("cudax.sync: store_key: memory order %lld is not allowed; use relaxed, release or seq_cst [atomics.ref.int]\n",
         int(order));
  if constexpr (S != thread_scope_thread && side::template has_fetch<M, V>)
    side::template reduce<M, V>(object, operand, order, S);
  else if constexpr (S != thread_scope_thread && is_through_integers<M, V>)
    through_integers<M>(operand, [=]<modification N, class I>(I bits) noexcept {
      side::template reduce<N, I>(object, bits, order, S);
    });
  else fetch<M, S, V, Combines>(object, operand, order);
}

template <thread_scope S>
void fence(memory_order order) noexcept {
  ensure_fence_order<S>(order);
  if constexpr (S != thread_scope_thread) side::fence(order, S);
}

/// Upgrades this thread's preceding relaxed load of `object` to an acquire.
/// Requires: in the object's modification order, each write after the one that the relaxed load read either continues
///           that write's release sequence, or is a release by a thread that has acquired from that write. The reason:
///           the host loads the object again (traits::acquires_by_fence is false) and may read a later value
template <thread_scope S, class U>
void upgrade_to_acquire([[maybe_unused]] void const* object) noexcept {
  if constexpr (traits::acquires_by_fence) fence<S>(memory_order::acquire);
  else (void)load<S, U>(object, memory_order::acquire);
}

/// Whether each load of a wait with `order` may be relaxed at no cost: afterwards upgrade_to executes the instruction
/// with which a load of that order would end. From sm_90 that is fence.acquire. A seq_cst wait needs its fence before a
/// load.
inline bool polls_relaxed(memory_order order) noexcept {
  if (!traits::acquires_by_fence) return false;
  if (order == memory_order::acquire || order == memory_order::consume) return side::has_acquire_fence();
  return order == memory_order::relaxed; // and not an order that a load does not allow: the load reports it
}

/// Upgrades this thread's preceding relaxed load to `order` if that is possible without a second load. Returns whether
/// it did; if not, the caller must load again. A fence after a relaxed load makes it an acquire. A seq_cst load also
/// needs a sequentially consistent fence between the thread's previous seq_cst operation and the load. That of an
/// earlier load will do: between the two there are only relaxed loads. On the host a second load costs nothing, so this
/// function returns false there.
/// Requires: if `order` is seq_cst, this thread has loaded the object with seq_cst, and since then has only polled it
template <thread_scope S>
bool upgrade_to(memory_order order) noexcept {
  if constexpr (!traits::acquires_by_fence) return false;
  if (order != memory_order::relaxed) fence<S>(memory_order::acquire);
  return true;
}

/// Only keeps the compiler from reordering memory operations.
inline void signal_fence(memory_order order) noexcept {
  ensure_fence_order<thread_scope_thread>(order);
  side::signal_fence(order);
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
