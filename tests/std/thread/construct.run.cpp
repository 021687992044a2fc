// SPDX-License-Identifier: Apache-2.0
//
// [thread.mutex.class], [thread.sharedmutex.class], [thread.condition.condvarany], [thread.once.onceflag] Construction
// without an initializer, over bytes that are not zero; init.
#include "support/test.hpp"
import cudax.sync;
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

constexpr bool initializes(thread_scope scope) { return scope == thread_scope_system || scope == thread_scope_device; }

/// Checks that no thread holds a mutex.
template <class M> void check_new(context& test_, M& m) {
  CHECK(m.try_lock());
  CHECK(!m.try_lock());
  m.unlock();
  m.lock();
  m.unlock();
}
template <thread_scope S> void check_new(context& test_, basic_once_flag<S>& flag) {
  int calls = 0;
  call_once(flag, [&] { ++calls; });
  call_once(flag, [&] { ++calls; });
  CHECK_EQUAL(calls, 1);
}
template <thread_scope S> void check_new(context& test_, condition_variable_any<S>& changed) {
  mutex<S> m{};
  unique_lock lock(m);
  changed.notify_all();
  CHECK(changed.wait_for(lock, nanoseconds(0)) == cv_status::timeout);
}
template <thread_scope S> void check_new(context& test_, stop_state<S>& state) {
  CHECK(!stop_source(state).stop_requested());
  int calls = 0;
  {
    auto const count = [&calls] { ++calls; };
    stop_callback const callback(stop_source(state).get_token(), count);
    CHECK(stop_source(state).request_stop());
    CHECK(!stop_source(state).request_stop());
  }
  CHECK(stop_source(state).stop_requested());
}
/// Checks that a semaphore has `count` permits.
template <class S> void check_new_semaphore(context& test_, S& s, int count) {
  for (int i = 0; i < count; ++i) CHECK(s.try_acquire());
  CHECK(!s.try_acquire());
  s.release();
  CHECK(s.try_acquire());
}

template <class Object> void works(context& test_, thread_scope scope) {
  if (initializes(scope)) {
    check_new(test_, make_bare<Object>(test_));
  } else {
    auto& with_braces = make<Object>(test_);
    check_new(test_, with_braces);
  }
  auto& by_init = make_bare<Object>(test_);
  init(&by_init);
  check_new(test_, by_init);
}
TEST("locks, flags, condition variables and stop states: without an initializer at system and device scope; by init") {
  for_each_scope([&]<thread_scope S>() {
    works<mutex<S>>(test_, S);
    works<ticket_mutex<S>>(test_, S);
    works<shared_mutex<S>>(test_, S);
    works<basic_once_flag<S>>(test_, S);
    works<condition_variable_any<S>>(test_, S);
    works<stop_state<S>>(test_, S);
  });
}

template <class Semaphore> void has_permits(context& test_, thread_scope scope) {
  if (initializes(scope)) check_new_semaphore(test_, make_bare<Semaphore>(test_), 0);
  auto& by_init = make_bare<Semaphore>(test_);
  init(&by_init, 1);
  check_new_semaphore(test_, by_init, 1);
}
TEST("a semaphore without an initializer has no permit at system and device scope; init gives it its count") {
  for_each_scope([&]<thread_scope S>() {
    has_permits<counting_semaphore<S>>(test_, S);
    has_permits<binary_semaphore<S>>(test_, S);
    has_permits<counting_semaphore<S, 0x1'0000'0000>>(test_, S);
    has_permits<fair_semaphore<S>>(test_, S);
  });
}

TEST("automatic objects need no initializer at system scope") {
  mutex<> m;
  {
    lock_guard const guard(m);
    CHECK(!m.try_lock());
  }
  once_flag once;
  check_new(test_, once);
  atomic<int> a;
  CHECK_EQUAL(a.load(), 0);
  atomic_flag flag;
  CHECK(!flag.test_and_set());
}

TESTS_END
