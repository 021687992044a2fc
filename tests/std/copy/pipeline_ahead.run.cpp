// SPDX-License-Identifier: Apache-2.0
//
// pipeline_position, producer_try_acquire, consumer_try_wait, producer_tail, producer_skip, consumer_skip,
// pipeline_arrivals, pipeline_role::none (extensions): threads that wait ahead of what they release, take turns, or
// take no part. Commits with bytes: pipeline_agents. Masks of blocks: pipeline_cluster.
#include "support/test.hpp"
import cudax.sync;
#include "piped.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

inline constexpr unsigned steps = 9;

/// With a word of each thread in each stage.
template <thread_scope Scope, unsigned char Stages> struct piped_words : piped<Scope, Stages> {
  atomic<unsigned, Scope> used{0u};
  unsigned words[Stages][most_threads];
};

/// Even threads produce; odd threads consume, and release a stage only after they have used the next one. A producer
/// acquires a second stage before it commits the first.
template <thread_scope Scope, unsigned char Stages> struct lagging : piped_words<Scope, Stages> {
  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    auto const group = this->group(me);
    bool const produces = me.rank % 2 == 0;
    for (unsigned use = 0; use < 2; ++use) {
      auto p = make_pipeline(group, &this->state, produces ? pipeline_role::producer : pipeline_role::consumer);
      produces ? produce(p, me, test_) : consume(p, me, test_);
      if (p.quit()) this->last.fetch_add(1);
      group.sync();
      if (me.rank == 0) this->used.store(0, memory_order_relaxed);
      group.sync();
    }
  }

  void produce(auto& p, worker me, context& test_) {
    pipeline_position ahead = p.producer_position();
    for (unsigned batch = 0; batch < steps; ++batch) {
      pipeline_position const here = p.producer_position();
      CHECK_EQUAL(here.index(), batch % Stages);
      CHECK_EQUAL(here.phase(), batch / Stages % 2 == 1);
      if (batch == 0) p.producer_acquire();
      this->words[here.index()][me.rank] = batch * 1000 + me.rank;
      ++ahead; // free before this stage is committed: the consumers hold one stage, and this is another one
      if (batch + 1 < steps && Stages > 2) {
        if (batch % 2 != 0) p.producer_acquire(ahead);
        else AWAIT(p.producer_try_acquire(ahead));
      }
      dawdle(me.rank + batch);
      p.producer_commit();
      if (Stages <= 2 && batch + 1 < steps) p.producer_acquire();
    }
    p.producer_tail();
    CHECK_EQUAL(this->used.load(memory_order_relaxed), me.size / 2 * steps);
  }

  void consume(auto& p, worker me, context& test_) {
    pipeline_position ahead = p.consumer_position();
    for (unsigned batch = 0; batch < steps; ++batch, ++ahead) {
      bool const is_ready = batch % 3 != 0 && p.consumer_try_wait(ahead);
      if (!is_ready) p.consumer_wait(ahead);
      CHECK_EQUAL(ahead.index(), batch % Stages);
      check(batch, me, test_);
      if (batch == 0) continue;
      dawdle(me.rank + batch);
      CHECK_EQUAL(p.consumer_position().index(), (batch - 1) % Stages);
      check(batch - 1, me, test_); // still there
      this->used.fetch_add(1, memory_order_relaxed);
      p.consumer_release();
    }
    check(steps - 1, me, test_);
    this->used.fetch_add(1, memory_order_relaxed);
    p.consumer_release();
  }

  void check(unsigned batch, worker me, context& test_) {
    for (unsigned from : {me.rank - 1, (me.rank + 1) % me.size})
      CHECK_EQUAL(this->words[batch % Stages][from], batch * 1000 + from);
  }
};
CONCURRENT_TEST("consumers release a stage after they have used the next one: block", lagging<thread_scope_block, 3>)
CONCURRENT_TEST("consumers release a stage after they have used the next one, two stages: block",
                lagging<thread_scope_block, 2>)
CONCURRENT_TEST("consumers release a stage after they have used the next one: device", lagging<thread_scope_device, 4>)

