// SPDX-License-Identifier: Apache-2.0
//
// memcpy_async(group, ..., pipeline), proxy_fenced (libcu++; extension): the threads of a block, or of one of its
// warps, fill a stage together, for all threads of the pipeline. Agents, as which warps arrive:
// pipeline_agents.run.cpp.
#include "support/test.hpp"
import cudax.sync;
#include "piped.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

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

TESTS_END
