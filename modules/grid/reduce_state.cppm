// SPDX-License-Identifier: Apache-2.0
//
// reduce_state: what a reduction leaves for those who come later: a place for the partial result of each part, a counter
// of the parts that have arrived, and the result.
//
// A part puts its partial result down and counts itself. Who counts last combines all of them; nobody waits for anybody. Where
// everyone is to have the result, the last one leaves it here and begins the next round, which the others wait for.
//
// Orders. The counter is modified by release read-modify-writes alone, each of which continues the release sequences of those
// before it: whoever reads the count of all parts, and acquires once, has acquired every part's writes. One fence in the whole
// reduction, that of the last. Nobody else reads the counter: the last one sets it back to 0, relaxed, which coherence puts
// behind the modifications that it has seen; the parts of the next round see it because they come behind a barrier, a launch, or
// the round, whose store releases it.
// The round is stored by release, behind the result and the reads of the partial results, so a part that has acquired it may
// overwrite its place. The result is overwritten only by who is last in the next round, to whom each part releases its reads.
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

/// What a reduction is of.
template <class T>
concept reducible = __is_object(T) && __is_trivially_copyable(T) && same_as<T, remove_cv<T>> &&
                    __is_trivially_constructible(T, T const&) && __is_trivially_assignable(T&, T const&);

/// What combines two values.
template <class Op, class T>
concept combining = requires(Op& op, T const& a, T const& b) { static_cast<T>(op(a, b)); };

} // namespace cudax

namespace cudax::machine::reducing {

/// A value, or none: T needs no default constructor. Not its bytes: the optimiser would take them apart where a function returns
/// them.
template <class T>
union cell {
  T held;
  unsigned char none;

  cell() noexcept {}
  explicit cell(T const& value) noexcept : held(value) {}

  static cell of(T const& value) noexcept { return cell(value); }
  T const& value() const noexcept { return held; }
};

/// Where a cell stands in memory that threads share: rounded up to what can be written and read at once. The compiler reads three
/// bytes as four, so no other cell may be in these, and what fills them is written, too.
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

/// As a loop would: what stands left comes first.
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

/// What a reduction of values of T needs: an object that the program places where its threads reach it, in device memory say, or
/// as a __device__ variable. Where its bytes are zero, as in static storage, by cudaMemset or by value-initialisation, it is ready;
/// else init makes it so. Every reduction leaves it ready.
/// Source:   extension
/// Scope:    Scope, where thread_scope_thread means the block; it holds all threads that take part. Between host and device it needs memory in which their
///           read-modify-writes are atomic to each other: managed memory of a device with concurrent_managed_access, or
///           any with host_native_atomic_supported (atomicity() tells). In other memory arrivals are lost, and no part is
///           the last
/// Units:    Places is the largest number of parts: of blocks, in a reduction by a grid
/// Requires: after a kernel that did not end it has to be made ready again
template <class T, thread_scope Scope = thread_scope_device, size_t Places = 1024>
class reduce_state {
  static_assert(reducible<T>, "cudax.sync: reduce_state<T>: T must be trivially copyable, constructible and assignable "
                              "from T const&, without const or volatile");
  static_assert(exists(Scope),
                "cudax.sync: reduce_state<T, Scope>: this thread scope does not exist; use an enumerator of "
                "cudax::thread_scope");
  static_assert(Places > 0 && Places < 0x7fff'ffff,
                "cudax.sync: reduce_state<T, Scope, Places>: use a number of places from 1 to 2^31 - 2");

public:
  using value_type = T;
  static constexpr thread_scope scope = Scope;
  /// The largest number of parts.
  static constexpr size_t places() noexcept { return Places; }

  reduce_state() = default;
  reduce_state(reduce_state const&) = delete;
  reduce_state& operator=(reduce_state const&) = delete;

private:
  friend void init<T, Scope, Places>(reduce_state* object) noexcept;
  friend struct machine::reducing::parts<T, Scope, Places>;

  u32 arrived_; // parts, in this round
  u32 round_;   // rounds that are over, of those whose result everyone gets
  machine::reducing::place<T> result_;
  machine::reducing::place<T> partial_[Places];
};

/// Makes a state ready: one that is not zero, or that a kernel which did not end has used.
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

/// What a part does with a state, by one of its threads.
template <class T, thread_scope Named, size_t Places>
struct parts {
  using state = reduce_state<T, Named, Places>;
  static constexpr thread_scope Scope = scope_among_threads(Named);

  static void put(state& s, u32 part, cell<T> const& partial) noexcept { s.partial_[part].put(partial); }

  /// Counts the part; returns whether it is the last of `count`, which has then acquired what all parts did before.
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

  /// By the last alone.
  static cell<T> partial(state const& s, u32 part) noexcept { return s.partial_[part].get(); }

  /// Which round it is; before the part arrives.
  static u32 round(state const& s) noexcept { return load<Scope, u32>(&s.round_, memory_order::relaxed); }

  /// By the last alone: everyone gets the result.
  static void publish(state& s, cell<T> const& result, u32 round) noexcept {
    s.result_.put(result);
    store<Scope, u32>(&s.round_, round + 1, memory_order::release); // pairs with await
    wake<Scope>(&s.round_);
  }

  /// By all others: polls relaxed, then acquires once.
  static cell<T> await(state const& s, u32 round) noexcept {
    auto const over = [&s, round]() noexcept { return load<Scope, u32>(&s.round_, memory_order::relaxed) != round; };
    block_until<Scope>(&s.round_, over, forever);
    acquire_seen<Scope, u32>(&s.round_); // pairs with publish
    return s.result_.get();
  }
};

} // namespace cudax::machine::reducing

CUDAX_EVERYWHERE_END
