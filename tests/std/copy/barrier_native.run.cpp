// SPDX-License-Identifier: Apache-2.0
//
// device::barrier_native_handle, barrier_expect_tx, barrier_arrive_tx, memcpy_async_tx (libcu++), barrier_arrive_remote
// and barrier_wait_cluster (extensions). They require sm_90. For older SMs the same steps use memcpy_async and barriers
// of wider scope, with the same guarantees.
#include "support/test.hpp"
import cudax.sync;
#include "copying.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// A barrier in shared memory; on the host, a thread_local one.
inline barrier<thread_scope_block>& block_barrier() {
#if defined(__CUDA_ARCH__)
  __shared__ barrier<thread_scope_block> b;
  return b;
#else
  thread_local barrier<thread_scope_block> b;
  return b;
#endif
}

TEST("a phase completes only after the expected bytes have arrived") {
  auto& b = block_barrier();
  init(&b, 2);
  CHECK(static_cast<void*>(device::barrier_native_handle(b)) == static_cast<void*>(&b));
  for (unsigned round = 0; round < 4; ++round) {
    fill(source_memory(), 0, 2048, 1, round);
#if BY_TRANSACTIONS
    device::barrier_expect_tx(b, 512);
    (void)b.arrive();
    auto token = device::barrier_arrive_tx(b, 1, 1536);
    CHECK(!b.try_wait(token));
    device::memcpy_async_tx(block_memory(), source_memory(), aligned_size_t<16>(512), b);
    CHECK(!b.try_wait(token));
    device::memcpy_async_tx(block_memory() + 512, source_memory() + 512, aligned_size_t<128>(1536), b);
#else
    memcpy_async(block_memory(), source_memory(), aligned_size_t<16>(512), b);
    (void)b.arrive();
    memcpy_async(block_memory() + 512, source_memory() + 512, aligned_size_t<128>(1536), b);
    auto token = b.arrive();
#endif
    b.wait(static_cast<decltype(token)&&>(token));
    CHECK_EQUAL(wrong(block_memory(), 0, 2048, 1, round), 0u);
  }
  destroy(&b); // the body runs once for each memory
}

TEST("a phase can expect 2^20 - 1 bytes and several arrivals") {
  auto& b = block_barrier();
  init(&b, 5);
  constexpr int most = (1 << 20) - 1;
  for (unsigned round = 0; round < 2; ++round) {
    fill(source_memory(), 0, 2048, 1, round + 2);
#if BY_TRANSACTIONS
    auto token = device::barrier_arrive_tx(b, 3, most - 32);
    device::barrier_expect_tx(b, 32);
    (void)device::barrier_arrive_tx(b, 2, 0);
    CHECK(!b.try_wait(token));
    // Copies complete multiples of 16 bytes, and no block's shared memory holds so many. The remaining bytes are
    // completed by hand.
    constexpr int others = most - 2048;
    device::barrier_complete_tx(b, others);
    CHECK(!b.try_wait(token));
    auto* const to = reinterpret_cast<int*>(block_memory());
    CHECK(device::memcpy_async_tx(to, reinterpret_cast<int const*>(source_memory()), aligned_size_t<16>(2032), b) ==
          async_contract_fulfillment::async);
    CHECK(!b.try_wait(token));
    device::memcpy_async_tx(block_memory() + 2032, source_memory() + 2032, aligned_size_t<16>(16), b);
#else
    auto token = b.arrive(3);
    memcpy_async(block_memory(), source_memory(), aligned_size_t<16>(2048), b);
    (void)most, (void)b.arrive(2);
#endif
    b.wait(static_cast<decltype(token)&&>(token));
    CHECK_EQUAL(wrong(block_memory(), 0, 2048, 1, round + 2), 0u);
  }
  destroy(&b);
}

/// Threads write plainly and begin a copy. After the wait a thread sees both, its own and those of others. An arrival
/// may precede the copy whose bytes it announces.
struct bytes_and_words {
  static constexpr thread_scope scope = thread_scope_block;
  barrier<thread_scope_block> all;
  shared_objects<thread_scope_block> objects;
  unsigned data[most_threads];

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&all, me.size); })) return;
#if BY_TRANSACTIONS
    auto& b = block_barrier();
    if (me.rank == 0) init(&b, ptrdiff_t(me.size));
    this_block.sync();
