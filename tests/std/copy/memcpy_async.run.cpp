// SPDX-License-Identifier: Apache-2.0
//
// memcpy_async with a barrier, aligned_size_t (libcu++), fence_proxy_async, proxy_fenced (extensions): every direction,
// size and alignment; after the wait the bytes have arrived. On sm_75 copies are synchronous, from sm_80 they use
// cp.async, from sm_90 also bulk copies. Pipelines: pipeline.
#include "support/test.hpp"
import cudax.sync;
#include "copying.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

static_assert(zero_filled_size_t<8>(24, 3).valid == 3 && zero_filled_size_t<8>(24, 3) == 24);
static_assert(aligned_size_t<16>::align == 16 && aligned_size_t<16>(64) == 64);

/// With a completion, a barrier is not an mbarrier.
struct completion {
  void operator()() noexcept {}
};

/// Copies, waits, and checks the target and the bytes around it.
template <class Size, class Barrier> void copy_once(context& test_, Barrier& b, char* to, char const* from, Size size) {
  unsigned const bytes = unsigned(size);
  for (unsigned i = 0; i < 16; ++i) to[-1 - int(i)] = to[bytes + i] = char(0x55);
  for (unsigned i = 0; i < bytes; ++i) to[i] = char(0x33);
  memcpy_async(to, from, size, b);
  b.arrive_and_wait();
  unsigned bad = 0;
  for (unsigned i = 0; i < bytes; ++i) bad += to[i] != from[i];
  for (unsigned i = 0; i < 16; ++i) bad += to[-1 - int(i)] != char(0x55) || to[bytes + i] != char(0x55);
  CHECK_EQUAL(bad, 0u);
}

/// Copies by one thread, with a barrier of the scope in the memory that the test runs on.
template <thread_scope S> void copy_all(context& test_) {
  auto& b = make<barrier<S>>(test_, 1);
  char* const spaces[] = {source_memory() + 128, target_memory() + 128, block_memory() + 128};
  unsigned const sizes[] = {0, 1, 3, 4, 8, 15, 16, 17, 36, 48, 100, 127, 128, 136, 144, 250, 1024, 2000};
  unsigned const alignments[] = {0, 1, 2, 4, 8, 16};
  for (char* from : spaces)
    for (char* to : spaces) {
      if (from == to) to += 8192 - 256;
      fill(from, 0, 2100, 1, 3);
      for (unsigned size : sizes)
        for (unsigned to_at : alignments) {
          copy_once(test_, b, to + to_at, from + to_at, size); // source and target with equal alignment
          if (size % 4 != 0 || to_at == 4) copy_once(test_, b, to + to_at, from + 16, size);
        }
      copy_once(test_, b, to, from, aligned_size_t<1>(33));
      copy_once(test_, b, to, from, aligned_size_t<2>(34));
      copy_once(test_, b, to, from, aligned_size_t<4>(36));
      copy_once(test_, b, to, from, aligned_size_t<8>(1000));
      copy_once(test_, b, to, from, aligned_size_t<16>(16));
      copy_once(test_, b, to, from, aligned_size_t<16>(1008));
      copy_once(test_, b, to, from, aligned_size_t<32>(64));
      copy_once(test_, b, to, from, aligned_size_t<64>(128));
      copy_once(test_, b, to, from, aligned_size_t<128>(1024));
    }
}
TEST("any size and alignment is copied between any state spaces, without touching other bytes: block") {
  copy_all<thread_scope_block>(test_);
}
TEST("any size and alignment is copied between any state spaces, without touching other bytes: device") {
  copy_all<thread_scope_device>(test_);
}
TEST("any size and alignment is copied between any state spaces, without touching other bytes: thread") {
  copy_all<thread_scope_thread>(test_);
}

/// Copies with zeros, and checks the target and the bytes around it. The source's bytes after the valid ones are not 0.
template <size_t Alignment> void copy_filled(context& test_, auto& b, char* to, char const* from, unsigned bytes) {
  for (unsigned valid : {0u, 1u, unsigned(Alignment - 1), unsigned(Alignment), bytes / 2 + 3, bytes - 1, bytes}) {
    for (unsigned i = 0; i < bytes + 32; ++i) to[int(i) - 16] = char(0x55);
    memcpy_async(to, from, zero_filled_size_t<Alignment>(bytes, valid), b);
    b.arrive_and_wait();
    unsigned bad = 0;
    for (unsigned i = 0; i < bytes; ++i) bad += to[i] != (i < valid ? from[i] : 0);
    for (unsigned i = 0; i < 16; ++i) bad += to[-1 - int(i)] != char(0x55) || to[bytes + i] != char(0x55);
    CHECK_EQUAL(bad, 0u);
  }
}
TEST("of a zero_filled_size_t the valid bytes are copied, and the others are 0, between any state spaces") {
  auto& b = make<barrier<thread_scope_block>>(test_, 1);
  char* const spaces[] = {source_memory() + 128, target_memory() + 128, block_memory() + 128};
  for (char* from : spaces)
    for (char* to : spaces) {
      if (from == to) to += 8192 - 256;
      fill(from, 0, 1100, 1, 3);
      copy_filled<4>(test_, b, to + 4, from + 8, 36);
      copy_filled<8>(test_, b, to + 8, from + 24, 8);
      copy_filled<16>(test_, b, to, from, 16);
      copy_filled<16>(test_, b, to + 16, from, 1008);
      copy_filled<64>(test_, b, to, from + 64, 256);
    }
}
TEST("only valid bytes are read: a source without any may be null, and others may overlap the target") {
  auto& b = make<barrier<thread_scope_block>>(test_, 1);
  fill(block_memory(), 0, 48, 1, 4);
  memcpy_async(block_memory(), static_cast<char const*>(nullptr), zero_filled_size_t<16>(16, 0), b);
  memcpy_async(block_memory() + 32, block_memory() + 28, zero_filled_size_t<4>(16, 4), b);
  b.arrive_and_wait();
  unsigned bad = 0;
  for (unsigned i = 0; i < 16; ++i) bad += block_memory()[i] != 0;
  for (unsigned i = 0; i < 16; ++i) bad += block_memory()[32 + i] != (i < 4 ? byte_of(28 + i, 4) : 0);
  CHECK_EQUAL(bad, 0u);
}

