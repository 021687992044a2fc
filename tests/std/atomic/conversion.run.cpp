// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.operations], [atomics.ref.ops] operator T: the conversion to the value
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("an atomic and an atomic_ref convert to the value: every type and scope") {
  for_each_type_then_scope<int>(values(), [&]<class T, thread_scope S>() {
    for (int i = 0; i < samples; ++i) {
      auto& a = make<atomic<T, S>>(test_, sample<T>(i));
      T const value = a;
      CHECK_SAME(value, sample<T>(i));
      T const referred = atomic_ref<T, S>(*a.address());
      CHECK_SAME(referred, sample<T>(i));
      T const constant = atomic_ref<T const, S>(*a.address());
      CHECK_SAME(constant, sample<T>(i));
    }
  });
}

TESTS_END
