// SPDX-License-Identifier: Apache-2.0
//
// fence_barrier_init, barrier_expect_tx_remote, barrier_complete_tx_remote, barrier_arrive_tx_remote, the waits at
// cluster scope, memcpy_async_tx_remote, memcpy_async_tx_multicast, memcpy_async_bulk, bulk_wait, prefetch_bulk
// (extensions). They require sm_90, and most of them a cluster of several blocks. Before sm_90, in one block and on the
// host the blocks exchange their data by plain copies.
#include "support/test.hpp"
import cudax.sync;
#include "copying.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// The data that a block sends in a round.
inline unsigned data_of(unsigned block, unsigned round) { return round * 8 + block; }

/// In each round, each block sends 1 KiB to another one, and block 0 sends 512 bytes of global memory to all blocks of
/// the mask. Both complete at the receiver's barrier. Then each block sends what it has received to global memory,
/// where others check it. In even rounds a block sends within its pair: two blocks; in odd rounds around all of them.
/// The barriers are published by fence_barrier_init alone. The waits take turns. In odd rounds arrivals and waits order
/// shared memory alone between blocks; in even ones they pass on a number in global memory, too. Within the block the
/// number passes in odd rounds as well.
struct exchange {
  static constexpr thread_scope scope = thread_scope_cluster;
  barrier<thread_scope_cluster> all;
  shared_objects<thread_scope_cluster> objects;
  unsigned data[8];

#if BY_TRANSACTIONS
  /// Not written again: a restricted wait of another block does not order the read of a copy before that.
  static char* source_of(unsigned round) { return source_memory() + round * 512; }
  void send_to_all(unsigned round, unsigned block, unsigned blocks, barrier<thread_scope_block>& own) {
    if (block != 0) return;
    aligned_size_t<16> const size(512);
    unsigned const all = (1u << blocks) - 1;
    if (round % 2 != 0) { // a hint changes no result
      device::l2_policy const policy(device::l2_eviction::evict_first, 0.25f);
      device::prefetch_bulk(source_of(round), size, policy);
      device::memcpy_async_tx_multicast(block_memory() + 2048, source_of(round), size, own, all, policy);
    } else {
      device::prefetch_bulk(source_of(round), size);
      device::memcpy_async_tx_multicast(block_memory() + 2048, source_of(round), size, own, all);
    }
  }
  void send(unsigned round, unsigned block, unsigned to, unsigned blocks, barrier<thread_scope_block>& own,
            auto... restricted) {
    aligned_size_t<16> const size(1024);
    if (round % 2 != 0) send_to_all(round, block, blocks, own); // either copy may be the first: each has its own fence
    auto& there = *this_cluster.map_shared_rank(&own, int(to));
    if (round % 3 == 0) {
      device::barrier_arrive_tx_remote(there, 2, size, restricted...);
    } else if (round % 3 == 1) {
      device::barrier_arrive_tx_remote(there, 1, size, restricted...);
      device::barrier_arrive_remote(there, 1, restricted...);
    } else {
      device::barrier_expect_tx_remote(there, 1024 + 24);
      device::barrier_complete_tx_remote(there, 24); // no copy brings these
      device::barrier_arrive_remote(there, 2, restricted...);
    }
    char* const target = this_cluster.map_shared_rank(block_memory() + 1024, int(to));
    device::memcpy_async_tx_remote(target, block_memory(), aligned_size_t<16>(512), there);
    device::memcpy_async_tx_remote(target + 512, block_memory() + 512, aligned_size_t<16>(512), there);
    if (round % 2 == 0) send_to_all(round, block, blocks, own);
  }
#endif

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&all, me.size); })) return;
#if BY_TRANSACTIONS
    unsigned const size = unsigned(this_block.size()), thread = unsigned(this_block.thread_rank());
    unsigned const blocks = unsigned(this_cluster.size()) / size;
    unsigned const block = unsigned(this_cluster.thread_rank()) / size;
    __shared__ barrier<thread_scope_block> own;
    if (thread == 0) {
      init(&own, 3);
      device::fence_barrier_init();
    }
    this_cluster.wait(this_cluster.arrive_relaxed());
    if (blocks == 1) return; // a block cannot send to itself
    char* const received = block_memory() + 1024;
    for (unsigned round = 0; round < 6; ++round) {
      unsigned const to = round % 2 ? (block + 1) % blocks : block ^ 1;
      unsigned const from = round % 2 ? (block + blocks - 1) % blocks : block ^ 1;
      fill(block_memory(), thread, 1024, size, data_of(block, round));
      if (block == 0) fill(source_of(round), thread, 512, size, data_of(9, round));
      this_block.sync();
      bool const parity = round % 2;
      auto const send_and_wait = [&](auto... restricted) {
        if (thread == 0) {
          data[block] = data_of(block, round); // the arrival there releases it
          send(round, block, to, blocks, own, restricted...);
          auto token = device::barrier_arrive_tx(own, 1, 512);
          if (round < 2) AWAIT(device::barrier_try_wait_cluster(own, token, restricted...));
          if (round == 2) AWAIT(device::barrier_try_wait_cluster_for(own, token, nanoseconds(1'000), restricted...));
          if (round == 3)
            AWAIT(device::barrier_try_wait_cluster_until(own, token, steady_clock::now() + nanoseconds(1'000),
                                                         restricted...));
          if (round > 3) device::barrier_wait_cluster(own, static_cast<decltype(token)&&>(token), restricted...);
        } else {
          if (round < 2) AWAIT(device::barrier_try_wait_parity_cluster(own, parity, restricted...));
          if (round == 2)
            AWAIT(device::barrier_try_wait_parity_cluster_for(own, parity, nanoseconds(1'000), restricted...));
          if (round == 3)
            AWAIT(device::barrier_try_wait_parity_cluster_until(own, parity, steady_clock::now() + nanoseconds(1'000),
                                                                restricted...));
          if (round > 3) device::barrier_wait_parity_cluster(own, parity, restricted...);
        }
      };
      if (round % 2 != 0) send_and_wait(device::sync_restrict_shared);
      else send_and_wait();
      unsigned const known = round % 2 == 0 ? from : block; // the number that the wait has acquired
      CHECK_EQUAL(data[known], data_of(known, round));
      CHECK_EQUAL(wrong(received, thread, 1024, size, data_of(from, round)), 0u);
      CHECK_EQUAL(wrong(block_memory() + 2048, thread, 512, size, data_of(9, round)), 0u);
      fill(received, thread, 1024, size, data_of(from, round) + 1); // plain writes before the copy
      this_block.sync();
      if (thread == 0) {
        char* const target = target_memory() + block * 1024;
        for (unsigned half = 0; half < 1024; half += 512) {
          aligned_size_t<16> const size_of_half(512);
          if (round % 3 == 1)
            device::memcpy_async_bulk(target + half, received + half, size_of_half,
                                      device::l2_policy(device::l2_eviction::evict_last));
          else device::memcpy_async_bulk(target + half, received + half, size_of_half);
          device::bulk_commit();
        }
        device::bulk_wait_read<1>();
        fill(received, 0, 512, 1, 77); // the first half has been read
        device::bulk_wait<0>();
      }
      this_cluster.sync();
      unsigned const other = (block + 1) % blocks;
      unsigned const origin = round % 2 ? (other + blocks - 1) % blocks : other ^ 1;
      CHECK_EQUAL(wrong(target_memory() + other * 1024, thread, 1024, size, data_of(origin, round) + 1), 0u);
      fill(block_memory() + 2048, thread, 512, size, 77); // only the next multicast copy fences these writes
      this_cluster.sync();
    }
    if (thread == 0) destroy(&own);
#else
    for (unsigned round = 0; round < 6; ++round) {
      source_memory()[me.rank] = byte_of(me.rank, round);
      all.arrive_and_wait();
      unsigned const other = (me.rank + 1) % me.size;
      CHECK_EQUAL(source_memory()[other], byte_of(other, round));
      all.arrive_and_wait();
    }
#endif
  }
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};
CONCURRENT_TEST("copies to other blocks and to global memory are complete after their waits", exchange)

TESTS_END
