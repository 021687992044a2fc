// SPDX-License-Identifier: Apache-2.0
//
// reduce_state: what the parts of a reduction share: a place for the partial result of each part, a counter of the
// parts that have arrived, and the result.
//
// A part stores its partial result and increments the counter. The part that increments last combines all partial
// results; no part waits for another. Where every part gets the result, the last one stores it here and begins the
// next round, for which the others wait.
//
// Orders. Only release read-modify-writes modify the counter, and each continues the release sequences of those
// before it. So the part that reads the full count, and acquires once, has acquired every part's writes: the whole
// reduction has one fence, that of the last part. No other part uses the value that it reads. The last part sets the
// counter back to 0, relaxed, which coherence orders after the modifications that it has read. The parts of the next
// round read the 0, because they come after a barrier, a launch, or the round, whose store releases it. The round is
// stored with release, after the result and after the reads of the partial results, so a part that has acquired the
// round may overwrite its place. Only the last part of the next round overwrites the result, and each part releases
// its reads to that one.
module;
#include "../base/macros.hpp"
export module cudax.sync:reduce_state;
import :bits;
import :duration;
import :machine;
import :modify;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

/// The types of values that can be reduced.
template <class T>
concept reducible = __is_object(T) && __is_trivially_copyable(T) && same_as<T, remove_cv<T>> &&
                    __is_trivially_constructible(T, T const&) && __is_trivially_assignable(T&, T const&);

/// The operations that combine two values.
template <class Op, class T>
concept combining = requires(Op& op, T const& a, T const& b) { static_cast<T>(op(a, b)); };

} // namespace cudax

namespace cudax::machine::reducing {

/// A value, or none: T needs no default constructor. It is not an array of bytes, which the optimiser would take
/// apart where a function returns them.
template <class T>
union cell {
  T held;
  unsigned char none;

  cell() noexcept {}
  explicit cell(T const& value) noexcept : held(value) {}

  static cell of(T const& value) noexcept { return cell(value); }
  T const& value() const noexcept { return held; }
};

/// The place of a cell in memory that threads share, rounded up to a size that can be written and read at once. The
/// compiler reads three bytes as four, so the fourth must not belong to another cell, and the padding is written as
/// well.
template <class T>
class place {
  static constexpr size_t alignment = [] {
    size_t found = alignof(T);
    while (found < sizeof(T) && found < 16) found *= 2;
    return found;
  }();
  static constexpr size_t size = (sizeof(T) + alignment - 1) / alignment * alignment;

  alignas(alignment) bytes<size> held_;

public:
  void put(cell<T> const& value) noexcept {
    if constexpr (size != sizeof(T)) __builtin_memset(&held_, 0, size);
    __builtin_memcpy(&held_, &value, sizeof(T));
  }
  cell<T> get() const noexcept {
    cell<T> value;
    __builtin_memcpy(&value, &held_, sizeof(T));
    return value;
  }
};

/// Combines two values in the order in which a loop would: the left one first.
template <class T, class Op>
cell<T> combine(cell<T> const& left, cell<T> const& right, Op& op) noexcept(noexcept(op(left.value(), right.value()))) {
  return cell<T>::of(static_cast<T>(op(left.value(), right.value())));
}

template <class T, thread_scope Scope, size_t Places>
struct parts;

} // namespace cudax::machine::reducing

