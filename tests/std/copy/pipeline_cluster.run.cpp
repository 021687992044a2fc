// SPDX-License-Identifier: Apache-2.0
//
// make_pipeline(this_cluster, ...), with agents and a mask of blocks (extensions): a block fills stages of other
// blocks, whose consumers release the stages to it.
#include "support/test.hpp"
import cudax.sync;
#include "piped.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// The producer of each block of a cluster fills a slice of the stage in all blocks, and the consumers of each block
/// read the whole stage. Blocks are late by turns: a producer that did not wait for the consumers of all blocks would
/// overwrite the stage of a late one. Each block also stores a number to its own stage, and adds to one there. If
/// OneFills, the first block only produces, and fills the stages of the others. Otherwise the second use gives the
/// numbers of agents instead of their roles. Before sm_90 the cluster is one block.
template <unsigned char Stages, bool OneFills = false> struct across_blocks {
  static constexpr thread_scope scope = thread_scope_cluster;
  static constexpr unsigned slice = 256; // bytes
  barrier<thread_scope_cluster> meeting;
  shared_objects<thread_scope_cluster> objects;
  atomic<unsigned, thread_scope_cluster> last{0u}, read{0u};

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&meeting, me.size); })) return;
#if defined(__CUDA_ARCH__)
    for (unsigned i = me.rank; i < batches * 1024; i += me.size) source_memory()[i] = byte_of(i, i / 1024);
    meeting.arrive_and_wait();
    if (this_block.size() > 32) return run_as(this_warp, 32, test_);
    run_as(this_thread, 1, test_);
#endif
  }

