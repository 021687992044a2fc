// SPDX-License-Identifier: Apache-2.0
//
// [thread.barrier] barrier without a completion. In shared memory at block scope it is an mbarrier from sm_80 on.
// Completions: barrier_completion; many phases: barrier_phases; timed waits: barrier_times.
#include "support/test.hpp"
import cudax.sync;
#include "arriving.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("a phase completes with its last expected arrival, and the next phase expects as many") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 3);
    auto& b = made.object;
    for (int phase = 0; phase < 5; ++phase) {
      auto first = b.arrive();
      CHECK(!b.try_wait(first));
      auto second = b.arrive();
      CHECK(!b.try_wait(first));
      CHECK(!b.try_wait_parity(phase % 2));
      CHECK(b.try_wait_parity(phase % 2 == 0)); // the previous phase
      auto third = b.arrive();
      CHECK(b.try_wait(first));
      CHECK(b.try_wait(second));
      CHECK(b.try_wait_parity(phase % 2));
      b.wait_parity(phase % 2);
      b.wait(static_cast<decltype(third)&&>(third));
    }
  });
}

TEST("a thread can arrive several times in one call") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 7);
    auto& b = made.object;
    for (int phase = 0; phase < 3; ++phase) {
      auto token = b.arrive(2);
      (void)b.arrive(4);
      CHECK(!b.try_wait(token));
      b.arrive_and_wait();
      CHECK(b.try_wait(token));
      b.wait(b.arrive(7));
    }
  });
}

TEST("the next phase may begin before every thread has waited for the previous one") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 2);
    auto& b = made.object;
    auto before = b.arrive(2);
    for (int phase = 1; phase < 6; ++phase) {
      auto now = b.arrive();
      CHECK(b.try_wait(before));
      CHECK(!b.try_wait(now));
      CHECK(b.try_wait_parity(phase % 2 == 0));
      CHECK(!b.try_wait_parity(phase % 2));
      b.wait(static_cast<decltype(before)&&>(before));
      (void)b.arrive();
      before = static_cast<decltype(now)&&>(now);
    }
    CHECK(b.try_wait(before));
  });
}

TEST("a thread that drops out arrives, and is not expected again") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 4);
    auto& b = made.object;
    b.arrive_and_drop();
    auto token = b.arrive(2);
    CHECK(!b.try_wait(token));
    b.arrive_and_drop();
    CHECK(b.try_wait(token));
    token = b.arrive();
    CHECK(!b.try_wait(token));
    (void)b.arrive();
    CHECK(b.try_wait(token));
    token = b.arrive();
    b.arrive_and_drop();
    CHECK(b.try_wait(token));
    b.arrive_and_wait();
    b.arrive_and_wait();
    b.arrive_and_drop();
  });
}

TEST("a barrier accepts the largest count") {
  for_each_scope([&]<thread_scope S>() {
    auto const most = barrier<S>::max();
    static_assert(most == (1 << 20) - 1);
    made_barrier<barrier<S>> const made(test_, most);
    auto& b = made.object;
    for (int phase = 0; phase < 3; ++phase) {
      auto token = b.arrive(most - 1);
      CHECK(!b.try_wait(token));
      (void)b.arrive();
      CHECK(b.try_wait(token));
      CHECK(b.try_wait_parity(phase % 2));
    }
  });
}

TEST("a barrier with count 0 can be destroyed or given a count") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 0);
    auto& b = made.object;
    destroy(&b);
    int none = 0;
    asm volatile("" : "+r"(none)); // a count that is unknown at compile time
    init(&b, none);
    destroy(&b);
    init(&b, 2);
    auto token = b.arrive();
    CHECK(!b.try_wait(token));
    b.arrive_and_wait();
    CHECK(b.try_wait(token));
  });
}

TEST("after all threads have dropped out, the last phase stays complete") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 2);
    auto& b = made.object;
    b.arrive_and_drop();
    CHECK(!b.try_wait_parity(false));
    b.arrive_and_drop();
    for (int i = 0; i < 3; ++i) CHECK(b.try_wait_parity(false));
    b.wait_parity(false);
    CHECK(b.try_wait_parity_for(false, an_hour));
  });
}

TEST("the memory of a destroyed barrier can be reused for anything") {
  struct numbers {
    unsigned at[4];
  };
  for_each_scope([&]<thread_scope S>() {
    for (int count = 1; count < 4; ++count) {
      {
        made_barrier<barrier<S>> const made(test_, count);
        (void)made.object.arrive(); // destroyed during a phase, too
      }
      auto& data = make<numbers>(test_);
      for (unsigned i = 0; i < 4; ++i) data.at[i] = ~i;
      for (unsigned i = 0; i < 4; ++i) CHECK_EQUAL(data.at[i], ~i);
    }
  });
}

TEST("tokens can be moved") {
  auto& b = make<barrier<>>(test_, 2);
  auto a = b.arrive();
  barrier<>::arrival_token c = static_cast<decltype(a)&&>(a);
  CHECK(!b.try_wait(c));
  a = b.arrive();
  b.wait(static_cast<decltype(c)&&>(c));
  b.wait(static_cast<decltype(a)&&>(a));
}

TEST("this_thread is a group, which arrives once") {
  for_each_scope([&]<thread_scope S>() {
    made_barrier<barrier<S>> const made(test_, 2);
    auto& b = made.object;
    auto token = b.arrive(this_thread);
    CHECK(!b.try_wait(token));
    b.arrive_and_wait(this_thread);
    b.wait(this_thread, static_cast<decltype(token)&&>(token));
  });
}

