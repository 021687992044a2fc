// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.operations], [atomics.ref.ops] constructors, [atomics.types.generic] class template argument
// deduction
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("a default-constructed atomic holds T(): every type and scope") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    __builtin_memset(test_.memory, 0xa5, context::memory_size);
    auto& a = make<atomic<T, S>>(test_);
    T const value = T();
    CHECK_SAME(a.load(), value);
  });
}

TEST("an atomic of system or device scope that has no initializer holds T()") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    if constexpr (S == thread_scope_system || S == thread_scope_device)
      CHECK_SAME((make_bare<atomic<T, S>>(test_).load()), T());
  });
  CHECK_EQUAL(make_bare<contended<int>>(test_).load(), 0);
}

TEST("init gives an atomic its value: every type and scope") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    auto& a = make_bare<atomic<T, S>>(test_);
    init(&a, sample<T>(1));
    CHECK_SAME(a.load(), sample<T>(1));
  });
  auto& c = make_bare<contended<unsigned, thread_scope_block>>(test_);
  init(&c, 3);
  CHECK_EQUAL(c.load(), 3u);
}

TEST("an atomic holds the value that it was constructed with: every type and scope") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    for (int i = 0; i < samples; ++i) CHECK_SAME((make<atomic<T, S>>(test_, sample<T>(i)).load()), sample<T>(i));
  });
}

TEST("an atomic and an atomic_ref deduce their type") {
  atomic a(7);
  static_assert(__is_same(decltype(a), atomic<int, thread_scope_system>));
  CHECK_EQUAL(a.load(), 7);
  unsigned short object = 8;
  atomic_ref r(object);
  static_assert(__is_same(decltype(r), atomic_ref<unsigned short, thread_scope_system>));
  CHECK_EQUAL(r.load(), object);
}

TEST("an atomic can be constructed at compile time") {
  constexpr atomic<int> a(7);
  CHECK_EQUAL(a.load(), 7);
}

TEST("a copy of an atomic_ref refers to the same object: every type and scope") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    atomic_ref<T, S> const first(*a.address());
    atomic_ref<T, S> const second(first);
    first.store(sample<T>(1));
    CHECK_SAME(second.load(), sample<T>(1));
    CHECK_SAME(a.load(), sample<T>(1));
  });
}

TESTS_END
