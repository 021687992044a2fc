// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.ops], [atomics.types.operations] load
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("load returns the value: every type, scope and order") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    for (int i = 0; i < samples; ++i) {
      auto const& a = make<atomic<T, S>>(test_, sample<T>(i));
      CHECK_SAME(a.load(), sample<T>(i));
      for_each_load_order([&](memory_order order) { CHECK_SAME(a.load(order), sample<T>(i)); });
    }
  });
}

TEST("load through atomic_ref reads only its object: every offset in 16 bytes") {
  for_each_type_shared_or_not(machine_integers(), [&]<class T, thread_scope S>() {
    struct row {
      alignas(16) T at[16 / sizeof(T)];
    };
    auto& objects = make<row>(test_);
    for (T& object : objects.at) object = T(&object - objects.at + 1);
    for (T& object : objects.at)
      for_each_load_order([&](memory_order order) {
        CHECK_SAME((atomic_ref<T, S>(object).load(order)), T(&object - objects.at + 1));
        CHECK_SAME((atomic_ref<T const, S>(object).load(order)), T(&object - objects.at + 1));
      });
  });
}

/// Half of the threads store values whose bytes are all equal; the other half load. Unequal bytes would be a torn
/// value.
template <class T, thread_scope Scope> struct whole_values {
  static constexpr thread_scope scope = Scope;
  static constexpr int count = 16 / sizeof(T);
  alignas(16) T at[count] = {};

  static T pattern(unsigned i) { return T(T(0x0101'0101'0101'0101) * (i & 0x7f)); }

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < 100 * repeats(me.size); ++i) {
      atomic_ref<T, Scope> const a(at[i % count]);
      if (me.rank % 2 == 0) {
        a.store(pattern(me.rank + i), memory_order_relaxed);
      } else {
        T const seen = a.load(memory_order_relaxed);
        CHECK_EQUAL(seen, pattern(unsigned(seen & 0x7f)));
      }
    }
  }
  void verify(unsigned, context& test_) {
    for (T const seen : at) CHECK_EQUAL(seen, pattern(unsigned(seen & 0x7f)));
  }
};
CONCURRENT_TEST("load never returns a torn value: 16 bits, block", whole_values<unsigned short, thread_scope_block>)
CONCURRENT_TEST("load never returns a torn value: 32 bits, device", whole_values<unsigned, thread_scope_device>)
CONCURRENT_TEST("load never returns a torn value: 64 bits, cluster",
                whole_values<unsigned long long, thread_scope_cluster>)
CONCURRENT_TEST("load never returns a torn value: 64 bits, block", whole_values<unsigned long long, thread_scope_block>)
CONCURRENT_TEST("load never returns a torn value: 64 bits, system",
                whole_values<unsigned long long, thread_scope_system>)

/// One thread counts up. The others never read an older value after a newer one.
template <class T, thread_scope Scope> struct coherent_loads {
  static constexpr thread_scope scope = Scope;
  static constexpr int last = 100;
  T count = 0;

  void run(worker me, context& test_) {
    atomic_ref<T, Scope> const a(count);
    if (me.rank == 0) {
      for (int i = 1; i <= last; ++i) a.store(T(i), memory_order_relaxed);
      return;
    }
    T before = 0;
    AWAIT([&] {
      T const seen = a.load(memory_order_relaxed);
      CHECK(before <= seen);
      before = seen;
      return seen == T(last);
    }());
  }
  void verify(unsigned, context& test_) { CHECK_EQUAL(count, T(last)); }
};
CONCURRENT_TEST("later loads of an object never return older values: 8 bits, block",
                coherent_loads<unsigned char, thread_scope_block>)
CONCURRENT_TEST("later loads of an object never return older values: 16 bits, device",
                coherent_loads<short, thread_scope_device>)
CONCURRENT_TEST("later loads of an object never return older values: 32 bits, system",
                coherent_loads<int, thread_scope_system>)
CONCURRENT_TEST("later loads of an object never return older values: 64 bits, cluster",
                coherent_loads<long, thread_scope_cluster>)

TESTS_END