/// Every thread arrives and waits, in every way, and then reads what others wrote before they arrived.
template <thread_scope Scope, thread_scope Named = Scope> struct meeting {
  static constexpr thread_scope scope = Scope;
  slots data;
  shared_objects<Scope> objects;
  barrier<Named> b;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&b, me.size); })) return;
    unsigned const rounds = rounds_of(me.size);
    for (unsigned round = 0; round < rounds; ++round) {
      dawdle(round + me.rank);
      data.write(me, round);
      meet(round, (round + me.rank) % 11, test_);
      data.check(me, round, test_);
    }
  }
  void meet(unsigned round, unsigned way, context& test_) {
    bool const parity = round % 2;
    if (way == 0) return b.arrive_and_wait();
    if (way == 1) return b.arrive_and_wait(this_thread);
    if (way == 2) return b.wait(b.arrive());
    auto token = b.arrive();
    dawdle(way + round);
    switch (way) {
    case 3: return b.wait(static_cast<decltype(token)&&>(token));
    case 4: AWAIT(b.try_wait(token)); return;
    case 5: return CHECK(b.try_wait_for(token, an_hour));
    case 6: return CHECK(b.try_wait_until(token, steady_clock::now() + an_hour));
    case 7: return b.wait_parity(parity);
    case 8: AWAIT(b.try_wait_parity(parity)); return;
    case 9: return CHECK(b.try_wait_parity_for(parity, an_hour));
    default: return CHECK(b.try_wait_parity_until(parity, steady_clock::now() + an_hour));
    }
  }
  void end() { destroy(&b); }
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};
CONCURRENT_TEST("writes before an arrival are visible after the wait: block", meeting<thread_scope_block>)
CONCURRENT_TEST("writes before an arrival are visible after the wait: cluster", meeting<thread_scope_cluster>)
CONCURRENT_TEST("writes before an arrival are visible after the wait: device", meeting<thread_scope_device>)
CONCURRENT_TEST("writes before an arrival are visible after the wait: system", meeting<thread_scope_system>)
CONCURRENT_TEST("writes before an arrival are visible after the wait: thread scope means the block",
                meeting<thread_scope_block, thread_scope_thread>)

/// Threads drop out, several in a phase, until one in eight is left.
template <thread_scope Scope> struct dropping {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned leaving = 7;
  slots data;
  shared_objects<Scope> objects;
  atomic<unsigned, Scope> left{0u};
  barrier<Scope> b;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&b, me.size); })) return;
    unsigned const my_round = me.rank % (leaving + 1); // every eighth thread stays
    for (unsigned round = 0; round < 3 * leaving; ++round) {
      dawdle(round + me.rank);
      data.write(me, round);
      if (my_round == round && my_round != leaving) {
        b.arrive_and_drop();
        left.fetch_add(1);
        return;
      }
      b.arrive_and_wait();
      // Threads of earlier rounds are gone. Threads of this round have written before they dropped out.
      for (unsigned other = me.rank % 8; other < me.size; other += 1 + me.size / 8)
        if (other % (leaving + 1) == leaving || other % (leaving + 1) >= round)
          CHECK_EQUAL(data.at[round % 2][other], 1000 * round + other);
    }
    left.fetch_add(1);
  }
  void end() { destroy(&b); }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(left.load(), threads); }
};
CONCURRENT_TEST("the remaining threads synchronize without those that dropped out: block", dropping<thread_scope_block>)
CONCURRENT_TEST("the remaining threads synchronize without those that dropped out: cluster",
                dropping<thread_scope_cluster>)
CONCURRENT_TEST("the remaining threads synchronize without those that dropped out: device",
                dropping<thread_scope_device>)
CONCURRENT_TEST("the remaining threads synchronize without those that dropped out: system",
                dropping<thread_scope_system>)

/// All threads drop out, one after the other. Then one of them makes another barrier in the same memory, and all use
/// it.
template <thread_scope Scope> struct again {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned rounds = 4;
  slots data;
  atomic<unsigned, Scope> lives;
  atomic<unsigned, Scope> done{0u};
  barrier<Scope> b;

  void run(worker me, context& test_) {
    for (unsigned round = 0; round < rounds; ++round) {
      if (me.rank == 0) {
        AWAIT(done.load(memory_order_acquire) == round * me.size);
        if (round > 0) destroy(&b);
        init(&b, me.size);
        lives.store(round + 1, memory_order_release);
      } else {
        AWAIT(lives.load(memory_order_acquire) == round + 1);
      }
      data.write(me, round);
      b.arrive_and_wait();
      data.check(me, round, test_);
      b.arrive_and_drop();
      done.fetch_add(1, memory_order_release);
    }
  }
  void end() { destroy(&b); }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(done.load(), rounds * threads); }
};
CONCURRENT_TEST("a barrier can be made again after all threads have dropped out: block", again<thread_scope_block>)
CONCURRENT_TEST("a barrier can be made again after all threads have dropped out: cluster", again<thread_scope_cluster>)
CONCURRENT_TEST("a barrier can be made again after all threads have dropped out: device", again<thread_scope_device>)
CONCURRENT_TEST("a barrier can be made again after all threads have dropped out: system", again<thread_scope_system>)

TESTS_END
