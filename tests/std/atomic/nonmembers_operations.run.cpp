// SPDX-License-Identifier: Apache-2.0
//
// [atomics.nonmembers] init, load, store, exchange, compare_exchange, is_lock_free, wait, notify
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("the free functions init, load, store and exchange do what the members do: every kind of type, scope, order") {
  for_each_type_then_scope<int>(kinds(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    atomic<T, S> const* const constant = &a;
    CHECK(atomic_is_lock_free(constant));
    CHECK_SAME(atomic_load(constant), sample<T>(0));
    atomic_init(&a, sample<T>(3));
    CHECK_SAME(atomic_load(constant), sample<T>(3));
    atomic_store(&a, sample<T>(1));
    CHECK_SAME(atomic_load(constant), sample<T>(1));
    CHECK_SAME(atomic_exchange(&a, sample<T>(2)), sample<T>(1));
    CHECK_SAME(atomic_load(constant), sample<T>(2));
    for_each_load_order([&](memory_order order) { CHECK_SAME(atomic_load_explicit(constant, order), sample<T>(2)); });
    for_each_store_order([&](memory_order order) {
      atomic_store(&a, sample<T>(0));
      atomic_store_explicit(&a, sample<T>(3), order);
      CHECK_SAME(atomic_load(constant), sample<T>(3));
    });
    for_each_order([&](memory_order order) {
      atomic_store(&a, sample<T>(0));
      CHECK_SAME(atomic_exchange_explicit(&a, sample<T>(1), order), sample<T>(0));
      CHECK_SAME(atomic_load(constant), sample<T>(1));
    });
  });
}

TEST("the free functions compare_exchange do what the members do: every kind of type, and scope") {
  for_each_type_then_scope<int>(kinds(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    T expected = sample<T>(1);
    auto const check = [&](auto exchange) {
      atomic_store(&a, sample<T>(0));
      expected = sample<T>(1);
      CHECK(!exchange(&expected, sample<T>(3)));
      CHECK_SAME(expected, sample<T>(0));
      CHECK_SAME(atomic_load(&a), sample<T>(0));
      CHECK(exchange(&expected, sample<T>(3)));
      CHECK_SAME(atomic_load(&a), sample<T>(3));
    };
    check([&](T* old, T value) { return atomic_compare_exchange_strong(&a, old, value); });
    check([&](T* old, T value) { return atomic_compare_exchange_weak(&a, old, value); });
    check([&](T* old, T value) {
      return atomic_compare_exchange_strong_explicit(&a, old, value, memory_order_acq_rel, memory_order_acquire);
    });
    check([&](T* old, T value) {
      return atomic_compare_exchange_weak_explicit(&a, old, value, memory_order_release, memory_order_relaxed);
    });
  });
}

TEST("the waiting free functions return immediately if the value differs: every kind of type, scope, order") {
  for_each_type_then_scope<int>(kinds(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    atomic<T, S> const* const constant = &a;
    atomic_wait(constant, sample<T>(1));
    for_each_load_order([&](memory_order order) { atomic_wait_explicit(constant, sample<T>(1), order); });
    atomic_notify_one(&a);
    atomic_notify_all(&a);
    CHECK_SAME(atomic_load(constant), sample<T>(0));
  });
}

TEST("the free functions accept volatile atomics, and atomics of other sizes") {
  atomic<int, thread_scope_device> volatile& a = make<atomic<int, thread_scope_device>>(test_, 1);
  int expected = 2;
  CHECK(atomic_is_lock_free(&a));
  atomic_store(&a, 2);
  CHECK_EQUAL(atomic_load(&a), 2);
  CHECK(atomic_compare_exchange_strong(&a, &expected, 3));
  CHECK_EQUAL(atomic_exchange(&a, 4), 3);
  CHECK_EQUAL(atomic_fetch_add(&a, 5), 4);
  atomic_wait(&a, 4);
  atomic_notify_all(&a);

  auto& odd = make<atomic<three_bytes>>(test_, three_bytes{{1, 2, 3}});
  CHECK(!atomic_is_lock_free(&odd));
  three_bytes old = atomic_exchange(&odd, three_bytes{{4, 5, 6}});
  CHECK_SAME(old, three_bytes{{1, 2, 3}});
  CHECK(!atomic_compare_exchange_strong(&odd, &old, three_bytes{}));
  CHECK_SAME(old, three_bytes{{4, 5, 6}});
  atomic_wait(&odd, three_bytes{});
}

/// atomic_wait blocks until a thread has stored a new value and notified.
template <thread_scope Scope> struct waits_by_function {
  static constexpr thread_scope scope = Scope;
  atomic<unsigned, Scope> arrived{0u};
  atomic<int, Scope> gate{0};

  void run(worker me, context& test_) {
    if (atomic_fetch_add(&arrived, 1u) + 1 == me.size) {
      atomic_store_explicit(&gate, 1, memory_order_release);
      atomic_notify_all(&gate);
    } else if (me.rank % 2) {
      atomic_wait(&gate, 0);
    } else {
      atomic_wait_explicit(&gate, 0, memory_order_acquire);
    }
    CHECK_EQUAL(atomic_load(&gate), 1);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(atomic_load(&arrived), threads); }
};
CONCURRENT_TEST("atomic_notify_all releases every waiter: block", waits_by_function<thread_scope_block>)
CONCURRENT_TEST("atomic_notify_all releases every waiter: device", waits_by_function<thread_scope_device>)
CONCURRENT_TEST("atomic_notify_all releases every waiter: system", waits_by_function<thread_scope_system>)

TESTS_END