#endif
    unsigned const at = me.rank * 16;
    for (unsigned round = 0; round < 6; ++round) {
      data[me.rank] = round * 1000 + me.rank;
      for (unsigned i = at; i < at + 16; ++i) source_memory()[i] = byte_of(i, round);
#if BY_TRANSACTIONS
      auto token = device::barrier_arrive_tx(b, 1, 16);
      dawdle(me.rank + round);
      device::memcpy_async_tx(block_memory() + at, source_memory() + at, aligned_size_t<16>(16), b);
      b.wait(static_cast<decltype(token)&&>(token));
#else
      memcpy_async(block_memory() + at, source_memory() + at, aligned_size_t<16>(16), all);
      all.arrive_and_wait();
#endif
      unsigned const other = (me.rank + 1 + round) % me.size;
      CHECK_EQUAL(data[other], round * 1000 + other);
      CHECK_EQUAL(wrong(block_memory(), other * 16, other * 16 + 16, 1, round), 0u);
      all.arrive_and_wait();
    }
  }
  void end() { destroy(&all); }
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};
CONCURRENT_TEST("an arrival with bytes publishes plain writes, and the wait covers the bytes", bytes_and_words)

/// The blocks of a cluster pass data around: each block writes plainly to global memory, arrives at the next block's
/// barrier and at its own, and waits at its own barrier for the previous block, by a token or by parity. Before sm_90 a
/// cluster is one block, which is its own neighbour. On the host it is several threads, and all arrive at the barrier
/// of the object.
struct ring {
  static constexpr thread_scope scope = thread_scope_cluster;
  barrier<thread_scope_cluster> all;
  shared_objects<thread_scope_cluster> objects;
  unsigned data[most_threads];

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&all, me.size); })) return;
#if defined(__CUDA_ARCH__)
    unsigned const size = unsigned(this_block.size());
    unsigned const blocks = unsigned(this_cluster.size()) / size;
    unsigned const block = unsigned(this_cluster.thread_rank()) / size;
    auto& own = block_barrier();
    if (this_block.thread_rank() == 0) init(&own, 2 * ptrdiff_t(size));
    this_cluster.sync();
    barrier<thread_scope_block>* const next = this_cluster.map_shared_rank(&own, int((block + 1) % blocks));
    unsigned const before = (me.rank + me.size - size) % me.size / size * size; // first thread of the previous block
#else
    unsigned const size = me.size, before = 0;
#endif
    for (unsigned round = 0; round < 6; ++round) {
      data[me.rank] = round * 1000 + me.rank;
#if defined(__CUDA_ARCH__)
      device::barrier_arrive_remote(*next);
      auto token = own.arrive();
      if (round % 3) device::barrier_wait_parity_cluster(own, round % 2);
      else device::barrier_wait_cluster(own, static_cast<decltype(token)&&>(token));
#else
      all.arrive_and_wait();
#endif
      unsigned const other = before + (me.rank + 1) % size;
      CHECK_EQUAL(data[other], round * 1000 + other);
      all.arrive_and_wait();
    }
#if defined(__CUDA_ARCH__)
    this_cluster.sync();
#endif
  }
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};
CONCURRENT_TEST("blocks arrive at each other's barriers, and their writes are visible after the wait", ring)

/// The threads of a block arrive with the instruction that also announces bytes, once or twice each, and read what
/// others wrote before. Before sm_90 they arrive at the barrier of the object.
struct arriving_with_bytes {
  static constexpr thread_scope scope = thread_scope_block;
  barrier<thread_scope_block> all;
  shared_objects<thread_scope_block> objects;
  slots data;

  void run(worker me, context& test_) {
#if BY_TRANSACTIONS
    auto& b = block_barrier();
#else
    auto& b = all;
#endif
    if (!objects.make(me, test_, [&] { init(&b, ptrdiff_t(me.size + me.size / 2)); })) return;
    ptrdiff_t const times = me.rank % 2 ? 1 : 2;
    for (unsigned round = 0; round < rounds_of(me.size); ++round) {
      data.write(me, round);
#if BY_TRANSACTIONS
      auto token = device::barrier_arrive_tx(b, times, 0);
#else
      auto token = b.arrive(times);
#endif
      b.wait(static_cast<decltype(token)&&>(token));
      data.check(me, round, test_);
    }
  }
#if !BY_TRANSACTIONS
  void end() { destroy(&all); }
#endif
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};
CONCURRENT_TEST("writes before an arrival with bytes are visible after the wait", arriving_with_bytes)

TESTS_END
