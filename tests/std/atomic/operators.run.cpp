// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.int], [atomics.types.float], [atomics.types.pointer], [atomics.ref.*] ++ -- += -= &= |= ^=
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("++ and -- step by one and wrap around: every integer and scope") {
  for_each_type_then_scope<int>(integers(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, T());
    atomic_ref<T, S> const r(*a.address());
    integer_samples<T> const samples;
    for (T const before : samples.at) {
      T const more = T((unsigned long long)before + 1);
      T const less = T((unsigned long long)before - 1);
      a = before;
      CHECK_SAME(a++, before);
      CHECK_SAME(a.load(), more);
      CHECK_SAME(--a, before);
      CHECK_SAME(a--, before);
      CHECK_SAME(a.load(), less);
      CHECK_SAME(++a, before);
      CHECK_SAME(r++, before);
      CHECK_SAME(--r, before);
      CHECK_SAME(r--, before);
      CHECK_SAME(++r, before);
      CHECK_SAME(a.load(), before);
    }
  });
}

TEST("++ and -- of floating point step by one: every format and scope") {
  for_each_type_then_scope<float>(floats(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, number<T>(1.5f));
    atomic_ref<T, S> const r(*a.address());
    CHECK_EQUAL(bits_of(a++), bits_of(number<T>(1.5f)));
    CHECK_EQUAL(bits_of(++a), bits_of(number<T>(3.5f)));
    CHECK_EQUAL(bits_of(r--), bits_of(number<T>(3.5f)));
    CHECK_EQUAL(bits_of(--r), bits_of(number<T>(1.5f)));
    CHECK_EQUAL(bits_of(r++), bits_of(number<T>(1.5f)));
    CHECK_EQUAL(bits_of(a--), bits_of(number<T>(2.5f)));
    CHECK_EQUAL(bits_of(++r), bits_of(number<T>(2.5f)));
    CHECK_EQUAL(bits_of(--a), bits_of(number<T>(1.5f)));
  });
}

TEST("a compound assignment returns the new value: every integer and scope") {
  for_each_type_then_scope<int>(integers(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, T());
    atomic_ref<T, S> const r(*a.address());
    integer_samples<T> const samples;
    auto const check = [&](T before, auto modify, T after) {
      a = before;
      CHECK_SAME(modify(a), after);
      CHECK_SAME(a.load(), after);
      a = before;
      CHECK_SAME(modify(r), after);
      CHECK_SAME(a.load(), after);
    };
    for (T const b : samples.at)
      for (T const c : samples.at) {
        unsigned long long const x = (unsigned long long)b, y = (unsigned long long)c;
        check(b, [c](auto& object) { return object += c; }, T(x + y));
        check(b, [c](auto& object) { return object -= c; }, T(x - y));
        check(b, [c](auto& object) { return object &= c; }, T(x & y));
        check(b, [c](auto& object) { return object |= c; }, T(x | y));
        check(b, [c](auto& object) { return object ^= c; }, T(x ^ y));
      }
  });
}

TEST("+= and -= of floating point return the new value: every format and scope") {
  for_each_type_then_scope<float>(floats(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, number<T>(1.5f));
    atomic_ref<T, S> const r(*a.address());
    CHECK_EQUAL(bits_of(a += number<T>(0.25f)), bits_of(number<T>(1.75f)));
    CHECK_EQUAL(bits_of(a.load()), bits_of(number<T>(1.75f)));
    CHECK_EQUAL(bits_of(r += number<T>(-4.0f)), bits_of(number<T>(-2.25f)));
    CHECK_EQUAL(bits_of(a.load()), bits_of(number<T>(-2.25f)));
    CHECK_EQUAL(bits_of(a -= number<T>(0.25f)), bits_of(number<T>(-2.5f)));
    CHECK_EQUAL(bits_of(r -= number<T>(-2.5f)), bits_of(number<T>(0.0f)));
    CHECK_EQUAL(bits_of(a.load()), bits_of(number<T>(0.0f)));
  });
}

TEST("operators on a pointer step by elements: every scope") {
  for_each_type_shared_or_not(types<char, three_bytes, double>(), [&]<class T, thread_scope S>() {
    T values[6] = {};
    auto& a = make<atomic<T*, S>>(test_, values);
    atomic_ref<T*, S> const r(*a.address());
    CHECK(a++ == values);
    CHECK(++a == values + 2);
    CHECK((a += 3) == values + 5);
    CHECK(a.load() == values + 5);
    CHECK(a-- == values + 5);
    CHECK(--a == values + 3);
    CHECK((a -= 2) == values + 1);
    CHECK(a.load() == values + 1);
    CHECK(r++ == values + 1);
    CHECK(++r == values + 3);
    CHECK((r += -2) == values + 1);
    CHECK((r -= -4) == values + 5);
    CHECK(r-- == values + 5);
    CHECK(--r == values + 3);
    CHECK(a.load() == values + 3);
  });
}

TESTS_END