export namespace cudax {

template <class T, thread_scope Scope, size_t Places>
class reduce_state;
template <class T, thread_scope Scope, size_t Places>
void init(reduce_state<T, Scope, Places>* object) noexcept;

/// The state of a reduction of values of T. The program places it where the reducing threads can access it, for
/// example in device memory or as a __device__ variable. It is ready where its bytes are zero: in static storage, by
/// cudaMemset or by value-initialization; otherwise init makes it ready. Every reduction leaves it ready.
/// Source:   extension
/// Scope:    Scope, where thread_scope_thread means the block; all participating threads are within it. Between host
///           and device it needs memory in which their read-modify-writes are atomic to each other: managed memory of
///           a device with concurrent_managed_access, or any with host_native_atomic_supported (atomicity() tells).
///           In other memory arrivals are lost, and no part is the last
/// Units:    Places is the largest number of parts: of blocks, in a reduction by a grid
/// Requires: after a kernel that did not end, the program makes it ready again
/// Example:
///     __device__ cudax::reduce_state<int> state; // static storage: zero, so it is ready
///     __global__ void count(int const* data, int* positive) {
///       auto const plus = [](int a, int b) { return a + b; };
///       int const own = data[blockIdx.x * blockDim.x + threadIdx.x] > 0;
///       reduce(state, own, plus, [=](int result) { *positive = result; });
///     }
template <class T, thread_scope Scope = thread_scope_device, size_t Places = 1024>
class reduce_state {
  static_assert(reducible<T>, "cudax.sync: reduce_state<T>: T must be trivially copyable, constructible and assignable "
                              "from T const&, without const or volatile");
  CUDAX_ENSURE_SCOPE(Scope, "reduce_state<T, Scope>");
  static_assert(Places > 0 && Places < 0x7fff'ffff,
                "cudax.sync: reduce_state<T, Scope, Places>: use a number of places from 1 to 2^31 - 2");

public:
  using value_type = T;
  static constexpr thread_scope scope = Scope;
  /// Returns the largest number of parts.
  static constexpr size_t places() noexcept { return Places; }

  reduce_state() = default;
  reduce_state(reduce_state const&) = delete;
  reduce_state& operator=(reduce_state const&) = delete;

private:
  friend void init<T, Scope, Places>(reduce_state* object) noexcept;
  friend struct machine::reducing::parts<T, Scope, Places>;

  u32 arrived_; // parts, in this round
  u32 round_;   // completed rounds in which every part gets the result
  machine::reducing::place<T> result_;
  machine::reducing::place<T> partial_[Places];
};

/// Makes a state ready: one that is not zero, or one that a kernel used which did not end.
/// Source:   extension
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads or a launch
/// Requires: no thread uses it meanwhile
template <class T, thread_scope Scope, size_t Places>
void init(reduce_state<T, Scope, Places>* object) noexcept {
  object->arrived_ = 0;
  object->round_ = 0;
}

} // namespace cudax

namespace cudax::machine::reducing {

/// The operations of a part on a state, each by one of the part's threads.
template <class T, thread_scope Named, size_t Places>
struct parts {
  using state = reduce_state<T, Named, Places>;
  static constexpr thread_scope Scope = scope_among_threads(Named);

  static void put(state& s, u32 part, cell<T> const& partial) noexcept { s.partial_[part].put(partial); }

  /// Counts the part. Returns whether it is the last of `count`; the last one has then acquired what all parts did
  /// before.
  static bool arrive(state& s, u32 count) noexcept {
    u32 const before = fetch<modification::add, Scope, u32>(&s.arrived_, 1, memory_order::release);
    CUDAX_ENSURE(
        before < count,
        "reduce: %lld parts have arrived before, which are all; make the state ready after a kernel that did not "
        "end, use it in one reduction at a time, and call reduce with every thread of the grid",
        before);
    if (before != count - 1) return false;
    acquire_seen<Scope, u32>(&s.arrived_); // pairs with the arrivals of the others
    store<Scope, u32>(&s.arrived_, 0, memory_order::relaxed);
    return true;
  }

  /// Called by the last part alone.
  static cell<T> partial(state const& s, u32 part) noexcept { return s.partial_[part].get(); }

  /// Returns the current round. Called before the part arrives.
  static u32 round(state const& s) noexcept { return load<Scope, u32>(&s.round_, memory_order::relaxed); }

  /// Called by the last part alone: gives the result to every part.
  static void publish(state& s, cell<T> const& result, u32 round) noexcept {
    s.result_.put(result);
    store<Scope, u32>(&s.round_, round + 1, memory_order::release); // pairs with await
    wake<Scope>(&s.round_);
  }

  /// Called by all other parts: polls relaxed, then acquires once.
  static cell<T> await(state const& s, u32 round) noexcept {
    auto const over = [&s, round]() noexcept { return load<Scope, u32>(&s.round_, memory_order::relaxed) != round; };
    block_until<Scope>(&s.round_, over, forever);
    acquire_seen<Scope, u32>(&s.round_); // pairs with publish
    return s.result_.get();
  }
};

} // namespace cudax::machine::reducing

CUDAX_EVERYWHERE_END
