// SPDX-License-Identifier: Apache-2.0
//
// [atomics.order] memory_order, and what release and acquire guarantee
#include "support/test.hpp"

#include <atomic>
import cudax.sync;
#include "messages.hpp"
#include "store_buffers.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("memory_order has the standard's values and converts from std::memory_order") {
  CHECK_EQUAL(int(memory_order::relaxed), 0);
  CHECK_EQUAL(int(memory_order::consume), 1);
  CHECK_EQUAL(int(memory_order::acquire), 2);
  CHECK_EQUAL(int(memory_order::release), 3);
  CHECK_EQUAL(int(memory_order::acq_rel), 4);
  CHECK_EQUAL(int(memory_order::seq_cst), 5);
  memory_order const constants[] = {memory_order_relaxed, memory_order_consume, memory_order_acquire,
                                    memory_order_release, memory_order_acq_rel, memory_order_seq_cst};
  for (int i = 0; i < 6; ++i) CHECK_EQUAL(int(constants[i]), i);

  auto& a = make<atomic<int>>(test_, 1);
  a.store(2, std::memory_order_release);
  CHECK_EQUAL(a.load(std::memory_order_acquire), 2);
  CHECK_EQUAL(a.exchange(3, std::memory_order_acq_rel), 2);
  CHECK_EQUAL(a.fetch_add(1, std::memory_order_seq_cst), 3);
  int expected = 4;
  CHECK(a.compare_exchange_strong(expected, 5, std::memory_order_acq_rel, std::memory_order_relaxed));
  // Unqualified, argument-dependent lookup would find the function of <atomic>.
  cudax::atomic_thread_fence(std::memory_order_seq_cst);
}

TEST("thread_scope has the values that the device code and libcu++ use") {
  CHECK_EQUAL(int(thread_scope_system), 0);
  CHECK_EQUAL(int(thread_scope_device), 1);
  CHECK_EQUAL(int(thread_scope_block), 2);
  CHECK_EQUAL(int(thread_scope_thread), 3);
  CHECK_EQUAL(int(thread_scope_cluster), 4);
  static_assert(__is_same(atomic<int>, atomic<int, thread_scope_system>));
  static_assert(__is_same(atomic_ref<int>, atomic_ref<int, thread_scope_system>));
}

/// Every operation that can release, with every releasing order; every operation that can acquire, with every acquiring
/// order.
struct operations {
  static constexpr unsigned sends = 13;
  template <thread_scope, class A, class T> static void send(unsigned way, A& flag, T round) {
    T expected = T(round - 1);
    switch (way) {
    case 0: return flag.store(round, memory_order_release);
    case 1: return flag.store(round, memory_order_seq_cst);
    case 2: flag.exchange(round, memory_order_release); return;
    case 3: flag.exchange(round, memory_order_acq_rel); return;
    case 4: flag.exchange(round, memory_order_seq_cst); return;
    case 5: flag.compare_exchange_strong(expected, round, memory_order_release, memory_order_relaxed); return;
    case 6: flag.compare_exchange_strong(expected, round, memory_order_acq_rel); return;
    case 7: flag.compare_exchange_strong(expected, round); return;
    case 8: flag.fetch_add(T(1), memory_order_release); return;
    case 9: flag.fetch_sub(T(-1), memory_order_acq_rel); return;
    case 10: flag.fetch_xor(T(round ^ T(round - 1)), memory_order_seq_cst); return;
    case 11: return flag.store_add(T(1), memory_order_release);
    default: return flag.store_xor(T(round ^ T(round - 1)), memory_order_seq_cst);
    }
  }

