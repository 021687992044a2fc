// SPDX-License-Identifier: Apache-2.0
//
// [thread.barrier] barrier: completions
#include "support/test.hpp"
import cudax.sync;
#include "arriving.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// What the completions of these tests record.
struct trace {
  unsigned runs = 0;
};

struct counting {
  trace* at;
  void operator()() noexcept { ++at->runs; }
};

TEST("the completion runs once in each phase, during the last arrival") {
  for_each_scope([&]<thread_scope S>() {
    trace t;
    auto& b = make<barrier<S, counting>>(test_, 3, counting{&t});
    for (unsigned phase = 0; phase < 4; ++phase) {
      auto token = b.arrive();
      (void)b.arrive();
      CHECK_EQUAL(t.runs, phase);
      CHECK(!b.try_wait(token));
      (void)b.arrive();
      CHECK_EQUAL(t.runs, phase + 1);
      CHECK(b.try_wait(token));
      CHECK(b.try_wait_parity(phase % 2));
    }
    b.arrive_and_drop();
    b.arrive_and_drop();
    CHECK_EQUAL(t.runs, 4u);
    b.arrive_and_drop(); // ends the phase, too
    CHECK_EQUAL(t.runs, 5u);
  });
}

struct counting_not_noexcept {
  trace* at;
  void operator()() { ++at->runs; }
};

TEST("a completion need not be declared noexcept") {
  for_each_scope([&]<thread_scope S>() {
    trace t;
    auto& b = make<barrier<S, counting_not_noexcept>>(test_, 2, counting_not_noexcept{&t});
    auto const token = b.arrive();
    CHECK_EQUAL(t.runs, 0u);
    (void)b.arrive();
    CHECK_EQUAL(t.runs, 1u);
    CHECK(b.try_wait(token));
    static_assert(noexcept(b.arrive()) && noexcept(b.arrive_and_wait()) && noexcept(b.arrive_and_drop()));
  });
}

/// Counts its own runs.
struct stateful {
  unsigned* out;
  unsigned runs = 0;
  void operator()() noexcept { *out = ++runs; }
};

TEST("a completion keeps its state across phases") {
  unsigned out = 0;
  auto& b = make<barrier<thread_scope_device, stateful>>(test_, 1, stateful{&out});
  for (unsigned phase = 1; phase < 5; ++phase) {
    b.arrive_and_wait();
    CHECK_EQUAL(out, phase);
  }
}

/// Neither copyable nor assignable. A moved-from object does nothing.
struct move_only {
  unsigned* out = nullptr;
  explicit move_only(unsigned* out) : out(out) {}
  move_only(move_only&& from) noexcept : out(from.out) { from.out = nullptr; }
  move_only& operator=(move_only&&) = delete;
  void operator()() noexcept {
    if (out) ++*out;
  }
};

TEST("a completion may be move-only") {
  unsigned out = 0;
  {
    barrier<thread_scope_device, move_only> b(2, move_only(&out));
    b.wait(b.arrive(2));
    CHECK_EQUAL(out, 1u);
    init(&b, 1, move_only(&out));
    b.arrive_and_wait();
    CHECK_EQUAL(out, 2u);
  }
  auto lambda = [&out]() noexcept { out += 10; };
  barrier<thread_scope_block, decltype(lambda)> b(1, lambda);
  b.arrive_and_wait();
  CHECK_EQUAL(out, 12u);
}

struct empty {
  void operator()() noexcept {}
};

TEST("a completion without state does not enlarge the barrier") {
  static_assert(sizeof(barrier<thread_scope_device, empty>) == sizeof(barrier<thread_scope_device>));
  static_assert(sizeof(barrier<thread_scope_device>) == 8);
  auto& b = make<barrier<thread_scope_device, empty>>(test_, 1);
  b.arrive_and_wait();
  init(&b, 2);
  auto token = b.arrive();
  CHECK(!b.try_wait(token));
  b.arrive_and_wait();
  CHECK(b.try_wait(token));
}

/// The completion adds up what all threads wrote, plainly, and every thread reads the sum, plainly. It also writes a
/// mark for the next phase: a thread that is released before the completion has run, or that sees it run twice, reads a
/// wrong number.
template <thread_scope Scope> struct summing {
  static constexpr thread_scope scope = Scope;
  struct completion {
    summing* all;
    unsigned threads;
    unsigned runs;
    void operator()() noexcept {
      unsigned sum = 0;
      for (unsigned i = 0; i < threads; ++i) sum += all->parts[i];
      all->sum = sum;
      all->runs = ++runs;
    }
  };
  unsigned parts[most_threads];
  unsigned sum;
  unsigned runs;
  shared_objects<Scope> objects;
  barrier<Scope, completion> b;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&b, me.size, completion{this, me.size, 0}); })) return;
    unsigned const rounds = rounds_of(me.size);
    unsigned const all = me.size * (me.size - 1) / 2;
    for (unsigned round = 1; round <= rounds; ++round) {
      dawdle(round + me.rank);
      parts[me.rank] = round * me.rank;
      if (round % 3 == 0) b.arrive_and_wait();
      else if (round % 3 == 1) b.wait(b.arrive());
      else {
        (void)b.arrive();
        b.wait_parity(false); // a round has two phases
      }
      CHECK_EQUAL(sum, round * all);
      CHECK_EQUAL(runs, 2 * round - 1);
      b.arrive_and_wait(); // all have read
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(runs, 2 * rounds_of(threads)); }
};
CONCURRENT_TEST("the completion runs once, after all arrivals and before any thread is released: block",
                summing<thread_scope_block>)
CONCURRENT_TEST("the completion runs once, after all arrivals and before any thread is released: cluster",
                summing<thread_scope_cluster>)
CONCURRENT_TEST("the completion runs once, after all arrivals and before any thread is released: device",
                summing<thread_scope_device>)
CONCURRENT_TEST("the completion runs once, after all arrivals and before any thread is released: system",
                summing<thread_scope_system>)

TESTS_END
