// SPDX-License-Identifier: Apache-2.0
//
// make_pipeline(group, state, role, agent), stage_barrier, producer_expect, producer_commit and consumer_release of one
// thread (extensions): a warp arrives as one agent, whose stages all its lanes fill and use, or one thread alone.
#include "support/test.hpp"
import cudax.sync;
#include "piped.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// A warp fills stages by one copy, plain stores of each lane and a late lane; the other warps use them. Each warp
/// arrives as one agent. On the host, and if there is one warp only, an agent has one thread.
template <thread_scope Scope, unsigned char Stages> struct by_agents : piped<Scope, Stages> {
  static constexpr unsigned room = 2048; // bytes per stage, of which a copy fills the first half

  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    char* const stages = Scope == thread_scope_block ? block_memory() : target_memory();
    for (unsigned i = me.rank; i < room; i += me.size) source_memory()[i] = byte_of(i, 9);
    this->group(me).sync();
#if defined(__CUDA_ARCH__)
    if (me.size > 32) return run_as(this_warp, 32, stages, me, test_);
#endif
    run_as(this_thread, 1, stages, me, test_);
  }

  void run_as(auto const& agent, unsigned lanes, char* stages, worker me, context& test_) {
    auto const group = this->group(me);
    bool const produces = me.rank < lanes;
    for (unsigned use = 0; use < 2; ++use) {
      auto made =
          make_pipeline(group, &this->state, produces ? pipeline_role::producer : pipeline_role::consumer, agent);
      auto p = static_cast<decltype(made)&&>(made);
      for (unsigned batch = 0; batch < batches; ++batch) {
        char* const stage = stages + batch % Stages * room;
        if (produces) {
          p.producer_acquire();
          memcpy_async(agent, stage, source_memory() + batch % 2 * 512, aligned_size_t<16>(room / 2), p);
          dawdle(me.rank + batch); // lanes are late: the agent arrives when its last lane has written
          for (unsigned i = room / 2 + me.rank; i < room; i += lanes) stage[i] = byte_of(i, batch);
          p.producer_commit();
        } else {
          unsigned const consumers = me.size - lanes, first = (me.rank + batch) % consumers;
          p.consumer_wait();
          CHECK_EQUAL(wrong(stage - batch % 2 * 512, batch % 2 * 512 + first, batch % 2 * 512 + room / 2, consumers, 9),
                      0u);
          dawdle(me.rank + batch); // late readers
          CHECK_EQUAL(wrong(stage, room / 2 + first, room, consumers, batch), 0u);
          p.consumer_release();
        }
      }
      if (p.quit()) this->last.fetch_add(1);
      group.sync();
    }
  }
};
CONCURRENT_TEST("a warp produces, and other warps consume, as agents: block", by_agents<thread_scope_block, 2>)
CONCURRENT_TEST("a warp produces, and other warps consume, as agents: device", by_agents<thread_scope_device, 3>)

/// One thread of the producing agent fills the stages, and one thread of the last consuming agent uses them alone. On a
/// device a stage consists of bulk copies, whose bytes the program expects itself, and of plain stores.
template <unsigned char Stages> struct by_one_thread : piped<thread_scope_block, Stages> {
  static constexpr unsigned room = 1536; // bytes per stage

  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    for (unsigned i = me.rank; i < room; i += me.size) source_memory()[i] = byte_of(i, 9);
    this->group(me).sync();
#if defined(__CUDA_ARCH__)
    __shared__ pipeline_shared_state<thread_scope_block, Stages> state;
    if (me.size > 32) return run_as(this_warp, 32, state, me, test_);
    run_as(this_thread, 1, state, me, test_);
#else
    run_as(this_thread, 1, this->state, me, test_);
#endif
  }

  void run_as(auto const& agent, unsigned lanes, auto& state, worker me, context& test_) {
    auto const group = this->group(me);
    bool const produces = me.rank < lanes, is_alone = produces || me.rank >= me.size - lanes;
    for (unsigned use = 0; use < 2; ++use) {
      auto p = make_pipeline(group, &state, produces ? pipeline_role::producer : pipeline_role::consumer, agent);
      for (unsigned batch = 0; batch < batches; ++batch) {
        char* const stage = block_memory() + batch % Stages * room;
        if (is_alone && agent.thread_rank() != 0) continue; // the other threads of the agent call nothing
        if (produces) {
#if defined(__CUDA_ARCH__)
          // The bytes are expected with the stage, in two parts, with the commit, or with a commit before the copies.
          auto const copy = [&](auto& barrier) {
            device::memcpy_async_tx(stage, source_memory(), aligned_size_t<16>(512), barrier);
            dawdle(batch);
            device::memcpy_async_tx(stage + 512, source_memory() + 512, aligned_size_t<16>(512), barrier);
          };
          auto const write_rest = [&] {
            for (unsigned i = 1024; i < room; ++i) stage[i] = byte_of(i, batch);
          };
          if (batch % 4 == 0) p.producer_acquire(1024);
          else p.producer_acquire();
          if (batch % 4 == 3) {
            write_rest();
            p.producer_commit_by(1024, copy);
            continue;
          }
          if (batch % 4 == 1) p.producer_expect(512);
          copy(p.stage_barrier());
          dawdle(batch);
          if (batch % 4 == 1) p.producer_expect(512);
          write_rest();
          if (batch % 4 == 2) p.producer_commit(this_thread, 1024);
          else p.producer_commit(this_thread);
#else
          p.producer_acquire();
          memcpy_async(stage, source_memory(), aligned_size_t<16>(1024), p);
          for (unsigned i = 1024; i < room; ++i) stage[i] = byte_of(i, batch);
          p.producer_commit(this_thread);
#endif
        } else {
          unsigned const step = is_alone ? 1 : me.size - lanes;
#if defined(__CUDA_ARCH__)
          if (batch % 2 == 0) p.consumer_wait_cluster();
          else p.consumer_wait();
#else
          p.consumer_wait();
#endif
          CHECK_EQUAL(wrong(stage, is_alone ? 0 : me.rank - lanes, 1024, step, 9), 0u);
          dawdle(me.rank + batch); // late readers
          CHECK_EQUAL(wrong(stage, 1024 + (is_alone ? 0 : me.rank - lanes), room, step, batch), 0u);
          if (is_alone) p.consumer_release(this_thread);
          else p.consumer_release();
        }
      }
      group.sync(); // before any pipeline quits
      if (p.quit()) this->last.fetch_add(1);
      group.sync();
    }
  }
};
CONCURRENT_TEST("one thread of an agent fills the stages, by copies of its own, and one uses them alone: block",
                by_one_thread<3>)

TESTS_END
