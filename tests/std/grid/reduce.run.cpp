// SPDX-License-Identifier: Apache-2.0
//
// reduce (extension of [numeric.reduce]) of parts: threads of any kind, each of which passes the rank of its part. By
// the threads of a grid: reduce_grid, reduce_range.
#include "support/test.hpp"
import cudax.sync;
#include "reducing.hpp"
#include "std/thread/arriving.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("the result of one part is its value") {
  auto& state = make<reduce_state<int, thread_scope_device, 4>>(test_);
  init(&state);
  int given = 0;
  reduce(state, reduce_part{0, 1}, 42, plus(), [&](int result) { given = result; });
  CHECK_EQUAL(given, 42);
  CHECK_EQUAL(reduce(state, reduce_part{0, 1}, 43, plus()), 43);
}

TEST("the last of several parts gets the result, in rank order, and the state is ready again") {
  auto& state = make<reduce_state<affine, thread_scope_block, 8>>(test_);
  init(&state);
  for (unsigned round = 0; round < 3; ++round)
    for (unsigned count = 1; count <= 8; ++count) {
      int calls = 0;
      affine given{};
      for (unsigned i = 0; i < count; ++i) {
        unsigned const rank =
            (i * 5 + round) % count; // differs from the order of the ranks, unless 5 divides the count
        unsigned const each = count % 5 == 0 ? i : rank;
        CHECK_EQUAL(calls, 0);
        reduce(state, reduce_part{each, count}, value_of<affine>(each, round), after(), [&](affine const& result) {
          ++calls;
          given = result;
        });
      }
      CHECK_EQUAL(calls, 1);
      CHECK(given == folded<affine>(count, round, after()));
    }
}

/// Every part gets the result, in many rounds with one state. Writes before the call are visible after it.
template <class T, thread_scope Scope, thread_scope Named = Scope> struct result_for_all {
  static constexpr thread_scope scope = Scope;
  slots data;
  reduce_state<T, Named, most_threads> state;

  void run(worker me, context& test_) {
    for (unsigned round = 0; round < rounds_of(me.size) / 4; ++round) {
      dawdle(round + me.rank);
      data.write(me, round);
      T const result = reduce(state, reduce_part{me.rank, me.size}, value_of<T>(me.rank, round), after());
      data.check(me, round, test_);
      if (me.rank % 37 == 0) CHECK(result == folded<T>(me.size, round, after()));
    }
  }
  void verify(unsigned threads, context& test_) { CHECK(threads != 0); }
};
CONCURRENT_TEST("every part gets the result: block", result_for_all<affine, thread_scope_block>)
CONCURRENT_TEST("every part gets the result: cluster", result_for_all<brackets, thread_scope_cluster>)
CONCURRENT_TEST("every part gets the result: device", result_for_all<affine, thread_scope_device>)
CONCURRENT_TEST("every part gets the result: system", result_for_all<affine, thread_scope_system>)
CONCURRENT_TEST("every part gets the result: thread scope means the block",
                result_for_all<affine, thread_scope_block, thread_scope_thread>)

/// Only the last part gets the result, through the sink, which sees what all parts wrote before.
template <thread_scope Scope> struct result_for_one {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most_rounds = rounds_of(1) / 4;
  unsigned data[most_threads];
  unsigned calls, seen; // written by the sink, plainly
  atomic<unsigned, Scope> done;
  reduce_state<affine, Scope, most_threads> state;

  void run(worker me, context& test_) {
    unsigned const rounds = rounds_of(me.size) / 4;
    for (unsigned round = 0; round < rounds; ++round) {
      data[me.rank] = round + me.rank;
      reduce(state, reduce_part{me.rank, me.size}, value_of<affine>(me.rank, round), after(),
             [&](affine const& result) {
               ++calls;
               for (unsigned i = 0; i < me.size; ++i) seen += data[i] == round + i;
               CHECK(result == folded<affine>(me.size, round, after()));
             });
      // The test's own barrier: the next round overwrites data and reuses the state.
      done.fetch_add(1);
      AWAIT(done.load() >= me.size * (round + 1));
    }
  }
  void verify(unsigned threads, context& test_) {
    unsigned const rounds = rounds_of(threads) / 4;
    CHECK_EQUAL(calls, rounds);
    CHECK_EQUAL(seen, rounds * threads);
  }
};
CONCURRENT_TEST("only one part gets the result through a sink: block", result_for_one<thread_scope_block>)
CONCURRENT_TEST("only one part gets the result through a sink: cluster", result_for_one<thread_scope_cluster>)
CONCURRENT_TEST("only one part gets the result through a sink: device", result_for_one<thread_scope_device>)
CONCURRENT_TEST("only one part gets the result through a sink: system", result_for_one<thread_scope_system>)

TESTS_END
