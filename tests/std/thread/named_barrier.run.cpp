// SPDX-License-Identifier: Apache-2.0
//
// Named barriers, turns and groups of warps (extension), in kernels of their own: each test needs a block of a certain
// size. CUDA only. What these types do on the host: group.
#include "support/test.hpp"

import cudax.sync;
#include "arriving.hpp"

using namespace cudax;
using namespace cudax_test;

/// How a kernel of this file is launched: one block, and an object in the memory of the device.
template <class Object> static void run_in_block(void (*kernel)(Object*, report*), unsigned threads, report& result) {
  device_report found;
  on_device<Object> object;
  report* on_device = found.on_device();
  void* arguments[] = {&object.device, &on_device};
  CUDA_MUST(cudaLaunchKernel(reinterpret_cast<void const*>(kernel), dim3(1), dim3(threads), arguments));
  found.finish(result);
}

/// Two warps produce, two warps consume: plain data in one slot passes through two barriers, whose ids come from a
/// range.
struct warp_slot {
  unsigned data[64];
};
using slot_barriers = named_barrier_ids<4, 2>;

template <class Full, class Empty> __device__ void pass(warp_slot& slot, Full full, Empty empty, context& test_) {
  unsigned const me = threadIdx.x % 64;
  for (unsigned round = 0; round < 30; ++round) {
    if (threadIdx.x < 64) {
      if (round > 0) empty.sync_aligned(); // the slot has been read
      dawdle(round + me / 32);
      slot.data[me] = 100 * round + me;
      full.arrive();
    } else {
      if (round % 2 == 0) full.arrive_and_wait();
      else full.sync_aligned();
      CHECK_EQUAL(slot.data[(me + 33) % 64], 100 * round + (me + 33) % 64);
      if (round % 3 == 0) dawdle(round + me / 32);
      if (round + 1 < 30) empty.arrive_aligned();
    }
  }
}
__global__ void produce_and_consume(warp_slot* slot, report* result) {
  context test_{result, nullptr, nullptr};
  pass(*slot, slot_barriers::barrier<0>(128), slot_barriers::barrier<1>(128), test_);
  this_block.sync();
  pass(*slot, slot_barriers::at(int(gridDim.x) - 1, 128), slot_barriers::at(int(gridDim.x), 128),
       test_); // ids known at run time
}
static void run_one_slot(report& result) { run_in_block(produce_and_consume, 128, result); }
TEST_CASE_(slot, "plain data passes between warps that arrive and warps that wait", "", side::device, run_one_slot)

/// In a block of 8 warps, two groups of warps synchronize by themselves. The second one begins when the first one has
/// finished, so a barrier of the whole block would not return.
struct two_groups {
  unsigned data[2][128];
  unsigned alone[32];
  atomic<unsigned, thread_scope_block> done{0};
  latch<thread_scope_block> both{2};
  barrier<thread_scope_block> of_threes{1};
};
template <class Group> __device__ void meet(Group group, unsigned (&data)[2][128], unsigned side, context& test_) {
  unsigned const me = unsigned(group.thread_rank());
  unsigned const size = unsigned(group.size());
  unsigned* const mine = data[side];
  for (unsigned round = 0; round < 20; ++round) {
    dawdle(round + me / 32);
    mine[me] = 100 * round + me;
    if (me % 2 == 0) group.sync();
    else group.sync(); // the lanes of a warp come from different calls
    CHECK_EQUAL(mine[(me + 33) % size], 100 * round + (me + 33) % size);
    group.sync();
  }
}
__global__ void meet_in_groups(two_groups* state, report* result) {
  context test_{result, nullptr, nullptr};
  auto const early = this_block.warps<0, 4, 1>();
  auto const late = this_block.warps<4, 3, 15>();
  auto const last = this_block.warps<7, 1>();
  CHECK_EQUAL(unsigned(early.contains()) + unsigned(late.contains()) + unsigned(last.contains()), 1u);
  if (early.contains()) {
    CHECK_EQUAL(early.size(), 128u);
    CHECK_EQUAL(early.thread_rank(), threadIdx.x);
    meet(early, state->data, 0, test_);
    if (early.elect()) {
      CHECK(threadIdx.x < 32);
      state->done.fetch_add(1, memory_order_release);
    }
    state->both.arrive_and_wait(early);
  } else if (late.contains()) {
    CHECK_EQUAL(late.size(), 96u);
    CHECK_EQUAL(late.thread_rank(), threadIdx.x - 128);
    AWAIT(state->done.load(memory_order_acquire) == 1);
    meet(late, state->data, 1, test_);
    late.sync();
    state->both.arrive_and_wait(late); // a group of warps is one arrival
    state->data[1][late.thread_rank()] = 7;
    state->of_threes.arrive_and_wait(late);
    CHECK_EQUAL(state->data[1][(late.thread_rank() + 33) % 96], 7u);
  } else {
    unsigned const me = unsigned(last.thread_rank());
    for (unsigned round = 0; round < 20; ++round) {
      state->alone[me] = round + me;
      last.sync();
      CHECK_EQUAL(state->alone[(me + 7) % 32], round + (me + 7) % 32);
      last.sync();
    }
    bool const elected = last.elect();
    unsigned const leaders = __ballot_sync(~0u, elected);
    CHECK_EQUAL(__popc(leaders), 1);
    CHECK_EQUAL(__ballot_sync(~0u, this_warp.elect()), leaders);
  }
}
static void run_two_groups(report& result) { run_in_block(meet_in_groups, 256, result); }
TEST_CASE_(groups, "groups of warps of a block synchronize independently", "", side::device, run_two_groups)

