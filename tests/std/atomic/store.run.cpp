// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.ops], [atomics.types.operations] store
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("store replaces the value: every type, scope and order") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    for (int i = 0; i < samples; ++i) {
      a.store(sample<T>(i + 1));
      CHECK_SAME(a.load(), sample<T>(i + 1));
      for_each_store_order([&](memory_order order) {
        a.store(sample<T>(i), memory_order_relaxed);
        a.store(sample<T>(i + 1), order);
        CHECK_SAME(a.load(), sample<T>(i + 1));
      });
    }
  });
}

TEST("store does not change the bytes around the object") {
  for_each_type_shared_or_not(machine_integers(), [&]<class T, thread_scope S>() {
    struct row {
      alignas(16) T at[16 / sizeof(T)];
    };
    auto& objects = make<row>(test_);
    for (int i = 0; i < int(16 / sizeof(T)); ++i)
      for_each_store_order([&](memory_order order) {
        row wanted;
        __builtin_memset(&wanted, 0xa5, sizeof(row));
        __builtin_memset(&objects, 0xa5, sizeof(row));
        wanted.at[i] = sample<T>(2);
        atomic_ref<T, S>(objects.at[i]).store(sample<T>(2), order);
        CHECK_SAME(objects, wanted);
      });
  });
}

/// Every thread has its own object, adjacent to those of other threads.
template <class T, thread_scope Scope> struct own_objects {
  static constexpr thread_scope scope = Scope;
  T at[1024] = {};

  void run(worker me, context& test_) {
    atomic_ref<T, Scope> const mine(at[me.rank]);
    for (unsigned i = 0; i < 100 * repeats(me.size); ++i) {
      mine.store(T(me.rank + i), i % 2 ? memory_order_relaxed : memory_order_release);
      CHECK_EQUAL(mine.load(memory_order_relaxed), T(me.rank + i));
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < 1024; ++i) CHECK_EQUAL(at[i], i < threads ? T(i + 100 * repeats(threads) - 1) : T(0));
  }
};
CONCURRENT_TEST("stores to adjacent objects do not affect each other: 8 bits, block",
                own_objects<unsigned char, thread_scope_block>)
CONCURRENT_TEST("stores to adjacent objects do not affect each other: 16 bits, block",
                own_objects<short, thread_scope_block>)
CONCURRENT_TEST("stores to adjacent objects do not affect each other: 8 bits, device",
                own_objects<signed char, thread_scope_device>)
CONCURRENT_TEST("stores to adjacent objects do not affect each other: 16 bits, cluster",
                own_objects<short, thread_scope_cluster>)
CONCURRENT_TEST("stores to adjacent objects do not affect each other: 8 bits, system",
                own_objects<char, thread_scope_system>)

TESTS_END
