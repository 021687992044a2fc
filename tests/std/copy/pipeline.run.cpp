// SPDX-License-Identifier: Apache-2.0
//
// pipeline, pipeline_shared_state, pipeline_role, make_pipeline, pipeline_consumer_wait_prior, pipeline_producer_commit
// (libcu++): some stages are filled while others are used, unified and partitioned, at every scope. Waits ahead of
// releases, turns: pipeline_ahead.run.cpp.
#include "support/test.hpp"
import cudax.sync;
#include "piped.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

inline constexpr unsigned batches = 7;

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

/// All threads of a block fill a stage together, with typed and untyped pointers, and move the pipeline between a copy
/// and its commit. The stages are in shared memory. A second pipeline copies them on to global memory; its destructor
/// quits it.
template <thread_scope Scope, unsigned Size> struct together : piped<Scope, 2> {
  static constexpr unsigned room = 4096; // bytes per stage; on the host every thread has its own stages
  static_assert(2 * Size + 4 * 256 <= room);
  pipeline_shared_state<Scope, 2> onward;

  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    auto const group = this->group(me);
#if defined(__CUDA_ARCH__)
    auto const& block = this_block;
    unsigned const first = 0;
    unsigned const rank = unsigned(block.thread_rank()), size = unsigned(block.size());
    char* const stages = block_memory();
#else
    auto const& block = this_thread;
    unsigned const first = me.rank, rank = 0, size = 1;
    char* const stages = host_block + me.rank * 2 * room;
#endif
    // All blocks copy the same bytes to one place: only one of them writes there.
    bool const writes = first != 0 || me.rank < size;
    for (unsigned i = me.rank; i < 3 * room; i += me.size) source_memory()[i] = byte_of(i, 6);
    group.sync();
    for (unsigned use = 0; use < 2; ++use) {
      auto in = make_pipeline(group, &this->state);
      auto out = make_pipeline(group, &onward);
      for (unsigned batch = 0; batch < batches; ++batch) {
        char* const stage = stages + batch % 2 * room;
        char const* const from = source_memory() + batch % 3 * room;
        in.producer_acquire();
        memcpy_async(block, stage, from, Size, in);
        memcpy_async(block, static_cast<void*>(stage + Size), from + Size, aligned_size_t<4>(Size), in);
        memcpy_async(static_cast<void*>(stage + 2 * Size + 4 * rank), from + 2 * Size + 4 * rank, 4, in);
        auto moved = static_cast<decltype(in)&&>(in);
        moved.producer_commit();
        dawdle(me.rank + batch);
        moved.consumer_wait();
        CHECK_EQUAL(wrong(stage - batch % 3 * room, batch % 3 * room + (rank + 3) % size,
                          batch % 3 * room + 2 * Size + 4 * size, size, 6),
                    0u);
        // From shared to global memory.
        char* const to = target_memory() + (first * 2 + batch % 2) * room;
        out.producer_acquire();
        if (writes) memcpy_async(block, to, stage, aligned_size_t<4>(2 * Size), out);
        auto moved_out = static_cast<decltype(out)&&>(out);
        moved_out.producer_commit();
        if (batch % 2 == 0) moved_out.consumer_wait();
        else CHECK(moved_out.consumer_wait_until(steady_clock::now() + an_hour));
        CHECK_EQUAL(wrong(to - batch % 3 * room, batch % 3 * room + (me.rank + 1) % me.size,
                          batch % 3 * room + 2 * Size, me.size, 6),
                    0u);
        moved_out.consumer_release();
        moved.consumer_release();
        in.~pipeline();
        new (&in, in_place()) decltype(in)(static_cast<decltype(in)&&>(moved));
        out.~pipeline();
        new (&out, in_place()) decltype(out)(static_cast<decltype(out)&&>(moved_out));
      }
      if (in.quit()) this->last.fetch_add(1);
      group.sync(); // `out` quits after this sync, and before the next make_pipeline synchronizes the group
    }
  }
};
CONCURRENT_TEST("a block fills stages together and copies them on: block", together<thread_scope_block, 64>)
CONCURRENT_TEST("a block fills stages together and copies them on, large pieces: block",
                together<thread_scope_block, 1024>)
