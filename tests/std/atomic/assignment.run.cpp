// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.operations], [atomics.ref.ops] operator=: the assignment of a value
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("assigning replaces the value and returns the new one: every type and scope") {
  for_each_type_then_scope<int>(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    atomic_ref<T, S> const r(*a.address());
    for (int i = 0; i < samples; ++i) {
      CHECK_SAME((a = sample<T>(i)), sample<T>(i));
      CHECK_SAME(a.load(), sample<T>(i));
      CHECK_SAME((r = sample<T>(i + 1)), sample<T>(i + 1));
      CHECK_SAME(a.load(), sample<T>(i + 1));
    }
  });
}

TESTS_END