/// Even threads take turns as producers, odd threads as consumers: a stage has one of each. A turn passes on when its
/// thread has waited for its stage.
template <thread_scope Scope, unsigned char Stages> struct turns : piped_words<Scope, Stages> {
  atomic<unsigned, Scope> next_producer{0u}, next_consumer{0u};

  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    auto const group = this->group(me);
    unsigned const pair = me.rank / 2, pairs = me.size / 2;
    for (unsigned use = 0; use < 2; ++use) {
      auto p = make_pipeline(group, &this->state, pipeline_arrivals{1, 1}, this_thread);
      unsigned const all = pairs + 7;
      if (me.rank % 2 == 0) {
        p.producer_skip(pair);
        for (unsigned i = pair; i < all; i += pairs) {
          take(next_producer, i);
          p.producer_acquire();
          next_producer.store(i + 1, memory_order_release);
          next_producer.notify_all();
          dawdle(me.rank + i);
          this->words[p.producer_position().index()][0] = i;
          p.producer_commit();
          p.producer_skip(pairs - 1);
        }
      } else {
        p.consumer_skip(pair);
        for (unsigned i = pair; i < all; i += pairs) {
          take(next_consumer, i);
          p.consumer_wait();
          next_consumer.store(i + 1, memory_order_release);
          next_consumer.notify_all();
          dawdle(me.rank + i);
          CHECK_EQUAL(p.consumer_position().index(), i % Stages);
          CHECK_EQUAL(this->words[i % Stages][0], i);
          p.consumer_release();
          p.consumer_skip(pairs - 1);
        }
      }
      group.sync();
      if (me.rank == 0) next_producer.store(0), next_consumer.store(0);
      if (p.quit()) this->last.fetch_add(1);
      group.sync();
    }
  }
  static void take(atomic<unsigned, Scope>& next, unsigned turn) {
    for (unsigned now; (now = next.load(memory_order_acquire)) != turn;) next.wait(now, memory_order_relaxed);
  }
};
CONCURRENT_TEST("agents take turns: block", turns<thread_scope_block, 2>)
CONCURRENT_TEST("agents take turns: device", turns<thread_scope_device, 3>)

/// Thread 0 produces, thread 1 consumes; the others take no part, and their objects end at once.
template <thread_scope Scope> struct spectators : piped_words<Scope, 2> {
  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    auto const group = this->group(me);
    using enum pipeline_role;
    for (unsigned use = 0; use < 2; ++use) {
      bool is_last = false;
      {
        auto p = make_pipeline(group, &this->state, me.rank == 0 ? producer : me.rank == 1 ? consumer : none);
        if (me.rank > 1) CHECK(!p.quit());
        for (unsigned batch = 0; batch < steps && me.rank < 2; ++batch) {
          if (me.rank == 0) {
            p.producer_acquire();
            this->words[batch % 2][0] = batch;
            p.producer_commit();
          } else {
            p.consumer_wait();
            CHECK_EQUAL(this->words[batch % 2][0], batch);
            p.consumer_release();
          }
        }
        is_last = p.quit();
      }
      if (is_last) this->last.fetch_add(1);
      group.sync();
    }
  }
};
CONCURRENT_TEST("a thread whose role is none takes no part: block", spectators<thread_scope_block>)
CONCURRENT_TEST("a thread whose role is none takes no part: device", spectators<thread_scope_device>)

TEST("a position counts stages and rounds; a skip moves the pipeline's own") {
  auto& state = make<pipeline_shared_state<thread_scope_block, 3>>(test_);
  auto p = make_pipeline(this_thread, &state);
  pipeline_position at = p.consumer_position();
  pipeline_position const first = at;
  CHECK_EQUAL(at.index(), 0u);
  for (unsigned i = 0; i < 7; ++i, ++at) {
    CHECK_EQUAL(at.index(), i % 3);
    CHECK_EQUAL(at.phase(), i / 3 % 2 == 1);
  }
  at = first;
  at += 8;
  CHECK_EQUAL(at.index(), 2u);
  CHECK(!at.phase());
  at += 1;
  CHECK_EQUAL(at.index(), 0u);
  CHECK(at.phase());
  CHECK(!p.consumer_try_wait());
  CHECK(p.producer_try_acquire());
  p.producer_commit();
  CHECK_EQUAL(p.producer_position().index(), 1u);
  CHECK(p.consumer_try_wait());
  at = p.consumer_position();
  ++at;
  CHECK(!p.consumer_try_wait(at));
  CHECK(p.producer_try_acquire());
  p.producer_commit();
  CHECK(p.consumer_try_wait(at));
  p.producer_acquire();
  p.producer_commit();
  CHECK(!p.producer_try_acquire());
  p.consumer_wait();
  p.consumer_release();
  CHECK(p.producer_try_acquire());
  p.consumer_wait();
  p.consumer_release();
  p.consumer_wait();
  p.consumer_release_by([](auto& barrier) { (void)barrier.arrive(); });
  p.producer_tail();
  CHECK(p.quit());
}

TESTS_END
