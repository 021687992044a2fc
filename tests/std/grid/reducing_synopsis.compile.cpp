// SPDX-License-Identifier: Apache-2.0
//
// The interface of reductions.
import cudax.sync;

using namespace cudax;

struct no_default {
  int a;
  char b;
  explicit no_default(int a) : a(a), b(0) {}
};
struct copied_by_hand {
  copied_by_hand(copied_by_hand const&) {}
};

using state = reduce_state<int>;
static_assert(__is_same(state::value_type, int) && state::places() == 1024 && state::scope == thread_scope_device);
static_assert(reduce_state<int, thread_scope_block, 7>::places() == 7 &&
              reduce_state<int, thread_scope_block, 7>::scope == thread_scope_block);
// A __device__ variable, or memory cleared by cudaMemset, is ready.
static_assert(__is_trivially_constructible(state) && __is_trivially_destructible(state) &&
              __is_trivially_constructible(reduce_state<no_default>));
static_assert(!__is_constructible(state, state const&) && !__is_assignable(state&, state const&));
// No larger than necessary: a counter, a round, a result, and a place for each part.
static_assert(sizeof(reduce_state<int, thread_scope_device, 5>) == 4 * (2 + 1 + 5));
static_assert(sizeof(reduce_state<double, thread_scope_device, 5>) == 8 * (1 + 1 + 5));
static_assert(alignof(reduce_state<no_default>) >= alignof(no_default));
static_assert(__is_aggregate(reduce_part) && sizeof(reduce_part) == 8);

struct plus {
  int operator()(int a, int b) { return a + b; } // need not be const
};
struct plus_of_no_default {
  no_default operator()(no_default const& a, no_default const& b) const { return no_default(a.a + b.a); }
};
struct sink {
  int operator()(int) { return 1; } // the result of a sink is ignored
};
struct move_only_sink {
  move_only_sink() = default;
  move_only_sink(move_only_sink&&) = default;
  void operator()(int const&) const {}
};

template <class... Argument>
concept reduces = requires(Argument... argument) { reduce(argument...); };
static_assert(reduces<state&, int, plus> && reduces<state&, int, plus, sink>);
static_assert(reduces<state&, reduce_part, int, plus> && reduces<state&, reduce_part, int, plus, sink>);
static_assert(reduces<state&, int const*, unsigned long long, int, plus> &&
              reduces<state&, int*, unsigned, int, plus, sink>);
static_assert(!reduces<state&, int> && !reduces<state&, int, sink> && !reduces<state&, int, plus, plus>);
static_assert(!reduces<state&, double*, unsigned, int, plus> && !reduces<state const&, int, plus>);

// Named and called in host and in device code.
inline void uses(state& s, reduce_state<no_default, thread_scope_system, 4>& other, int const* range) {
  init(&s);
  static_assert(__is_same(decltype(reduce(s, 1, plus())), int));
  (void)reduce(s, 1, plus());
  reduce(s, 1, plus(), sink());
  reduce(s, 'c', plus(), move_only_sink()); // converts to the state's type
  (void)reduce(s, reduce_part{0, 1}, 1, plus());
  reduce(s, reduce_part{0, 1}, 1, plus(), sink());
  (void)reduce(s, range, 5, 0, plus());
  reduce(s, range, 5, 0, plus(), sink());
  (void)reduce(other, no_default(1), plus_of_no_default());
  reduce(other, reduce_part{0, 1}, no_default(1), plus_of_no_default(), [](no_default const&) {});
}