TEST("the result says whether the copy may still be in flight") {
  auto& b = make<barrier<thread_scope_block>>(test_, 1);
  fill(source_memory(), 0, 512, 1, 1);
  constexpr auto none = async_contract_fulfillment::none;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  // The barrier is an mbarrier if it is in shared memory.
  bool const awaits = test_.memory_name && __isShared(test_.memory);
#else
  constexpr bool awaits = false;
#endif
  constexpr auto async = async_contract_fulfillment::async;
  CHECK(memcpy_async(block_memory(), source_memory(), 64, b) == (awaits ? async : none));
  CHECK(memcpy_async(block_memory() + 64, source_memory() + 64, 256, b) == (awaits ? async : none));
  CHECK(memcpy_async(block_memory() + 321, source_memory() + 321, 3, b) == none);
  b.arrive_and_wait();
  CHECK(memcpy_async(target_memory(), block_memory(), 256, b) == none);
  CHECK(memcpy_async(target_memory() + 256, source_memory() + 256, 64, b) == none);
  barrier<thread_scope_block, completion> completes(1);
  CHECK(memcpy_async(block_memory() + 512, source_memory(), 64, completes) == none);
  CHECK_EQUAL(wrong(block_memory() + 512, 0, 64, 1, 1), 0u); // the copy is synchronous
  b.arrive_and_wait();
  CHECK_EQUAL(wrong(block_memory(), 0, 320, 1, 1), 0u);
  CHECK_EQUAL(wrong(target_memory(), 0, 320, 1, 1), 0u);
}

TEST("64 KiB are copied in one call") {
  auto& b = make<barrier<thread_scope_block>>(test_, 1);
  fill(source_memory(), 0, 65536, 1, 5);
  memcpy_async(target_memory(), source_memory(), 65536, b);
  memcpy_async(block_memory(), source_memory(), block_bytes, b);
  b.arrive_and_wait();
  CHECK_EQUAL(wrong(target_memory(), 0, 65536, 1, 5), 0u);
  CHECK_EQUAL(wrong(block_memory(), 0, block_bytes, 1, 5), 0u);
}

TEST("one proxy fence serves several copies that are promised to be proxy_fenced") {
  auto& b = make<barrier<thread_scope_block>>(test_, 1);
  for (unsigned round = 0; round < 2; ++round) {
    fill(source_memory(), 0, 4096, 1, 7 + round);
    for (unsigned i = 0; i < 4096; ++i) block_memory()[i] = target_memory()[i] = 0;
    fence_proxy_async_global();
    fence_proxy_async_shared();
    memcpy_async(block_memory(), source_memory(), aligned_size_t<16>(2048), b, proxy_fenced);
    memcpy_async(this_thread, block_memory() + 2048, source_memory() + 2048, aligned_size_t<16>(1024), b, proxy_fenced);
    memcpy_async(static_cast<void*>(block_memory() + 3072), source_memory() + 3072, 512, b, proxy_fenced);
    memcpy_async(this_thread, static_cast<void*>(block_memory() + 3584), source_memory() + 3584, 512, b, proxy_fenced);
    b.arrive_and_wait();
    CHECK_EQUAL(wrong(block_memory(), 0, 4096, 1, 7 + round), 0u);
    fence_proxy_async();
    memcpy_async(target_memory(), block_memory(), aligned_size_t<16>(2048), b, proxy_fenced);
    memcpy_async(target_memory() + 2048, block_memory() + 2048, aligned_size_t<16>(2048), b, proxy_fenced);
    b.arrive_and_wait();
    CHECK_EQUAL(wrong(target_memory(), 0, 4096, 1, 7 + round), 0u);
  }
}

