// SPDX-License-Identifier: Apache-2.0
//
// make_pipeline(), pipelines of thread scope, pipeline_consumer_wait_prior, pipeline_producer_commit (libcu++): a
// thread waits for its own copies, and may have a barrier wait for them.
#include "support/test.hpp"
import cudax.sync;
#include "piped.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("pipelines of thread scope do not use the shared state") {
  auto& state = make<pipeline_shared_state<thread_scope_thread, 2>>(test_);
  fill(source_memory(), 0, 128, 1, 5);
  auto all = make_pipeline(this_thread, &state);
  auto some = make_pipeline(this_thread, &state, 1);
  auto producer = make_pipeline(this_thread, &state, pipeline_role::producer);
  static_assert(__is_same(decltype(all), pipeline<thread_scope_thread>));
  unsigned at = 0;
  for (auto* p : {&all, &some, &producer}) {
    memcpy_async(block_memory() + at, source_memory(), 128, *p);
    p->producer_commit();
    CHECK(p->consumer_wait_until(steady_clock::now()));
    CHECK_EQUAL(wrong(block_memory() + at, 0, 128, 1, 5), 0u);
    CHECK(p->quit());
    at += 128;
  }
}

TEST("a thread's own pipeline: each wait is for the oldest stage") {
  auto p = make_pipeline();
  fill(source_memory(), 0, 2048, 1, 2);
  for (unsigned i = 0; i < 2048; ++i) block_memory()[i] = 0;
  p.consumer_wait(); // nothing to wait for
  for (unsigned stage = 0; stage < 12; ++stage) {
    p.producer_acquire();
    memcpy_async(block_memory() + stage * 64, source_memory() + stage * 64, aligned_size_t<16>(64), p);
    p.producer_commit();
  }
  for (unsigned stage = 0; stage < 12; ++stage) {
    if (stage % 2 == 0) p.consumer_wait();
    else CHECK(p.consumer_wait_for(std::chrono::seconds(1)));
    CHECK_EQUAL(wrong(block_memory(), stage * 64, stage * 64 + 64, 1, 2), 0u);
    p.consumer_release();
  }
}

TEST("a thread's own pipeline: pipeline_consumer_wait_prior<N> waits for all but N stages") {
  auto p = make_pipeline();
  fill(source_memory(), 0, 2048, 1, 4);
  for (unsigned i = 0; i < 512; ++i) block_memory()[i] = 0;
  for (unsigned stage = 0; stage < 4; ++stage) {
    memcpy_async(this_thread, block_memory() + stage * 128, source_memory() + stage * 128, 128, p);
    p.producer_commit();
  }
  pipeline_consumer_wait_prior<2>(p);
  CHECK_EQUAL(wrong(block_memory(), 0, 256, 1, 4), 0u);
  p.consumer_wait(); // the third
  CHECK_EQUAL(wrong(block_memory(), 0, 384, 1, 4), 0u);
  pipeline_consumer_wait_prior<0>(p);
  CHECK_EQUAL(wrong(block_memory(), 0, 512, 1, 4), 0u);
}

TEST("a thread's own pipeline: copies to global memory are complete after the wait") {
  auto p = make_pipeline();
  for (unsigned round = 0; round < 3; ++round) {
    fill(block_memory(), 0, 1024, 1, round);
    memcpy_async(target_memory(), block_memory(), 512, p);
    p.producer_commit();
    memcpy_async(target_memory() + 512, block_memory() + 512, 512, p);
    p.producer_commit();
    p.consumer_wait();
    CHECK_EQUAL(wrong(target_memory(), 0, 512, 1, round), 0u);
    p.consumer_wait();
    CHECK_EQUAL(wrong(target_memory(), 512, 1024, 1, round), 0u);
  }
}

TEST("pipeline_producer_commit makes a barrier wait for a thread's copies") {
  auto& b = make<barrier<thread_scope_block>>(test_, 1);
  auto p = make_pipeline();
  for (unsigned round = 0; round < 3; ++round) {
    fill(source_memory(), 0, 2048, 1, round);
    memcpy_async(block_memory(), source_memory(), 1000, p);
    fill(block_memory() + 4096, 0, 256, 1, round + 1);
    memcpy_async(target_memory(), block_memory() + 4096, 256, p);
    pipeline_producer_commit(p, b);
    b.arrive_and_wait();
    CHECK_EQUAL(wrong(block_memory(), 0, 1000, 1, round), 0u);
    CHECK_EQUAL(wrong(target_memory(), 0, 256, 1, round + 1), 0u);
  }
}

TESTS_END
