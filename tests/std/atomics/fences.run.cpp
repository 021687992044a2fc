// SPDX-License-Identifier: Apache-2.0
//
// [atomics.fences] atomic_thread_fence, atomic_signal_fence
#include "support/test.hpp"
import cudax.sync;
#include "messages.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("fences of every order and scope leave values alone") {
  auto& a = make<atomic<int, thread_scope_device>>(test_, 1);
  for_each_order([&](memory_order order) {
    a.store(int(order), memory_order_relaxed);
    atomic_thread_fence(order);
    atomic_signal_fence(order);
    for_each_scope([&]<thread_scope S>() { atomic_thread_fence(order, S); });
    CHECK_EQUAL(a.load(memory_order_relaxed), int(order));
  });
}

/// Relaxed accesses of the flag, between fences of every order.
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
CONCURRENT_TEST("what was written before a fence is seen after one: block",
                messages<fences, int, thread_scope_block, relaxed_data>)
CONCURRENT_TEST("what was written before a fence is seen after one: 8 bits, block",
                messages<fences, unsigned char, thread_scope_block, relaxed_data>)
CONCURRENT_TEST("what was written before a fence is seen after one: cluster",
                messages<fences, int, thread_scope_cluster, relaxed_data>)
CONCURRENT_TEST("what was written before a fence is seen after one: device",
                messages<fences, int, thread_scope_device, relaxed_data>)
CONCURRENT_TEST("what was written before a fence is seen after one: system",
                messages<fences, int, thread_scope_system, relaxed_data>)

/// Two threads each write one object and read the other's, with a seq_cst fence between.
template <thread_scope Scope> struct fenced_store_buffers {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned rounds = 40;
  static constexpr unsigned pairs = 16;
  struct round {
    atomic<int, Scope> written[2];
    int seen[2];
    atomic<int, Scope> ready;
  };
  round at[pairs * rounds] = {};

  void run(worker me, context& test_) {
    unsigned const half = me.size / 2;
    int const side = me.rank >= half;
    // Few pairs take the rounds of others, too.
    for (unsigned i = me.rank % half * rounds; i < pairs * rounds; i += half * rounds)
      for (unsigned j = i; j < i + rounds; ++j) {
        round& one = at[j];
        one.ready.fetch_add(1, memory_order_relaxed); // both begin at once
        AWAIT(one.ready.load(memory_order_relaxed) == 2);
        one.written[side].store(1, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst, Scope);
        one.seen[side] = one.written[1 - side].load(memory_order_relaxed);
      }
  }
  void verify(unsigned, context& test_) {
    for (round const& one : at) CHECK(one.seen[0] == 1 || one.seen[1] == 1);
  }
};
CONCURRENT_TEST("of two writes each followed by a seq_cst fence and a read, one is read: block",
                fenced_store_buffers<thread_scope_block>)
CONCURRENT_TEST("of two writes each followed by a seq_cst fence and a read, one is read: device",
                fenced_store_buffers<thread_scope_device>)
CONCURRENT_TEST("of two writes each followed by a seq_cst fence and a read, one is read: system",
                fenced_store_buffers<thread_scope_system>)

TESTS_END