struct int_and_short {
  int a;
  short b;
};
struct alignas(128) large_element {
  int values[32];
};
TEST("the alignment of the element type applies to the copy") {
  auto& b = make<barrier<thread_scope_block>>(test_, 1);
  auto* const from = reinterpret_cast<large_element*>(source_memory());
  auto* const to = reinterpret_cast<large_element*>(block_memory());
  for (int i = 0; i < 4; ++i) from[i] = {{i, 10 + i}}, to[i] = {};
  memcpy_async(to, from, sizeof(large_element), b);
  memcpy_async(to + 1, from + 1, aligned_size_t<64>(3 * sizeof(large_element)), b);
  b.arrive_and_wait();
  for (int i = 0; i < 4; ++i) CHECK(to[i].values[0] == i && to[i].values[1] == 10 + i);
}

TEST("copies take typed and untyped pointers, from a thread or a group") {
  auto& b = make<barrier<thread_scope_block>>(test_, 1);
  auto* const from = reinterpret_cast<int_and_short*>(source_memory());
  auto* const to = reinterpret_cast<int_and_short*>(block_memory());
  for (int i = 0; i < 8; ++i) from[i] = {i + 1, short(-i)};
  memcpy_async(to, from, sizeof(int_and_short) * 2, b);
  memcpy_async(static_cast<void*>(to + 2), static_cast<void const*>(from + 2), sizeof(int_and_short) * 2, b);
  memcpy_async(this_thread, to + 4, from + 4, sizeof(int_and_short) * 2, b);
  memcpy_async(this_thread, static_cast<void*>(to + 6), from + 6, aligned_size_t<4>(sizeof(int_and_short) * 2), b);
  b.arrive_and_wait();
  for (int i = 0; i < 8; ++i) CHECK(to[i].a == i + 1 && to[i].b == short(-i));
}

/// All threads of a block copy to its shared memory, together and also each a part for itself, and back together. After
/// the wait a thread reads what others copied. Rounds reuse the same memory, which they have read and written plainly.
/// With proxy_fenced the threads execute the proxy fences: each thread after its accesses, before it arrives.
template <thread_scope Scope, unsigned Size, unsigned Own, auto... Fenced> struct copying {
  static constexpr thread_scope scope = Scope;
  barrier<Scope> b;
  shared_objects<Scope> objects;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&b, me.size); })) return;
#if defined(__CUDA_ARCH__)
    auto const& group = this_block;
    unsigned const first = 0; // offset of this group's data in global memory: all blocks write the same bytes
    char* const block = block_memory();
    unsigned const rank = unsigned(group.thread_rank());
    unsigned const size = unsigned(group.size());
#else
    auto const& group = this_thread;
    unsigned const first = me.rank * 8192;
    char* const block = host_block + me.rank * (block_bytes / host_threads);
    unsigned const rank = 0, size = 1;
#endif
    char* const from = source_memory() + first;
    char* const to = target_memory() + (block_bytes + first) % global_bytes;
    bool const writes = first != 0 || me.rank < size;
    for (unsigned round = 0; round < 3; ++round) {
      // The first block, which may be one of several, writes the source. The others wait for it.
      if (writes) {
        fill(from, rank, Size, size, round);
        for (unsigned i = rank * Own; i < rank * Own + Own; ++i) from[4096 + i] = byte_of(i, round + 1);
      }
      if constexpr (sizeof...(Fenced) != 0) fence_proxy_async(); // the writes, and the reads at the end of a round
      b.arrive_and_wait();
      memcpy_async(group, block, from, Size, b, Fenced...);
      unsigned const own = rank * Own;
      memcpy_async(block + 2048 + own, from + 4096 + own, Own, b, Fenced...);
      auto token = b.arrive();
      dawdle(me.rank + round);
      b.wait(static_cast<decltype(token)&&>(token));
      CHECK_EQUAL(wrong(block, (rank + 5) % size, Size, size, round), 0u);
      unsigned const other = (rank + 1) % size * Own;
      CHECK_EQUAL(wrong(block + 2048, other, other + Own, 1, round + 1), 0u);
      if (writes) {
        if constexpr (sizeof...(Fenced) != 0) fence_proxy_async_shared(); // what cp.async copied
        memcpy_async(group, to, block, aligned_size_t<16>(Size / 16 * 16), b, Fenced...);
      }
      b.arrive_and_wait();
      if (writes) CHECK_EQUAL(wrong(to, (rank + 3) % size, Size / 16 * 16, size, round), 0u);
      b.arrive_and_wait();
    }
  }
  void end() { destroy(&b); }
  void verify(unsigned, context& test_) { CHECK(objects.are_made()); }
};
CONCURRENT_TEST("after the wait a thread sees what others copied: block", copying<thread_scope_block, 2048, 16>)
CONCURRENT_TEST("after the wait a thread sees what others copied, with the program's own proxy fences: block",
                copying<thread_scope_block, 2048, 16, proxy_fenced>)
CONCURRENT_TEST("after the wait a thread sees what others copied, in small pieces: block",
                copying<thread_scope_block, 1236, 4>)
CONCURRENT_TEST("after the wait a thread sees what others copied: cluster", copying<thread_scope_cluster, 1024, 8>)
CONCURRENT_TEST("after the wait a thread sees what others copied: device", copying<thread_scope_device, 1024, 128>)

TESTS_END
