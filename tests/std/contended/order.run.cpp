// SPDX-License-Identifier: Apache-2.0
//
// Extension: the orders of combined operations. The lane that performs the operation releases for all lanes that
// combine with it, and acquires for them.
#include "support/test.hpp"
import cudax.sync;
#include "chained.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// Every thread writes plain data, then counts itself with an operation that releases. Threads that see the whole count
/// read the data of all others.
template <class Count, thread_scope Scope> struct order_counted {
  static constexpr thread_scope scope = Scope;
  unsigned data[most_links];
  unsigned arrived = 0;

  void run(worker me, context& test_) {
    data[me.rank] = me.rank * 3 + 1;
    Count::apply(contended_ref<unsigned, Scope>(arrived));
    AWAIT(atomic_ref<unsigned, Scope>(arrived).load(memory_order_acquire) == me.size);
    for (unsigned i = 1; i < 4; ++i) {
      unsigned const other = (me.rank + i * me.size / 4) % me.size;
      CHECK_EQUAL(data[other], other * 3 + 1);
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(arrived, threads); }
};
struct by_release {
  template <class R> static void apply(R a) { a.fetch_add(1, memory_order_release); }
};
struct by_acq_rel {
  template <class R> static void apply(R a) { a.fetch_add(1, memory_order_acq_rel); }
};
struct by_seq_cst {
  template <class R> static void apply(R a) { ++a; }
};
struct by_store_release {
  template <class R> static void apply(R a) { a.store_add(1, memory_order_release); }
};
struct by_store_seq_cst {
  template <class R> static void apply(R a) { a.store_add(1); }
};
struct by_order_at_run_time {
  template <class R> static void apply(R a) {
    int order = int(memory_order_release);
    asm volatile("" : "+r"(order));
    a.fetch_add(1, memory_order(order));
  }
};
CONCURRENT_TEST("a combined operation releases for every lane: release, block",
                order_counted<by_release, thread_scope_block>)
CONCURRENT_TEST("a combined operation releases for every lane: release, device",
                order_counted<by_release, thread_scope_device>)
CONCURRENT_TEST("a combined operation releases for every lane: acq_rel, device",
                order_counted<by_acq_rel, thread_scope_device>)
CONCURRENT_TEST("a combined operation releases for every lane: seq_cst, device",
                order_counted<by_seq_cst, thread_scope_device>)
CONCURRENT_TEST("a combined operation releases for every lane: store_add release, device",
                order_counted<by_store_release, thread_scope_device>)
CONCURRENT_TEST("a combined operation releases for every lane: store_add seq_cst, device",
                order_counted<by_store_seq_cst, thread_scope_device>)
CONCURRENT_TEST("a combined operation releases for every lane: order at run time, device",
                order_counted<by_order_at_run_time, thread_scope_device>)

/// Thread 0 writes plain data and releases. All others poll with an operation that acquires, and read the data.
template <class Poll, thread_scope Scope> struct polled {
  static constexpr thread_scope scope = Scope;
  unsigned data[3];
  unsigned flag = 0;

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      for (unsigned i = 0; i < 3; ++i) data[i] = 10 + i;
      atomic_ref<unsigned, Scope>(flag).fetch_add(1u << 31, memory_order_release);
      return;
    }
    AWAIT(Poll::apply(contended_ref<unsigned, Scope>(flag)) >> 31);
    for (unsigned i = 0; i < 3; ++i) CHECK_EQUAL(data[i], 10 + i);
  }
  void verify(unsigned, context& test_) { CHECK(flag >> 31); }
};
struct by_acquire {
  template <class R> static unsigned apply(R a) { return a.fetch_or(0, memory_order_acquire); }
};
struct by_max_acq_rel {
  template <class R> static unsigned apply(R a) { return a.fetch_max(1, memory_order_acq_rel); }
};
struct by_add_seq_cst {
  template <class R> static unsigned apply(R a) { return a.fetch_add(0); }
};
CONCURRENT_TEST("a combined operation acquires for every lane: acquire, block", polled<by_acquire, thread_scope_block>)
CONCURRENT_TEST("a combined operation acquires for every lane: acquire, device",
                polled<by_acquire, thread_scope_device>)
