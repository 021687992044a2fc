// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.ops] address
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("address() returns the address of the object: every type and scope") {
  for_each_type_then_scope<int>(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    CHECK(static_cast<void*>(a.address()) == &a);
    CHECK((atomic_ref<T, S>(*a.address()).address() == a.address()));
    CHECK((atomic_ref<T const, S>(*a.address()).address() == a.address()));
    atomic_ref<T, S> const same(*a.address());
    CHECK(static_cast<T*>(same.address()) == a.address());
    auto const& constant = a;
    static_assert(__is_same(decltype(constant.address()), T const*));
    CHECK(constant.address() == a.address());
  });
}

TEST("an atomic_ref to address() of an atomic accesses the same value: every type and scope") {
  for_each_type_then_scope<int>(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    atomic_ref<T, S>(*a.address()).store(sample<T>(1));
    CHECK_SAME(a.load(), sample<T>(1));
    CHECK_SAME(*a.address(), sample<T>(1));
  });
}

TEST("an atomic_ref<T const> can be constructed from an atomic_ref<T>: every type and scope") {
  for_each_type_then_scope<int>(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    atomic_ref<T, S> const r(*a.address());
    atomic_ref<T const, S> const reads(r);
    CHECK(reads.address() == r.address());
    r.store(sample<T>(1));
    CHECK_SAME(reads.load(), sample<T>(1));
  });
}

TESTS_END
