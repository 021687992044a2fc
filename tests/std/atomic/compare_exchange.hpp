// SPDX-License-Identifier: Apache-2.0
//
// compare_exchange: what both forms guarantee. `Exchange::apply(atomic, expected, desired, orders...)` is the member.
// Neither form fails spuriously (see the docstring), so both pass the same checks. Include after `import cudax.sync;`.
#pragma once

#include "support/lists.hpp"

namespace cudax_test {
TESTS_BEGIN

/// Once with the current value as the expected one, and once with another value.
template <class Exchange, class Atomic, class T, class... Order>
void check_exchange(context& test_, Atomic& a, T there, T other, T desired, Order... order) {
  a.store(there, cudax::memory_order_relaxed);
  T expected = there;
  CHECK(Exchange::apply(a, expected, desired, order...));
  CHECK_SAME(expected, there);
  CHECK_SAME(a.load(cudax::memory_order_relaxed), desired);

  a.store(there, cudax::memory_order_relaxed);
  expected = other;
  CHECK(!Exchange::apply(a, expected, desired, order...));
  CHECK_SAME(expected, there);
  CHECK_SAME(a.load(cudax::memory_order_relaxed), there);
}

template <class Exchange> void check_every_value(context& test_) {
  for_each_type_and_scope(values(), [&]<class T, cudax::thread_scope Scope>() {
    auto& a = make<cudax::atomic<T, Scope>>(test_, sample<T>(0));
    for (int i = 0; i < samples; ++i)
      check_exchange<Exchange>(test_, a, sample<T>(i), sample<T>(i + 1), sample<T>(i + 2));
  });
}

template <class Exchange> void check_every_order(context& test_) {
  for_each_type_and_scope(machine_integers(), [&]<class T, cudax::thread_scope Scope>() {
    auto& a = make<cudax::atomic<T, Scope>>(test_, T());
    for_each_order([&](cudax::memory_order order) {
      check_exchange<Exchange>(test_, a, sample<T>(0), sample<T>(1), sample<T>(2), order);
    });
    for_each_order_pair([&](cudax::memory_order success, cudax::memory_order failure) {
      check_exchange<Exchange>(test_, a, sample<T>(0), sample<T>(1), sample<T>(2), success, failure);
    });
  });
}

/// Through atomic_ref, at every offset in 16 bytes: checks the object and the bytes around it.
template <class Exchange> void check_exchange_neighbours(context& test_) {
  for_each_type_shared_or_not(machine_integers(), [&]<class T, cudax::thread_scope Scope>() {
    struct row {
      alignas(16) T at[16 / sizeof(T)];
    };
    auto& objects = make<row>(test_);
    for (int i = 0; i < int(16 / sizeof(T)); ++i) {
      row wanted;
      __builtin_memset(&wanted, 0xa5, sizeof(row));
      __builtin_memset(&objects, 0xa5, sizeof(row));
      wanted.at[i] = sample<T>(2);
      objects.at[i] = sample<T>(1);
      cudax::atomic_ref<T, Scope> const a(objects.at[i]);
      T expected = sample<T>(1);
      CHECK(Exchange::apply(a, expected, sample<T>(2)));
      CHECK_SAME(objects, wanted);
      expected = sample<T>(0);
      CHECK(!Exchange::apply(a, expected, sample<T>(3)));
      CHECK_SAME(expected, sample<T>(2));
      CHECK_SAME(objects, wanted);
    }
  });
}

/// Floating point: bits are compared, not numbers.
template <class Exchange> void check_bits_decide(context& test_) {
  for_each_type_and_scope(floats(), [&]<class T, cudax::thread_scope Scope>() {
    auto& a = make<cudax::atomic<T, Scope>>(test_, number<T>(0));
    T const zero = number<T>(0);
    check_exchange<Exchange>(test_, a, zero, negative_zero<T>(), number<T>(1));
    check_exchange<Exchange>(test_, a, negative_zero<T>(), zero, number<T>(1));
    check_exchange<Exchange>(test_, a, quiet_nan<T>(), quiet_nan<T>(1), number<T>(1));
    check_exchange<Exchange>(test_, a, quiet_nan<T>(3), quiet_nan<T>(), quiet_nan<T>(2));
  });
}

// --- many threads ----------------------------------------------------------------------------------------------------

/// Increments adjacent objects with compare_exchange.
template <class Exchange, class T, cudax::thread_scope Scope> struct exchanged_increments {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr int count = 8;
  static constexpr int rounds = 20;
  alignas(16) T sums[count];

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < rounds * repeats(me.size); ++i) {
      cudax::atomic_ref<T, Scope> const a(sums[(me.rank + i) % count]);
      T expected = a.load(cudax::memory_order_relaxed);
      AWAIT(Exchange::apply(a, expected, T(expected + 1), cudax::memory_order_acq_rel, cudax::memory_order_relaxed));
    }
  }
  void verify(unsigned threads, context& test_) {
    int expected[count] = {};
    for (unsigned rank = 0; rank < threads; ++rank)
      for (unsigned i = 0; i < rounds * repeats(threads); ++i) ++expected[(rank + i) % count];
    for (int i = 0; i < count; ++i) CHECK_EQUAL(sums[i], T(expected[i]));
  }
};

/// A linked stack. A thread pushes the node that it owns, then pops a node, which it owns from then on. The owner
/// writes plainly to its node; no other thread may observe a partial update.
template <class Exchange, cudax::thread_scope Scope> struct linked_stack {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr int rounds = 50;
  static constexpr unsigned nodes = 1024;
  static constexpr unsigned none = ~0u;
  struct top {
    unsigned node;
    unsigned version; // without it, a top that was popped and pushed again would compare equal (ABA)
  };
  struct node {
    unsigned next;
    unsigned pushed; // how often
    unsigned copy;   // equal to `pushed`
  };
  cudax::atomic<top, Scope> head{top{none, 0}};
  node at[nodes] = {};

  void run(worker me, context& test_) {
    unsigned mine = me.rank;
    for (unsigned i = 0; i < rounds * repeats(me.size); ++i) {
      CHECK_EQUAL(at[mine].pushed, at[mine].copy);
      ++at[mine].pushed;
      ++at[mine].copy;
      top before = head.load(cudax::memory_order_relaxed);
      top after;
      AWAIT((cudax::atomic_ref<unsigned, Scope>(at[mine].next).store(before.node, cudax::memory_order_relaxed),
             after = top{mine, before.version + 1},
             Exchange::apply(head, before, after, cudax::memory_order_release, cudax::memory_order_relaxed)));
      before = head.load(cudax::memory_order_acquire);
      AWAIT((after = top{cudax::atomic_ref<unsigned, Scope>(at[before.node].next).load(cudax::memory_order_relaxed),
                         before.version + 1},
             Exchange::apply(head, before, after, cudax::memory_order_acquire, cudax::memory_order_acquire)));
      mine = before.node;
    }
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(head.load().node, none);
    CHECK_EQUAL(head.load().version, 2 * rounds * repeats(threads) * threads);
    unsigned pushed = 0;
    for (node const& one : at) pushed += one.pushed;
    CHECK_EQUAL(pushed, rounds * repeats(threads) * threads);
  }
};

TESTS_END
} // namespace cudax_test
