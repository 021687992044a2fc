// SPDX-License-Identifier: Apache-2.0
//
// [atomics.types.operations] store
#include "support/test.hpp"
import cudax.sync;

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("store replaces the value") {
  auto& a = make<atomic<int>>(test_, 1);
  a.store(2);
  CHECK_EQUAL(a.load(), 2);
}

template <thread_scope Scope>
struct increments {
  static constexpr thread_scope scope = Scope;
  atomic<unsigned, scope> count;
  void run(worker, context&) { count.fetch_add(1); }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(count.load(), threads); }
};
CONCURRENT_TEST("every increment counts, block", increments<thread_scope_block>)
CONCURRENT_TEST("every increment counts, device", increments<thread_scope_device>)
CONCURRENT_TEST("every increment counts, system", increments<thread_scope_system>)

TESTS_END