CONCURRENT_TEST("a combined operation acquires for every lane: acq_rel, device",
                polled<by_max_acq_rel, thread_scope_device>)
CONCURRENT_TEST("a combined operation acquires for every lane: seq_cst, device",
                polled<by_add_seq_cst, thread_scope_device>)

/// A lock of tickets: each thread takes a ticket, which is relaxed, and hands the lock to the next one by an operation
/// that acquires and releases.
template <thread_scope Scope> struct ticket_lock {
  static constexpr thread_scope scope = Scope;
  unsigned next = 0, serving = 0;
  unsigned value = 0; // guarded by the lock

  void run(worker, context& test_) {
    unsigned const mine = contended_ref<unsigned, Scope>(next).fetch_add(1, memory_order_relaxed);
    contended_ref<unsigned, Scope> now(serving);
    AWAIT(now.fetch_max(0, memory_order_acquire) == mine);
    ++value;
    now.fetch_add(1, memory_order_release);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(value, threads); }
};
CONCURRENT_TEST("a lock of tickets guards plain data: block", ticket_lock<thread_scope_block>)
CONCURRENT_TEST("a lock of tickets guards plain data: device", ticket_lock<thread_scope_device>)

/// One half of the threads counts in x and then reads y, the other half counts in y and then reads x, all seq_cst. If a
/// thread of one half reads 0, then every thread of the other half sees what that thread has counted.
template <class Access, thread_scope Scope> struct contended_sequential {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned rounds = 8;
  struct round {
    unsigned counted[2] = {};
    unsigned blind[2] = {}; // how many threads of this half read 0
    unsigned begun = 0;
  };
  round at[rounds];

  void run(worker me, context& test_) {
    unsigned const half = me.rank / (me.size / 2) % 2;
    for (round& one : at) {
      contended_ref<unsigned, Scope>(one.begun).store_add(1, memory_order_relaxed);
      AWAIT(atomic_ref<unsigned, Scope>(one.begun).load(memory_order_relaxed) == me.size);
      unsigned const seen = Access::template count_and_read<Scope>(one.counted[half], one.counted[1 - half]);
      if (seen == 0) atomic_ref<unsigned, Scope>(one.blind[half]).fetch_add(1, memory_order_relaxed);
    }
  }
  void verify(unsigned, context& test_) {
    for (round const& one : at) CHECK(one.blind[0] == 0 || one.blind[1] == 0);
  }
};
struct fetch_then_load {
  template <thread_scope Scope> static unsigned count_and_read(unsigned& mine, unsigned& others) {
    contended_ref<unsigned, Scope>(mine).fetch_add(1);
    return atomic_ref<unsigned, Scope>(others).load();
  }
};
struct reduce_then_load {
  template <thread_scope Scope> static unsigned count_and_read(unsigned& mine, unsigned& others) {
    contended_ref<unsigned, Scope>(mine).store_add(1);
    return atomic_ref<unsigned, Scope>(others).load();
  }
};
struct fetch_then_fetch {
  template <thread_scope Scope> static unsigned count_and_read(unsigned& mine, unsigned& others) {
    contended_ref<unsigned, Scope>(mine).fetch_add(1);
    return contended_ref<unsigned, Scope>(others).fetch_or(0);
  }
};
CONCURRENT_TEST("combined seq_cst operations have one order: fetch_add, load, device",
                contended_sequential<fetch_then_load, thread_scope_device>)
CONCURRENT_TEST("combined seq_cst operations have one order: store_add, load, block",
                contended_sequential<reduce_then_load, thread_scope_block>)
CONCURRENT_TEST("combined seq_cst operations have one order: fetch_add, fetch_or, device",
                contended_sequential<fetch_then_fetch, thread_scope_device>)

TESTS_END
