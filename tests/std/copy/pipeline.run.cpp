// SPDX-License-Identifier: Apache-2.0
//
// pipeline, pipeline_shared_state, pipeline_role, make_pipeline (libcu++): each thread fills its part of a stage while
// other stages are used, unified and partitioned, at every scope; timed waits and moves. Groups that fill a stage
// together: pipeline_groups. Agents: pipeline_agents. The blocks of a cluster: pipeline_cluster. A thread's own
// pipeline: pipeline_thread. Waits ahead of releases, turns: pipeline_ahead.
#include "support/test.hpp"
import cudax.sync;
#include "piped.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// The offset of a thread's data of a batch, and the address of its part of a stage.
template <unsigned Size> unsigned source_at(unsigned rank, unsigned batch) { return (rank + batch) % 64 * Size; }
template <unsigned Size> char* stage_memory(worker me, unsigned stage, unsigned rank) {
#if defined(__CUDA_ARCH__)
  (void)me;
  return block_memory() + (stage * 256 + rank) * Size;
#else
  (void)rank;
  return host_block + (stage * me.size + me.rank) * Size;
#endif
}

/// Every thread produces and consumes: it copies a piece from global memory, and reads its own piece and that of the
/// neighbour in its block. The test runs twice, so that the state is reused after all threads have quit.
template <thread_scope Scope, unsigned char Stages, unsigned Size> struct unified : piped<Scope, Stages> {
  // With host and device together, the source is in the object itself, in managed memory.
  static constexpr bool both_sides = Scope == thread_scope_system;
  char own_source[both_sides ? 64 * Size : 1];
  unsigned written[most_threads];

  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    auto const group = this->group(me);
#if defined(__CUDA_ARCH__)
    unsigned const rank = unsigned(this_block.thread_rank()), size = unsigned(this_block.size());
#else
    unsigned const rank = 0, size = 1;
#endif
    char* const source = both_sides ? own_source : source_memory();
    for (unsigned i = me.rank; i < 64 * Size; i += me.size) source[i] = byte_of(i, 0);
    group.sync();
    for (unsigned use = 0; use < 2; ++use) {
      auto made = make_pipeline(group, &this->state);
      auto p = static_cast<decltype(made)&&>(made);
      CHECK(!made.quit()); // moved from
      unsigned produced = 0;
      for (unsigned batch = 0; batch < batches; ++batch) {
        for (; produced < batches && produced < batch + Stages; ++produced) {
          p.producer_acquire();
          memcpy_async(stage_memory<Size>(me, produced % Stages, rank), source + source_at<Size>(rank, produced), Size,
                       p);
          p.producer_commit();
        }
        dawdle(me.rank + batch);
        if (batch % 2 == 0) p.consumer_wait();
        else CHECK(p.consumer_wait_for(an_hour));
        for (unsigned of : {rank, (rank + 1) % size}) {
          char const* const at = stage_memory<Size>(me, batch % Stages, of);
          unsigned const from = source_at<Size>(of, batch);
          unsigned bad = 0;
          for (unsigned i = 0; i < Size; ++i) bad += at[i] != byte_of(from + i, 0);
          CHECK_EQUAL(bad, 0u);
        }
        p.consumer_release();
      }
      written[me.rank] = use + 1;
      bool is_last = false;
      if (me.rank % 3 == 0) { // quits alone, in divergent code
        dawdle(me.rank);
        is_last = p.quit();
      } else if (me.rank % 3 == 1) {
        auto moved = static_cast<decltype(p)&&>(p);
        is_last = moved.quit();
      } else {
        is_last = p.quit();
      }
      if (is_last) { // the last thread to quit owns all data
        this->last.fetch_add(1);
        for (unsigned i = 0; i < me.size; ++i) CHECK_EQUAL(written[i], use + 1);
      }
      CHECK(!p.quit());
      group.sync();
    }
  }
};
CONCURRENT_TEST("every thread produces and consumes: block", unified<thread_scope_block, 3, 32>)
CONCURRENT_TEST("every thread produces and consumes, large pieces: block", unified<thread_scope_block, 1, 128>)
CONCURRENT_TEST("every thread produces and consumes: cluster", unified<thread_scope_cluster, 2, 16>)
CONCURRENT_TEST("every thread produces and consumes: device", unified<thread_scope_device, 2, 48>)
CONCURRENT_TEST("every thread produces and consumes: system", unified<thread_scope_system, 4, 4>)

