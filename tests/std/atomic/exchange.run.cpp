// SPDX-License-Identifier: Apache-2.0
//
// [atomics.ref.ops], [atomics.types.operations] exchange
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("exchange replaces the value and returns the old one: every type, scope and order") {
  for_each_type_and_scope(values(), [&]<class T, thread_scope S>() {
    auto& a = make<atomic<T, S>>(test_, sample<T>(0));
    for (int i = 0; i < samples; ++i) {
      a.store(sample<T>(i));
      CHECK_SAME(a.exchange(sample<T>(i + 1)), sample<T>(i));
      CHECK_SAME(a.load(), sample<T>(i + 1));
      for_each_order([&](memory_order order) {
        a.store(sample<T>(i));
        CHECK_SAME(a.exchange(sample<T>(i + 1), order), sample<T>(i));
        CHECK_SAME(a.load(), sample<T>(i + 1));
      });
    }
  });
}

TEST("exchange does not change the bytes around the object") {
  for_each_type_shared_or_not(machine_integers(), [&]<class T, thread_scope S>() {
    struct row {
      alignas(16) T at[16 / sizeof(T)];
    };
    auto& objects = make<row>(test_);
    for (int i = 0; i < int(16 / sizeof(T)); ++i) {
      row wanted;
      __builtin_memset(&wanted, 0xa5, sizeof(row));
      __builtin_memset(&objects, 0xa5, sizeof(row));
      wanted.at[i] = sample<T>(2);
      objects.at[i] = sample<T>(1);
      CHECK_SAME((atomic_ref<T, S>(objects.at[i]).exchange(sample<T>(2))), sample<T>(1));
      CHECK_SAME(objects, wanted);
    }
  });
}

/// Every thread exchanges tickets in and out. No ticket is lost, so no ticket comes out twice.
template <class T, thread_scope Scope> struct tickets {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned rounds = sizeof(T) == 1 ? 1 : 8;
  static constexpr unsigned limit = sizeof(T) == 1 ? 256 : 8192; // every ticket is less than this
  atomic<T, Scope> slot{T(0)};
  char taken[limit] = {};

  void run(worker me, context&) {
    for (unsigned i = 0; i < rounds; ++i) {
      unsigned const ticket = 1 + me.rank * rounds + i;
      if (ticket < limit) taken[bits<T>(slot.exchange(T(ticket), memory_order_relaxed))] = 1;
    }
  }
  void verify(unsigned threads, context& test_) {
    taken[bits<T>(slot.load())] += 2;
    for (unsigned ticket = 0; ticket < limit; ++ticket)
      CHECK_EQUAL(taken[ticket] == 1 || taken[ticket] == 2, ticket <= threads * rounds);
  }
};
CONCURRENT_TEST("exchange returns every ticket exactly once: 8 bits, block", tickets<unsigned char, thread_scope_block>)
CONCURRENT_TEST("exchange returns every ticket exactly once: 16 bits, block", tickets<short, thread_scope_block>)
CONCURRENT_TEST("exchange returns every ticket exactly once: 32 bits, block", tickets<unsigned, thread_scope_block>)
CONCURRENT_TEST("exchange returns every ticket exactly once: 8 bits, device", tickets<signed char, thread_scope_device>)
CONCURRENT_TEST("exchange returns every ticket exactly once: 64 bits, cluster",
                tickets<unsigned long long, thread_scope_cluster>)
CONCURRENT_TEST("exchange returns every ticket exactly once: 16 bits, system",
                tickets<unsigned short, thread_scope_system>)
CONCURRENT_TEST("exchange returns every ticket exactly once: 32 bits, system", tickets<int, thread_scope_system>)

TESTS_END
