// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.operations], [atomics.ref.ops] is_lock_free, is_always_lock_free, required_alignment;
// [atomics.lockfree]
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("every type of 1 to 8 bytes is lock-free, aligned to its size and as large as its value") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    CHECK((atomic<T, S>::is_always_lock_free));
    CHECK((atomic_ref<T, S>::is_always_lock_free));
    CHECK(a.is_lock_free());
    CHECK((atomic_ref<T, S>(*a.address()).is_lock_free()));
    CHECK((atomic<T, S>::required_alignment == sizeof(T)));
    CHECK((atomic_ref<T, S>::required_alignment == sizeof(T)));
    CHECK((sizeof(atomic<T, S>) == sizeof(T)));
    CHECK((alignof(atomic<T, S>) == sizeof(T)));
  });
}

TEST("a type of any other size is not lock-free") {
  auto& a = make<atomic<three_bytes>>(test_, three_bytes{});
  CHECK(!atomic<three_bytes>::is_always_lock_free);
  CHECK(!a.is_lock_free());
}

TEST("the lock-free constants equal the standard's macros") {
  // 2 means always. Copies, because a device cannot take the address of a host constant.
  int const constants[] = {atomic_bool_lock_free,     atomic_char_lock_free,     atomic_char8_t_lock_free,
                           atomic_char16_t_lock_free, atomic_char32_t_lock_free, atomic_wchar_t_lock_free,
                           atomic_short_lock_free,    atomic_int_lock_free,      atomic_long_lock_free,
                           atomic_llong_lock_free,    atomic_pointer_lock_free};
  for (int const constant : constants) CHECK_EQUAL(constant, 2);
}

TESTS_END