#if defined(__CUDA_ARCH__)
  void run_as(auto const& agent, unsigned lanes, context& test_) {
    __shared__ pipeline_shared_state<thread_scope_block, Stages> state;
    __shared__ unsigned told[Stages], sums[Stages];
    unsigned const size = unsigned(this_block.size()), thread = unsigned(this_block.thread_rank());
    unsigned const blocks = unsigned(this_cluster.size()) / size, block = unsigned(this_cluster.thread_rank()) / size;
    unsigned const room = slice * blocks, consumers = size - lanes;
    bool const one_fills = OneFills && blocks > 1, is_read = !one_fills || block > 0;
    bool const tells = (!BY_TRANSACTIONS || blocks > 1) && is_read; // st.async needs a launch with clusters
    bool const produces = thread < lanes || !is_read;
    unsigned const consuming_blocks = blocks - one_fills;
    pipeline_role const role = produces ? pipeline_role::producer : pipeline_role::consumer;
    pipeline_arrivals const arrivals = {1, (size - 1) / lanes}; // all agents but the first, the last one maybe smaller
    for (unsigned use = 0; use < 2; ++use) {
      auto made = use == 0 || OneFills ? make_pipeline(this_cluster, &state, role, agent)
                                       : make_pipeline(this_cluster, &state, arrivals, agent);
      auto p = static_cast<decltype(made)&&>(made);
      for (unsigned batch = 0; batch < batches; ++batch) {
        char* const stage = block_memory() + batch % Stages * room;
        char const* const from = source_memory() + batch * 1024 + block * slice;
        if (produces) {
          if (thread != 0) continue; // the other threads of the agent call nothing
          p.producer_acquire();
          unsigned const all = (1u << blocks) - 1;
          if (is_read) p.producer_expect(room + (tells ? 8 : 0));
          if (!one_fills || block == 0)
            device::memcpy_async_tx_multicast(stage + block * slice, from, aligned_size_t<16>(one_fills ? room : slice),
                                              p.stage_barrier(), one_fills ? all - 1 : all);
          unsigned& sum = sums[batch % Stages];
          sum = 1000;
          if (tells) {
            auto& here = *this_cluster.map_shared_rank(&p.stage_barrier(), int(block));
            device::store_async_tx_remote(this_cluster.map_shared_rank(&told[batch % Stages], int(block)), batch, here);
            device::reduce_async_tx_remote<device::reduction::add>(this_cluster.map_shared_rank(&sum, int(block)),
                                                                   batch, here);
          }
          p.producer_commit(this_thread);
        } else {
          bool const is_late = batch % blocks == block;
          if (batch % 3 == 0) AWAIT(p.consumer_wait_for(nanoseconds(1'000)));
          if (batch % 3 == 1) AWAIT(p.consumer_wait_until(steady_clock::now() + nanoseconds(1'000)));
          if (batch % 3 == 2) p.consumer_wait();
          if (is_late) this_thread.sleep_for(nanoseconds(20'000));
          unsigned different = 0;
          for (unsigned i = thread - lanes; i < room; i += consumers)
            different += stage[i] != byte_of(batch * 1024 + i, batch);
          CHECK_EQUAL(different, 0u);
          if (tells) CHECK_EQUAL(told[batch % Stages], batch);
          if (tells) CHECK_EQUAL(sums[batch % Stages], 1000 + batch);
          read.fetch_add(1);
          p.consumer_release();
        }
      }
      this_cluster.sync();
      if (p.quit()) last.fetch_add(1);
      this_cluster.sync();
      CHECK_EQUAL(last.load(), (use + 1) * blocks);
      CHECK_EQUAL(read.load(), (use + 1) * consuming_blocks * consumers * batches);
      this_cluster.sync();
    }
  }
#endif
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};

CONCURRENT_TEST("each block of a cluster fills a part of the stages of all blocks: one stage", across_blocks<1>)
CONCURRENT_TEST("each block of a cluster fills a part of the stages of all blocks: three stages", across_blocks<3>)
CONCURRENT_TEST("a block that only produces fills the stages of the other blocks of a cluster", across_blocks<2, true>)

/// The blocks of a cluster form rows of two. Each producer fills a half of the stages of its row, whose consumers alone
/// release them: a row does not wait for a late one. No block synchronizes with another one before its pipelines quit.
/// The second use gives the numbers of agents instead of their roles, and its copies need no fence of their own: one
/// fence comes before the use, and producer_acquire is one for what consumers have read.
template <unsigned char Stages> struct in_rows {
  static constexpr thread_scope scope = thread_scope_cluster;
  static constexpr unsigned slice = 256; // bytes
  barrier<thread_scope_cluster> meeting;
  shared_objects<thread_scope_cluster> objects;
  atomic<unsigned, thread_scope_cluster> last{0u};

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&meeting, me.size); })) return;
#if defined(__CUDA_ARCH__)
    for (unsigned i = me.rank; i < batches * 1024; i += me.size) source_memory()[i] = byte_of(i, i / 1024);
    meeting.arrive_and_wait();
    if (this_block.size() > 32) run_as(this_warp, 32, test_);
    else run_as(this_thread, 1, test_);
    this_cluster.sync();
    CHECK_EQUAL(last.load(), 2 * unsigned(this_cluster.size() / this_block.size()));
#endif
  }

#if defined(__CUDA_ARCH__)
  void run_as(auto const& agent, unsigned lanes, context& test_) {
    __shared__ pipeline_shared_state<thread_scope_block, Stages> state;
    unsigned const size = unsigned(this_block.size()), thread = unsigned(this_block.thread_rank());
    unsigned const blocks = unsigned(this_cluster.size()) / size, block = unsigned(this_cluster.thread_rank()) / size;
    unsigned const width = blocks > 1 ? 2 : 1, row = ((1u << width) - 1) << block / width * width;
    unsigned const room = width * slice, place = block % width * slice;
    bool const produces = thread < lanes;
    pipeline_role const role = produces ? pipeline_role::producer : pipeline_role::consumer;
    pipeline_arrivals const arrivals = {1, (size - 1) / lanes}; // all agents but the first, the last one maybe smaller
    for (unsigned use = 0; use < 2; ++use) {
      if (use == 1 && thread == 0) fence_proxy_async();
      auto p = use == 0 ? make_pipeline(this_cluster, &state, role, agent, row)
                        : make_pipeline(this_cluster, &state, arrivals, agent, row);
      for (unsigned batch = 0; batch < batches; ++batch) {
        char* const stage = block_memory() + batch % Stages * room;
        unsigned const from = batch * 1024 + block / width * width * slice;
        if (thread == 0) {
          auto const copy = [&](auto& barrier) {
            aligned_size_t<16> const size_of_slice(slice);
            char const* const source = source_memory() + from + place;
            if (use == 0) device::memcpy_async_tx_multicast(stage + place, source, size_of_slice, barrier, row);
            else device::memcpy_async_tx_multicast(stage + place, source, size_of_slice, barrier, row, proxy_fenced);
          };
          p.producer_acquire();
          if (batch % 2 == 0) {
            p.producer_commit_by(room, copy);
          } else {
            copy(p.stage_barrier());
            p.producer_commit(this_thread, room);
          }
        } else if (!produces) {
          p.consumer_wait();
          if (batch % blocks == block) this_thread.sleep_for(nanoseconds(20'000));
          unsigned different = 0;
          for (unsigned i = thread - lanes; i < room; i += size - lanes)
            different += stage[i] != byte_of(from + i, batch);
          CHECK_EQUAL(different, 0u);
          p.consumer_release();
        }
      }
      if (thread == 0) p.producer_tail();
      if (p.quit()) last.fetch_add(1);
      this_block.sync();
    }
  }
#endif
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};
CONCURRENT_TEST("blocks of a row release their stages to each other only", in_rows<2>)

TESTS_END