  static constexpr unsigned receives = 19;
  template <thread_scope, class A, class T> static bool received(unsigned way, A& flag, T round) {
    T expected = round;
    T const before = T(round - 1);
    cudax::nanoseconds const limit(time_limit); // of time, not of the wait: AWAIT repeats it
    switch (way) {
    case 0: return flag.load(memory_order_acquire) == round;
    case 1: return flag.load(memory_order_consume) == round;
    case 2: return flag.load(memory_order_seq_cst) == round;
    case 3: return flag.fetch_or(T(0), memory_order_acquire) == round;
    case 4: return flag.fetch_add(T(0), memory_order_acq_rel) == round;
    case 5: return flag.fetch_and(T(-1), memory_order_seq_cst) == round;
    case 6: return flag.compare_exchange_strong(expected, round, memory_order_acquire, memory_order_relaxed);
    case 7: // the failing comparison acquires
      expected = before;
      return !flag.compare_exchange_strong(expected, before, memory_order_relaxed, memory_order_acquire);
    case 8:
      expected = before;
      return !flag.compare_exchange_weak(expected, before, memory_order_release, memory_order_seq_cst);
    case 9: return flag.try_wait(before, memory_order_acquire);
    case 10: flag.wait(before, memory_order_acquire); return true;
    case 11: flag.wait(before, memory_order_seq_cst); return true;
    case 12: return flag.wait_for(before, limit, memory_order_acquire);
    case 13: return flag.wait_for(before, limit, memory_order_seq_cst);
    case 14: return flag.wait_until(before, steady_clock::now() + limit, memory_order_acquire);
    case 15: return flag.wait_until(before, steady_clock::now() + limit, memory_order_seq_cst);
    case 16: return flag.compare_exchange_strong(expected, round, memory_order_acq_rel);
    // An exchange leaves what it finds only once the message is there.
    case 17: return flag.load(memory_order_relaxed) == round && flag.exchange(round, memory_order_acquire) == round;
    default: return flag.load(memory_order_relaxed) == round && flag.exchange(round, memory_order_acq_rel) == round;
    }
  }
};
CONCURRENT_TEST("writes before a release are visible after an acquire: 8 bits, block",
                messages<operations, unsigned char, thread_scope_block>)
CONCURRENT_TEST("writes before a release are visible after an acquire: 16 bits, device",
                messages<operations, short, thread_scope_device>)
CONCURRENT_TEST("writes before a release are visible after an acquire: 32 bits, block",
                messages<operations, unsigned, thread_scope_block>)
CONCURRENT_TEST("writes before a release are visible after an acquire: 32 bits, cluster",
                messages<operations, int, thread_scope_cluster>)
CONCURRENT_TEST("writes before a release are visible after an acquire: 64 bits, device",
                messages<operations, unsigned long long, thread_scope_device>)
CONCURRENT_TEST("writes before a release are visible after an acquire: 8 bits, system",
                messages<operations, signed char, thread_scope_system>)
CONCURRENT_TEST("writes before a release are visible after an acquire: 32 bits, system",
                messages<operations, int, thread_scope_system>)
CONCURRENT_TEST("writes before a release are visible after an acquire: 64 bits, system",
                messages<operations, long long, thread_scope_system>)

/// Those of the bits alone: on the host each is a builtin of its own.
struct bit_operations {
  static constexpr unsigned sends = 3;
  template <thread_scope, class A, class T> static void send(unsigned way, A& flag, T round) {
    flag.store(way == 0 ? T(-1) : T(0), memory_order_relaxed); // no round; each operation makes `round` of it
    if (way == 0) flag.fetch_and(round, memory_order_release);
    if (way == 1) flag.fetch_or(round, memory_order_release);
    if (way == 2) flag.fetch_xor(round, memory_order_release);
  }

  static constexpr unsigned receives = 3;
  template <thread_scope, class A, class T> static bool received(unsigned way, A& flag, T round) {
    if (way == 0) return flag.fetch_and(T(-1), memory_order_acquire) == round;
    if (way == 1) return flag.fetch_or(T(0), memory_order_acquire) == round;
    return flag.fetch_xor(T(0), memory_order_acquire) == round;
  }
};
CONCURRENT_TEST("writes before a release are visible after an acquire: operations on bits",
                messages<bit_operations, unsigned, thread_scope_block>)

/// seq_cst accesses, without a fence.
struct sequential {
  template <thread_scope, class A> static int write_and_read(A& mine, A const& others) {
    mine.store(1, memory_order_seq_cst);
    return others.load(memory_order_seq_cst);
  }
};
CONCURRENT_TEST("with seq_cst accesses, at least one of two threads reads the other's write: block",
                store_buffers<sequential, thread_scope_block>)
CONCURRENT_TEST("with seq_cst accesses, at least one of two threads reads the other's write: device",
                store_buffers<sequential, thread_scope_device>)
CONCURRENT_TEST("with seq_cst accesses, at least one of two threads reads the other's write: system",
                store_buffers<sequential, thread_scope_system>)

TESTS_END
