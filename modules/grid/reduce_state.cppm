// SPDX-License-Identifier: Apache-2.0
//
// reduce_state: what the parts of a reduction share: a place for the partial result of each part, a counter of the
// parts that have arrived, the result, and the number of the round.
//
// A part stores its partial result and increments the counter. The part that increments last combines all partial
// results; no part waits for another. If every part gets the result, the last part stores the result here and begins
// the next round, and the other parts wait for that.
//
// Memory orders. The parts increment the counter by release read-modify-writes, and each of them continues the release
// sequences of the earlier ones. So the part that reads the full count, and acquires once, has acquired every part's
// writes: to count the parts, the whole reduction needs one acquire fence, that of the last part. No other part relies
// on the value that it reads. The last part sets the counter back to 0 by a relaxed store, which coherence orders after
// the increments. The parts of the next round read this 0 or a later value, because they come after a barrier, after a
// launch, or after they have acquired the new round number, which is released after the store of 0. The round number is
// stored with release, after the result is written and after the partial results are read. So a part that has acquired
// the round number may overwrite its place. Only the last part of the next round overwrites the result, and the other
// parts' reads of the result happen before that, because each part increments the counter (release) after its read.
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

/// The types whose values can be reduced.
template <class T>
concept reducible = __is_object(T) && __is_trivially_copyable(T) && same_as<T, remove_cv<T>> &&
                    __is_trivially_constructible(T, T const&) && __is_trivially_assignable(T&, T const&);

/// The operations that combine two values.
template <class Op, class T>
concept combining = requires(Op& op, T const& a, T const& b) { static_cast<T>(op(a, b)); };

} // namespace cudax

namespace cudax::grid_detail::reducing {
using namespace machine;

/// Holds a value or nothing, so T needs no default constructor. It is a union and not an array of bytes, because the
/// optimiser would split an array that a function returns into single bytes.
template <class T>
union cell {
  T held;
  unsigned char none;

  cell() noexcept {}
  explicit cell(T const& value) noexcept : held(value) {}

  static cell of(T const& value) noexcept { return cell(value); }
  T const& value() const noexcept { return held; }
};

/// The place of a cell in memory that threads share. Its size is rounded up to a power of two, which one store writes
/// and one load reads; above 16 bytes, to a multiple of its alignment, which is at least 16. The compiler reads three
/// bytes as four, so the fourth byte must not belong to another cell, and `put` writes the padding as well.
template <class T>
class cell_storage {
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

/// Returns op(left, right) as a cell.
template <class T, class Op>
cell<T> combine(cell<T> const& left, cell<T> const& right, Op& op) noexcept(noexcept(op(left.value(), right.value()))) {
  return cell<T>::of(static_cast<T>(op(left.value(), right.value())));
}

template <class T, thread_scope Scope, size_t Places>
struct parts;

} // namespace cudax::grid_detail::reducing

export namespace cudax {

template <class T, thread_scope Scope, size_t Places>
class reduce_state;
template <class T, thread_scope Scope, size_t Places>
void init(reduce_state<T, Scope, Places>* object) noexcept;

/// Holds the state of a reduction of values of T. The program places it where the reducing threads can access it, for
/// example in device memory or as a __device__ variable. A state whose bytes are all zero is ready for a reduction:
/// static storage, cudaMemset and value-initialization provide that. init makes any other state ready. Every reduction
/// leaves the state ready.
/// Source:   extension
/// Scope:    Scope, where thread_scope_thread means the block; threads outside Scope must not use the object. A state
///           that host and device share needs memory that is atomic between host and device. In other memory arrivals
///           are lost, and no part is the last part
/// Units:    Places is the largest number of parts; in a reduction by a grid a part is a block
/// Requires: after a kernel that did not run to its end, the program makes the state ready again, by init or cudaMemset
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
  friend struct grid_detail::reducing::parts<T, Scope, Places>;

  u32 arrived_; // parts that have arrived in this round
  u32 round_;   // completed rounds in which every part gets the result
  grid_detail::reducing::cell_storage<T> result_;
  grid_detail::reducing::cell_storage<T> partial_[Places];
};

/// Makes a state ready: a state whose bytes are not zero, or a state that was used by a kernel that did not run to its
/// end.
/// Source:   extension
/// Order:    none: a plain initialization
/// Requires: no thread uses the state during the call
template <class T, thread_scope Scope, size_t Places>
void init(reduce_state<T, Scope, Places>* object) noexcept {
  object->arrived_ = 0;
  object->round_ = 0;
}

} // namespace cudax

namespace cudax::grid_detail::reducing {
using namespace machine;

/// The operations of a part on a state. One thread of the part performs them.
template <class T, thread_scope Named, size_t Places>
struct parts {
  using state = reduce_state<T, Named, Places>;
  static constexpr thread_scope Scope = scope_among_threads(Named);

  static void put(state& s, u32 part, cell<T> const& partial) noexcept { s.partial_[part].put(partial); }

  /// Counts the part. Returns whether it is the last of `count` parts. The last part has then acquired everything that
  /// the parts did before they arrived.
  static bool arrive(state& s, u32 count) noexcept {
    u32 const before = fetch<modification::add, Scope, u32>(&s.arrived_, 1, memory_order::release);
    CUDAX_ENSURE(
        before < count,
        "reduce: %lld parts had already arrived, and no more were expected; make the state ready after a kernel that "
        "did not end, use it in one reduction at a time, and call reduce with every thread of the grid",
        before);
    if (before != count - 1) return false;
    upgrade_to_acquire<Scope, u32>(&s.arrived_); // pairs with the arrivals of the others
    store<Scope, u32>(&s.arrived_, 0, memory_order::relaxed);
    return true;
  }

  /// Returns the partial result of a part. Only the last part calls it.
  static cell<T> partial(state const& s, u32 part) noexcept { return s.partial_[part].get(); }

  /// Returns the number of the current round. The part calls it before it arrives.
  static u32 round(state const& s) noexcept { return load<Scope, u32>(&s.round_, memory_order::relaxed); }

  /// Gives the result to the other parts and begins the next round. Only the last part calls it.
  static void publish(state& s, cell<T> const& result, u32 round) noexcept {
    s.result_.put(result);
    store<Scope, u32>(&s.round_, round + 1, before_wake<memory_order::release>); // pairs with await
    wake<Scope>(&s.round_);
  }

  /// Blocks until the last part publishes the result, and returns the result. All other parts call it. The polls are
  /// relaxed; one acquire follows them.
  static cell<T> await(state const& s, u32 round) noexcept {
    auto const over = [&s, round]() noexcept { return load<Scope, u32>(&s.round_, memory_order::relaxed) != round; };
    block_until<Scope>(&s.round_, CUDAX_AWAITS(over, "reduce: the last part has not published the result"), forever);
    upgrade_to_acquire<Scope, u32>(&s.round_); // pairs with publish
    return s.result_.get();
  }
};

} // namespace cudax::grid_detail::reducing

CUDAX_EVERYWHERE_END
