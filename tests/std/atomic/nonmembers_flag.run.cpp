// SPDX-License-Identifier: Apache-2.0
//
// [atomics.nonmembers] atomic_flag_*
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("the free functions of flags do what the members do: every scope and order") {
  for_each_scope([&]<thread_scope S>() {
    auto& flag = make<basic_atomic_flag<S>>(test_);
    basic_atomic_flag<S> const* const constant = &flag;
    CHECK(!atomic_flag_test(constant));
    CHECK(!atomic_flag_test_and_set(&flag));
    CHECK(atomic_flag_test(constant));
    CHECK(atomic_flag_test_and_set(&flag));
    atomic_flag_wait(constant, false);
    atomic_flag_clear(&flag);
    CHECK(!atomic_flag_test(constant));
    atomic_flag_wait(constant, true);
    atomic_flag_notify_one(&flag);
    atomic_flag_notify_all(&flag);
    for_each_order([&](memory_order order) {
      CHECK(!atomic_flag_test_and_set_explicit(&flag, order));
      CHECK(atomic_flag_test_and_set_explicit(&flag, order));
      atomic_flag_clear(&flag);
    });
    for_each_store_order([&](memory_order order) {
      atomic_flag_test_and_set(&flag);
      atomic_flag_clear_explicit(&flag, order);
      CHECK(!atomic_flag_test(constant));
    });
    for_each_load_order([&](memory_order order) {
      CHECK(!atomic_flag_test_explicit(constant, order));
      atomic_flag_wait_explicit(constant, true, order);
    });
  });
}

TEST("the free functions of flags accept volatile flags") {
  atomic_flag volatile& flag = make<atomic_flag>(test_);
  CHECK(!atomic_flag_test_and_set(&flag));
  CHECK(atomic_flag_test(&flag));
  atomic_flag_wait(&flag, false);
  atomic_flag_clear(&flag);
  CHECK(!atomic_flag_test(&flag));
}

TESTS_END
