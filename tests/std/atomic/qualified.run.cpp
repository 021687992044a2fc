// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.generic], [atomics.ref.generic] objects that are const or volatile
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("every operation works on a volatile atomic") {
  for_each_type_shared_or_not(machine_integers(), [&]<class T, thread_scope S>() {
    atomic<T, S> volatile& a = make<atomic<T, S>>(test_, T(1));
    T expected = T(5);
    CHECK(a.is_lock_free());
    a.store(T(2));
    CHECK_EQUAL(a.load(), T(2));
    CHECK_EQUAL(T(a = T(3)), T(3));
    CHECK_EQUAL(T(a), T(3));
    CHECK_EQUAL(a.exchange(T(4)), T(3));
    CHECK(!a.compare_exchange_strong(expected, T(6)));
    CHECK_EQUAL(expected, T(4));
    CHECK(a.compare_exchange_strong(expected, T(5), memory_order_acq_rel, memory_order_acquire));
    CHECK(!a.compare_exchange_weak(expected, T(6), memory_order_seq_cst, memory_order_relaxed));
    CHECK_EQUAL(expected, T(5));
    CHECK(a.compare_exchange_weak(expected, T(6)));
    CHECK_EQUAL(a.fetch_add(T(4)), T(6));
    CHECK_EQUAL(a.fetch_sub(T(3)), T(10));
    CHECK_EQUAL(a.fetch_and(T(6)), T(7));
    CHECK_EQUAL(a.fetch_or(T(9)), T(6));
    CHECK_EQUAL(a.fetch_xor(T(5)), T(15));
    CHECK_EQUAL(a.fetch_max(T(12)), T(10));
    CHECK_EQUAL(a.fetch_min(T(2)), T(12));
    CHECK_EQUAL(a++, T(2));
    CHECK_EQUAL(++a, T(4));
    CHECK_EQUAL(a--, T(4));
    CHECK_EQUAL(--a, T(2));
    CHECK_EQUAL(a += T(5), T(7));
    CHECK_EQUAL(a -= T(1), T(6));
    CHECK_EQUAL(a &= T(3), T(2));
    CHECK_EQUAL(a |= T(8), T(10));
    CHECK_EQUAL(a ^= T(1), T(11));
    a.store_add(T(2));
    a.store_sub(T(1));
    a.store_and(T(6));
    a.store_or(T(8));
    a.store_xor(T(1));
    CHECK_EQUAL(a.load(), T(13));
    a.store_max(T(20));
    CHECK_EQUAL(a.load(), T(20));
    a.store_min(T(3));
    a.wait(T(4));
    CHECK(a.try_wait(T(4)));
    a.notify_one();
    a.notify_all();
    CHECK_EQUAL(a.load(), T(3));
  });
}

TEST("loads and waits work on a const atomic and through an atomic_ref to a const object") {
  for_each_type_shared_or_not(kinds(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    atomic<T, S> const& constant = a;
    atomic_ref<T const, S> const r(*constant.address());
    static_assert(__is_same(typename atomic_ref<T const, S>::value_type, T));
    CHECK_SAME(constant.load(), sample<T>(0));
    CHECK_SAME(r.load(), sample<T>(0));
    a.store(sample<T>(1));
    constant.wait(sample<T>(0));
    r.wait(sample<T>(0));
    CHECK(r.try_wait(sample<T>(0)));
    CHECK(!r.try_wait(sample<T>(1)));
    CHECK_SAME(r.load(), sample<T>(1));
  });
}

TEST("an atomic_ref to a volatile object reads and modifies it") {
  for_each_type_shared_or_not(machine_integers(), [&]<class T, thread_scope S>() {
    T volatile& object = make<T>(test_, T(1));
    atomic_ref<T volatile, S> const r(object);
    static_assert(__is_same(typename atomic_ref<T volatile, S>::value_type, T));
    r.store(T(2));
    CHECK_EQUAL(r.exchange(T(3)), T(2));
    CHECK_EQUAL(r.fetch_add(T(4)), T(3));
    T expected = T(7);
    CHECK(r.compare_exchange_strong(expected, T(8)));
    CHECK_EQUAL(r.load(), T(8));
    atomic_ref<T const volatile, S> const reader(object);
    CHECK_EQUAL(reader.load(), T(8));
  });
}

TESTS_END
