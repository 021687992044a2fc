// SPDX-License-Identifier: Apache-2.0
//
// [atomics.fences] atomic_thread_fence, atomic_signal_fence
#include "support/test.hpp"
import cudax.sync;
#include "messages.hpp"
#include "store_buffers.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("fences of every order and scope do not change values") {
  auto& a = make<atomic<int, thread_scope_device>>(test_, 1);
  for_each_order([&](memory_order order) {
    a.store(int(order), memory_order_relaxed);
    atomic_thread_fence(order);
    atomic_signal_fence(order);
    for_each_scope([&]<thread_scope S>() { atomic_thread_fence(order, S); });
    CHECK_EQUAL(a.load(memory_order_relaxed), int(order));
  });
}

/// Relaxed accesses to the flag, between fences of every order.
struct fences {
  static constexpr unsigned sends = 3;
  template <thread_scope S, class A, class T> static void send(unsigned way, A& flag, T round) {
    atomic_thread_fence(way == 0 ? memory_order_release : way == 1 ? memory_order_acq_rel : memory_order_seq_cst, S);
    flag.store(round, memory_order_relaxed);
  }
  static constexpr unsigned receives = 4;
  template <thread_scope S, class A, class T> static bool received(unsigned way, A& flag, T round) {
    if (flag.load(memory_order_relaxed) != round) return false;
    atomic_thread_fence(way == 0   ? memory_order_acquire
                        : way == 1 ? memory_order_consume
                        : way == 2 ? memory_order_acq_rel
                                   : memory_order_seq_cst,
                        S);
    return true;
  }
};
#if __has_feature(thread_sanitizer)
inline constexpr bool relaxed_data = true;
#else
inline constexpr bool relaxed_data = false;
#endif
CONCURRENT_TEST("writes before a release fence are visible after an acquire fence: block",
                messages<fences, int, thread_scope_block, relaxed_data>)
CONCURRENT_TEST("writes before a release fence are visible after an acquire fence: 8 bits, block",
                messages<fences, unsigned char, thread_scope_block, relaxed_data>)
CONCURRENT_TEST("writes before a release fence are visible after an acquire fence: cluster",
                messages<fences, int, thread_scope_cluster, relaxed_data>)
CONCURRENT_TEST("writes before a release fence are visible after an acquire fence: device",
                messages<fences, int, thread_scope_device, relaxed_data>)
CONCURRENT_TEST("writes before a release fence are visible after an acquire fence: system",
                messages<fences, int, thread_scope_system, relaxed_data>)

/// Relaxed accesses, with a seq_cst fence between the write and the read.
struct fenced {
  template <thread_scope S, class A> static int write_and_read(A& mine, A const& others) {
    mine.store(1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst, S);
    return others.load(memory_order_relaxed);
  }
};
CONCURRENT_TEST("with seq_cst fences, at least one of two threads reads the other's write: block",
                store_buffers<fenced, thread_scope_block>)
CONCURRENT_TEST("with seq_cst fences, at least one of two threads reads the other's write: cluster",
                store_buffers<fenced, thread_scope_cluster>)
CONCURRENT_TEST("with seq_cst fences, at least one of two threads reads the other's write: device",
                store_buffers<fenced, thread_scope_device>)
CONCURRENT_TEST("with seq_cst fences, at least one of two threads reads the other's write: system",
                store_buffers<fenced, thread_scope_system>)

TESTS_END
