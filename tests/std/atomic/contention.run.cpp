// SPDX-License-Identifier: Apache-2.0
//
// Order among threads that contend for one object, where one lane of a warp operates for others: read-modify-writes
// that are loops on compare_exchange (modules/machine/loop.cppm).  [atomics.order]
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct exchange_key {
  template <class A, class T> static T apply(A a, T operand, memory_order order) { return a.exchange(operand, order); }
};
struct named_fetch_max_key {
  template <class A, class T> static T apply(A a, T operand, memory_order order) { return a.fetch_max(operand, order); }
};
struct fetch_fmaximum_key {
  template <class A, class T> static T apply(A a, T operand, memory_order order) {
    return a.fetch_fmaximum(operand, order);
  }
};

inline constexpr unsigned most_contenders = 1024; // in any placement
inline constexpr unsigned members = 64;           // threads that share an object, so that one byte can name them
inline constexpr unsigned teams = most_contenders / members;

/// Every thread writes a plain word, and then a number that names the thread to the object of its team. The number that
/// was there before names another thread, whose plain word is visible. The objects are adjacent.
template <class Key, class T, thread_scope Scope, memory_order Order> struct named_before {
  static constexpr thread_scope scope = Scope;
  unsigned written[most_contenders] = {};
  alignas(16) T objects[teams];

  named_before() {
    for (T& each : objects) each = number<T>(0);
  }
  void run(worker me, context& test_) {
    unsigned const team = me.rank / members, own = me.rank % members;
    written[me.rank] = 10 + own;
    T const before = Key::apply(atomic_ref<T, Scope>(objects[team]), number<T>(int(1 + own)), Order);
    if (before != number<T>(0)) {
      unsigned const other = unsigned(int(float(before))) - 1;
      CHECK_EQUAL(written[team * members + other], 10 + other);
    }
  }
  void verify(unsigned, context&) {}
};
CONCURRENT_TEST("the value before an exchange is that of a thread whose writes are visible: 8 bits, block",
                named_before<exchange_key, unsigned char, thread_scope_block, memory_order_acq_rel>)
CONCURRENT_TEST("the value before an exchange is that of a thread whose writes are visible: 8 bits, device",
                named_before<exchange_key, unsigned char, thread_scope_device, memory_order_seq_cst>)
CONCURRENT_TEST("the value before an exchange is that of a thread whose writes are visible: 16 bits, system",
                named_before<exchange_key, short, thread_scope_system, memory_order_acq_rel>)
CONCURRENT_TEST("the value before fetch_max is that of a thread whose writes are visible: 8 bits, device",
                named_before<named_fetch_max_key, signed char, thread_scope_device, memory_order_acq_rel>)
CONCURRENT_TEST("the value before fetch_max is that of a thread whose writes are visible: 16 bits, cluster",
                named_before<named_fetch_max_key, unsigned short, thread_scope_cluster, memory_order_seq_cst>)
CONCURRENT_TEST("the value before fetch_max is that of a thread whose writes are visible: _Float16, block",
                named_before<named_fetch_max_key, _Float16, thread_scope_block, memory_order_acq_rel>)
CONCURRENT_TEST("the value before fetch_fmaximum is that of a thread whose writes are visible: float, device",
                named_before<fetch_fmaximum_key, float, thread_scope_device, memory_order_acq_rel>)
CONCURRENT_TEST("the value before fetch_fmaximum is that of a thread whose writes are visible: double, system",
                named_before<fetch_fmaximum_key, double, thread_scope_system, memory_order_seq_cst>)

/// Every thread writes a plain word and then adds 1 to the counter of its team. The last one of the team reads the
/// words of all.
template <class T, thread_scope Scope, memory_order Order> struct last_arrival {
  static constexpr thread_scope scope = Scope;
  unsigned written[most_contenders] = {};
  alignas(16) T counters[teams] = {};

  void run(worker me, context& test_) {
    unsigned const team = me.rank / members, first = team * members;
    unsigned const end = first + members < me.size ? first + members : me.size;
    written[me.rank] = 10 + me.rank;
    if (unsigned(atomic_ref<T, Scope>(counters[team]).fetch_add(1, Order)) + 1 < end - first) return;
    for (unsigned rank = first; rank < end; ++rank) CHECK_EQUAL(written[rank], 10 + rank);
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned team = 0; team < teams; ++team) {
      unsigned const left = team * members < threads ? threads - team * members : 0;
      CHECK_EQUAL(unsigned(counters[team]), left < members ? left : members);
    }
  }
};
CONCURRENT_TEST("the last of several additions observes the writes before the others: 8 bits, block",
                last_arrival<unsigned char, thread_scope_block, memory_order_acq_rel>)
CONCURRENT_TEST("the last of several additions observes the writes before the others: 8 bits, device",
                last_arrival<signed char, thread_scope_device, memory_order_acq_rel>)
CONCURRENT_TEST("the last of several additions observes the writes before the others: 16 bits, device",
                last_arrival<unsigned short, thread_scope_device, memory_order_seq_cst>)
CONCURRENT_TEST("the last of several additions observes the writes before the others: 16 bits, system",
                last_arrival<short, thread_scope_system, memory_order_acq_rel>)

TESTS_END