CONCURRENT_TEST("a block fills stages together and copies them on: device", together<thread_scope_device, 512>)

/// The threads of one warp fill stages for all threads, by bulk copies from sm_90. With proxy_fenced the threads
/// execute the proxy fences: each thread after its accesses, before it releases the stage.
template <auto... Fenced> struct by_a_warp : piped<thread_scope_block, 2> {
  static constexpr unsigned room = 6144; // bytes per stage

  void run(worker me, context& test_) {
    if (!this->make_group(me, test_)) return;
    auto const group = this->group(me);
#if defined(__CUDA_ARCH__)
    bool const copies = me.rank < 32;
#else
    bool const copies = me.rank == 0; // on the host a warp is one thread
#endif
    for (unsigned i = me.rank; i < 2 * room; i += me.size) source_memory()[i] = byte_of(i, 8);
    if constexpr (sizeof...(Fenced) != 0) fence_proxy_async_global();
    group.sync();
    for (unsigned use = 0; use < 2; ++use) {
      auto p = make_pipeline(group, &this->state);
      auto const produce = [&](unsigned batch) {
        p.producer_acquire();
        if (copies)
          memcpy_async(this_warp, block_memory() + batch % 2 * room, source_memory() + batch % 2 * room,
                       aligned_size_t<16>(room), p, Fenced...);
        p.producer_commit();
      };
      produce(0);
      for (unsigned batch = 0; batch < batches; ++batch) {
        produce(batch + 1);
        dawdle(me.rank + batch);
        p.consumer_wait();
        // A thread checks bytes, and overwrites them: the next copy into the stage comes after both.
        unsigned const end = batch % 2 * room + room, first = end - room + (me.rank + 3) % me.size;
        CHECK_EQUAL(wrong(block_memory(), first, end, me.size, 8), 0u);
        for (unsigned i = first; i < end; i += me.size) block_memory()[i] = 0;
        if constexpr (sizeof...(Fenced) != 0) fence_proxy_async_shared();
        p.consumer_release();
      }
      p.consumer_wait();
      p.consumer_release();
      if (p.quit()) this->last.fetch_add(1);
      group.sync();
    }
  }
};
CONCURRENT_TEST("a warp fills stages for all threads: block", by_a_warp<>)
CONCURRENT_TEST("a warp fills stages for all threads, with the program's own proxy fences: block",
                by_a_warp<proxy_fenced>)

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
/// The blocks of a cluster form rows of two. Each producer fills a half of the stages of its row, whose consumers alone
/// release them: a row does not wait for a late one. No block synchronizes with another one before its pipelines quit.
/// The second use gives the numbers of agents instead of their roles.
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
      auto p = use == 0 ? make_pipeline(this_cluster, &state, role, agent, row)
                        : make_pipeline(this_cluster, &state, arrivals, agent, row);
      for (unsigned batch = 0; batch < batches; ++batch) {
        char* const stage = block_memory() + batch % Stages * room;
        unsigned const from = batch * 1024 + block / width * width * slice;
        if (thread == 0) {
          auto const copy = [&](auto& barrier) {
            device::memcpy_async_tx_multicast(stage + place, source_memory() + from + place, aligned_size_t<16>(slice),
                                              barrier, row);
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

CONCURRENT_TEST("each block of a cluster fills a part of the stages of all blocks: one stage", across_blocks<1>)
CONCURRENT_TEST("each block of a cluster fills a part of the stages of all blocks: three stages", across_blocks<3>)
CONCURRENT_TEST("a block that only produces fills the stages of the other blocks of a cluster", across_blocks<2, true>)

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