/// A group of four warps copies through a pipeline while the rest of the block has exited.
struct through_pipeline {
  unsigned from[256], to[256];
};
__global__ void copy_as_group(through_pipeline* state, report* result) {
  context test_{result, nullptr, nullptr};
  __shared__ unsigned stage[2][128];
  __shared__ pipeline_shared_state<thread_scope_block, 2> shared;
  auto const group = this_block.warps<2, 4, 9>();
  if (!group.contains()) return;
  unsigned const me = unsigned(group.thread_rank());
  for (unsigned i = me; i < 256; i += 128) state->from[i] = 3 * i;
  auto p = make_pipeline(group, &shared);
  group.sync();
  for (unsigned i = 0; i < 2; ++i) {
    p.producer_acquire();
    memcpy_async(group, stage[i], state->from + 128 * i, sizeof stage[i], p);
    p.producer_commit();
  }
  for (unsigned i = 0; i < 2; ++i) {
    p.consumer_wait();
    CHECK_EQUAL(stage[i][(me + 33) % 128], 3 * (128 * i + (me + 33) % 128));
    p.consumer_release();
  }
}
static void run_copy(report& result) { run_in_block(copy_as_group, 224, result); }
TEST_CASE_(copies, "a group of warps uses a pipeline", "", side::device, run_copy)

/// Each thread gets what the predicates of all threads of a phase give, of two barriers that are used alternately.
struct no_state {};
__global__ void reduce_predicates(no_state*, report* result) {
  context test_{result, nullptr, nullptr};
  named_barrier<7> const even(128);
  auto const odd = named_barrier_ids<3, 2>::at(1, 128);
  unsigned const me = threadIdx.x;
  for (unsigned round = 0; round < 128; round += 9) {
    CHECK_EQUAL(even.sync_count(me < round), int(round));
    CHECK_EQUAL(odd.sync_count(me != round), 127);
    CHECK_EQUAL(even.sync_and(me != round), false);
    CHECK_EQUAL(odd.sync_and(me < 128), true);
    CHECK_EQUAL(even.sync_or(me == round), true);
    CHECK_EQUAL(odd.sync_or(me >= 128), false);
  }
}
static void run_predicates(report& result) { run_in_block(reduce_predicates, 128, result); }
TEST_CASE_(predicates, "a phase counts predicates and combines them", "", side::device, run_predicates)

/// Groups of warps take turns at two stages. Plain data passes from each turn to the next one, and none of it is
/// overwritten before the next group has read it.
template <int Groups, int Warps>
struct turn_state {
  unsigned data[2][2][32 * Warps]; // stage, parity of the turn
  unsigned turns[2];
};
template <int Groups, int Warps>
__global__ void take_turns(turn_state<Groups, Warps>* state, report* result) {
  context test_{result, nullptr, nullptr};
  constexpr unsigned size = 32 * Warps, rounds = 12;
  int const group = int(threadIdx.x / size);
  unsigned const me = threadIdx.x % size;
  for (int again = 0; again < 2; ++again) { // the barriers are as before
    {
      ordered_turns<named_barrier_ids<2, 2 * Groups>, Groups, 2, Warps> turns(group);
      for (unsigned round = 0; round < rounds; ++round)
        for (int stage = 0; stage < 2; ++stage) {
          unsigned const turn = round * Groups + unsigned(group);
          if (round == rounds - 1 && group == Groups - 1 && stage == 0) {
            turns.skip(stage);
            continue;
          }
          dawdle(turn + me / 32);
          turns.wait(stage);
          if (turn != 0) CHECK_EQUAL(state->data[stage][(turn - 1) % 2][(me + 33) % size], turn - 1 + (me + 33) % size);
          state->data[stage][turn % 2][me] = turn + me;
          turns.arrive(stage);
        }
    }
    this_block.sync();
  }
}
template <int Groups, int Warps> static void run_turns(report& result) {
  run_in_block(take_turns<Groups, Warps>, 32 * Warps * Groups, result);
}
TEST_CASE_(turns_of_two, "two warpgroups take turns at two stages", "", side::device, (run_turns<2, 4>))
TEST_CASE_(turns_of_three, "three warps take turns at two stages", "", side::device, (run_turns<3, 1>))

static void run_on_host(report& result) {
  context test_{&result, nullptr, nullptr};
  named_barrier<1> const barrier(64);
  barrier.arrive();
  barrier.sync();
  barrier.arrive_and_wait();
  barrier.arrive_aligned();
  barrier.sync_aligned();
  CHECK_EQUAL(barrier.sync_count(true), 1);
  CHECK_EQUAL(barrier.sync_count(false), 0);
  CHECK(barrier.sync_and(true));
  CHECK(!barrier.sync_or(false));
  CHECK_EQUAL(barrier.threads(), 64);
  ordered_turns<named_barrier_ids<1, 4>, 2, 2> turns(1);
  turns.wait(1);
  turns.arrive(1);
  turns.skip();
  CHECK_EQUAL(this_cluster.block_rank(), 0u);
  CHECK_EQUAL(this_cluster.num_blocks(), 1u);
  CHECK_EQUAL((named_barrier_ids<3, 2>::at(1, 32).id()), 4);
  auto const group = this_block.warps<1, 8, 2>();
  group.sync();
  CHECK(group.contains());
  CHECK_EQUAL(group.size(), 1u);
  CHECK_EQUAL(group.thread_rank(), 0u);
  CHECK(group.elect());
  CHECK(this_warp.elect());
}
TEST_CASE_(on_host, "on the host the block is the calling thread, and nothing is awaited", "", side::host, run_on_host)