/// Half of the threads produce and the others consume. Producers copy, and also write plainly. Both go to global
/// memory, or to the shared memory of the only block.
template <thread_scope Scope, unsigned char Stages, bool ByRole> struct partitioned : piped<Scope, Stages> {
  static constexpr unsigned piece = 16;

  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    auto const group = this->group(me);
    bool const produces = ByRole ? me.rank % 2 == 0 : me.rank < me.size / 2;
    unsigned const pairs = me.size / 2;
    unsigned const pair = ByRole ? me.rank / 2 : me.rank % pairs;
    char* const stages = Scope == thread_scope_block ? block_memory() : target_memory();
    for (unsigned i = me.rank; i < pairs * piece; i += me.size) source_memory()[i] = byte_of(i, 0);
    group.sync();
    for (unsigned use = 0; use < 2; ++use) {
      auto p = ByRole ? make_pipeline(group, &this->state, produces ? pipeline_role::producer : pipeline_role::consumer)
                      : make_pipeline(group, &this->state, size_t(pairs));
      for (unsigned batch = 0; batch < batches; ++batch) {
        char* const stage = stages + batch % Stages * ((pairs * (piece + 4) + 15) / 16 * 16);
        if (produces) {
          dawdle(me.rank + batch);
          p.producer_acquire();
          memcpy_async(stage + pair * piece, source_memory() + pair * piece, aligned_size_t<16>(piece), p);
          reinterpret_cast<unsigned*>(stage + pairs * piece)[pair] = batch * 1000 + pair;
          p.producer_commit();
        } else {
          p.consumer_wait();
          unsigned const other = (pair + 1) % pairs;
          CHECK_EQUAL(wrong(stage, other * piece, other * piece + piece, 1, 0), 0u);
          CHECK_EQUAL(reinterpret_cast<unsigned*>(stage + pairs * piece)[other], batch * 1000 + other);
          dawdle(me.rank + batch);
          p.consumer_release();
        }
      }
      if (p.quit()) this->last.fetch_add(1);
      group.sync();
    }
  }
};
CONCURRENT_TEST("half of the threads produce and half consume, by number: block",
                partitioned<thread_scope_block, 2, false>)
CONCURRENT_TEST("half of the threads produce and half consume, by role: block",
                partitioned<thread_scope_block, 1, true>)
CONCURRENT_TEST("half of the threads produce and half consume, by role: cluster",
                partitioned<thread_scope_cluster, 2, true>)
CONCURRENT_TEST("half of the threads produce and half consume, by number: device",
                partitioned<thread_scope_device, 3, false>)

TEST("a timed wait returns whether the stage is filled; a released stage can be acquired again") {
  auto& state = make<pipeline_shared_state<thread_scope_block, 2>>(test_);
  auto p = make_pipeline(this_thread, &state);
  int from = 7;
  CHECK(!p.consumer_wait_for(std::chrono::nanoseconds(0)));
  CHECK(!p.consumer_wait_until(steady_clock::now() + std::chrono::microseconds(20)));
  for (int round = 0; round < 5; ++round) {
    int to = 0;
    p.producer_acquire();
    from = round;
    memcpy_async(&to, &from, sizeof(int), p);
    CHECK(!p.consumer_wait_for(std::chrono::microseconds(1)));
    p.producer_commit();
    CHECK(p.consumer_wait_for(an_hour));
    CHECK(p.consumer_wait_until(steady_clock::now()));
    CHECK_EQUAL(to, round);
    p.consumer_release();
  }
  CHECK(p.quit());
}

TEST("a moved-from pipeline is inert; only the target of the moves quits") {
  auto& state = make<pipeline_shared_state<thread_scope_device, 1>>(test_);
  auto first = make_pipeline(this_thread, &state);
  auto second = static_cast<decltype(first)&&>(first);
  CHECK(!first.quit());
  auto third = static_cast<decltype(second)&&>(second);
  CHECK(!second.quit());
  CHECK(third.quit());
  CHECK(!third.quit());
  auto alone = make_pipeline();
  auto moved = static_cast<decltype(alone)&&>(alone);
  CHECK(!alone.quit());
  CHECK(moved.quit());
}

TEST("copies begun before a pipeline was moved are complete after the wait") {
  auto& state = make<pipeline_shared_state<thread_scope_block, 1>>(test_);
  auto first = make_pipeline(this_thread, &state);
  fill(source_memory(), 0, 128, 1, 5);
  fill(block_memory() + 1024, 0, 128, 1, 5);
  first.producer_acquire();
  memcpy_async(block_memory(), source_memory(), 64, first);
  memcpy_async(target_memory(), block_memory() + 1024, 128, first);
  auto second = static_cast<decltype(first)&&>(first);
  second.producer_commit();
  second.consumer_wait();
  CHECK_EQUAL(wrong(block_memory(), 0, 64, 1, 5), 0u);
  CHECK_EQUAL(wrong(target_memory(), 0, 128, 1, 5), 0u);
  second.consumer_release();
}

TESTS_END
