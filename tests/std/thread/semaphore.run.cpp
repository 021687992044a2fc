// SPDX-License-Identifier: Apache-2.0
//
// [thread.sema] counting_semaphore, binary_semaphore
#include "support/test.hpp"
import cudax.sync;
#include "semaphores.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

template <thread_scope S> using counting = counting_semaphore<S>;
template <thread_scope S> using large = counting_semaphore<S, 0x1'0000'0000>;
template <thread_scope S> using binary = binary_semaphore<S>;

static_assert(counting_semaphore<>::max() >= 0x7fff'ffff);
static_assert(counting_semaphore<thread_scope_block, 100>::max() >= 100);
static_assert(large<thread_scope_block>::max() >= 0x1'0000'0000);
static_assert(binary_semaphore<>::max() == 1);

TEST("a semaphore grants as many acquires as were released") {
  for_each_scope([&]<thread_scope S>() {
    counts_permits<counting<S>>(test_, 5);
    counts_permits<large<S>>(test_, 5);
    counts_permits<counting_semaphore<S, 2>>(test_, 2);
    counts_permits<binary<S>>(test_, 1);
    counts_permits<counting_semaphore<S, 0>>(test_, 1);
  });
}

TEST("a semaphore counts up to max()") {
  auto& s = make<counting<thread_scope_device>>(test_, 0);
  s.release(s.max());
  s.acquire();
  s.release();
  init(&s, s.max());
  CHECK(s.try_acquire());
  auto& l = make<large<thread_scope_device>>(test_, 0);
  l.release(l.max());
  for (int i = 0; i < 3; ++i) CHECK(l.try_acquire());
}

TEST("timed acquires time out, immediately if no time is left") {
  gives_up_acquiring<counting<thread_scope_system>>(test_);
  gives_up_acquiring<binary<thread_scope_block>>(test_);
}

template <thread_scope S> using counting_lock = exclusion<as_lock<counting<S>, S>>;
CONCURRENT_TEST("a counting semaphore of 1 admits one thread at a time: block", counting_lock<thread_scope_block>)
CONCURRENT_TEST("a counting semaphore of 1 admits one thread at a time: cluster", counting_lock<thread_scope_cluster>)
CONCURRENT_TEST("a counting semaphore of 1 admits one thread at a time: device", counting_lock<thread_scope_device>)
CONCURRENT_TEST("a counting semaphore of 1 admits one thread at a time: system", counting_lock<thread_scope_system>)

template <thread_scope S> using binary_lock = exclusion<as_lock<binary<S>, S>>;
CONCURRENT_TEST("a binary semaphore admits one thread at a time: block", binary_lock<thread_scope_block>)
CONCURRENT_TEST("a binary semaphore admits one thread at a time: cluster", binary_lock<thread_scope_cluster>)
CONCURRENT_TEST("a binary semaphore admits one thread at a time: device", binary_lock<thread_scope_device>)
CONCURRENT_TEST("a binary semaphore admits one thread at a time: system", binary_lock<thread_scope_system>)

CONCURRENT_TEST("writes before a release are visible after the acquire: counting: block",
                passing<counting<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("writes before a release are visible after the acquire: counting: cluster",
                passing<counting<thread_scope_cluster>, thread_scope_cluster>)
CONCURRENT_TEST("writes before a release are visible after the acquire: counting: device",
                passing<counting<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("writes before a release are visible after the acquire: counting: system",
                passing<counting<thread_scope_system>, thread_scope_system>)

CONCURRENT_TEST("writes before a release are visible after the acquire: binary: block",
                passing<binary<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("writes before a release are visible after the acquire: binary: cluster",
                passing<binary<thread_scope_cluster>, thread_scope_cluster>)
CONCURRENT_TEST("writes before a release are visible after the acquire: binary: device",
                passing<binary<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("writes before a release are visible after the acquire: binary: system",
                passing<binary<thread_scope_system>, thread_scope_system>)

CONCURRENT_TEST("one release wakes all waiters: block",
                release_of_all<counting<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("one release wakes all waiters: cluster",
                release_of_all<counting<thread_scope_cluster>, thread_scope_cluster>)
CONCURRENT_TEST("one release wakes all waiters: device",
                release_of_all<counting<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("one release wakes all waiters: system",
                release_of_all<counting<thread_scope_system>, thread_scope_system>)

CONCURRENT_TEST("no more threads than the count are inside: block",
                bounded_entry<large<thread_scope_block>, thread_scope_block, 3>)
CONCURRENT_TEST("no more threads than the count are inside: cluster",
                bounded_entry<large<thread_scope_cluster>, thread_scope_cluster, 3>)
CONCURRENT_TEST("no more threads than the count are inside: device",
                bounded_entry<large<thread_scope_device>, thread_scope_device, 3>)
CONCURRENT_TEST("no more threads than the count are inside: system",
                bounded_entry<large<thread_scope_system>, thread_scope_system, 3>)

// Thread scope is treated as block scope.
CONCURRENT_TEST("a counting semaphore of 1 admits one thread at a time: thread",
                exclusion<as_lock<counting<thread_scope_thread>, thread_scope_block>>)
CONCURRENT_TEST("a binary semaphore admits one thread at a time: thread",
                exclusion<as_lock<binary<thread_scope_thread>, thread_scope_block>>)
CONCURRENT_TEST("writes before a release are visible after the acquire: counting: thread",
                passing<counting<thread_scope_thread>, thread_scope_block>)
CONCURRENT_TEST("writes before a release are visible after the acquire: binary: thread",
                passing<binary<thread_scope_thread>, thread_scope_block>)

TESTS_END
