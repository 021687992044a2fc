// SPDX-License-Identifier: Apache-2.0
//
// [thread.once] once_flag, call_once
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

#include <functional>
#include <memory>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("only the first call_once calls the function, with its arguments") {
  for_each_scope([&]<thread_scope S>() {
    auto& flag = make<basic_once_flag<S>>(test_);
    for (int round = 0; round < 3; ++round) {
      int sum = 0;
      call_once(flag, [&](int a, int b) { sum += a + b; }, 3, 4);
      call_once(flag, [&] { sum = -1; });
      CHECK_EQUAL(sum, 7);
      init(&flag);
    }
  });
}

struct called_counter {
  int count = 0;
  void add(int n) { count += n; }
};
struct move_only_argument {
  int value;
  explicit move_only_argument(int v) : value(v) {}
  move_only_argument(move_only_argument&&) = default;
};
TEST("call_once accepts any invocable and forwards its arguments") {
  called_counter c;
  auto& flag = make<once_flag>(test_);
  call_once(flag, &called_counter::add, c, 1);
  init(&flag);
  call_once(flag, &called_counter::add, &c, 10);
  init(&flag);
  call_once(flag, &called_counter::count, c);
  CHECK_EQUAL(c.count, 11);
  init(&flag);
  int seen = 0;
  call_once(flag, [&](move_only_argument&& m, int& out) { out = m.value; }, move_only_argument(5), seen);
  CHECK_EQUAL(seen, 5);
  init(&flag);
  struct {
    int* at;
    int operator()(int n) && { return *at = n; } // call_once ignores a result
  } f{&seen};
  call_once(flag, static_cast<decltype(f)&&>(f), 6);
  CHECK_EQUAL(seen, 6);
}

/// All threads call at once, flag after flag. One of them executes, and all see what it has written.
template <thread_scope Scope, thread_scope Named = Scope> struct contention {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most = 400;
  struct item {
    basic_once_flag<Named> flag;
    unsigned data[3];
    unsigned calls;
  };
  item of[most];

  static unsigned used(unsigned threads) { return threads <= 8 ? most : 24; }

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < used(me.size); ++i) {
      item& it = of[i];
      call_once(
          it.flag,
          [&](unsigned number) {
            dawdle(number);
            for (unsigned k = 0; k < 3; ++k) it.data[k] = 10 * number + k;
            ++it.calls;
          },
          i);
      for (unsigned k = 0; k < 3; ++k) CHECK_EQUAL(it.data[k], 10 * i + k);
      CHECK_EQUAL(it.calls, 1u);
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < used(threads); ++i) CHECK_EQUAL(of[i].calls, 1u);
  }
};
CONCURRENT_TEST("one thread executes, and all other threads see its effects: block", contention<thread_scope_block>)
CONCURRENT_TEST("one thread executes, and all other threads see its effects: cluster", contention<thread_scope_cluster>)
CONCURRENT_TEST("one thread executes, and all other threads see its effects: device", contention<thread_scope_device>)
CONCURRENT_TEST("one thread executes, and all other threads see its effects: system", contention<thread_scope_system>)
CONCURRENT_TEST("one thread executes, and all other threads see its effects: thread scope means the block",
                contention<thread_scope_block, thread_scope_thread>)

/// No call returns before the execution has ended.
template <thread_scope Scope> struct slow {
  static constexpr thread_scope scope = Scope;
  basic_once_flag<Scope> flag;
  unsigned done;

  void run(worker, context& test_) {
    call_once(flag, [this] {
      linger();
      done = 17;
    });
    CHECK_EQUAL(done, 17u);
  }
  void verify(unsigned, context& test_) { CHECK_EQUAL(done, 17u); }
};
CONCURRENT_TEST("no call returns before the execution has ended: block", slow<thread_scope_block>)
CONCURRENT_TEST("no call returns before the execution has ended: cluster", slow<thread_scope_cluster>)
CONCURRENT_TEST("no call returns before the execution has ended: device", slow<thread_scope_device>)
CONCURRENT_TEST("no call returns before the execution has ended: system", slow<thread_scope_system>)

/// Executions that throw. Devices have no exceptions, so every second thread modifies the flag's word as such an
/// execution does. Between a call's check of the word and its own execution, others may execute; the call sees what
/// they wrote.
template <thread_scope Scope> struct unfinished {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most = 400;
  struct item {
    basic_once_flag<Scope> flag;
    unsigned attempts;
  };
  item of[most];

  static unsigned used(unsigned threads) { return threads <= 8 ? most : 12; }

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < used(me.size); ++i) {
      item& it = of[i];
      if (me.rank % 2) {
        call_once(it.flag, [&] { it.attempts += 1000; });
        CHECK(it.attempts >= 1000 && it.attempts < 1000 + me.size);
      } else {
        atomic_ref<unsigned, Scope> state(*reinterpret_cast<unsigned*>(&it.flag));
        unsigned not_called = 0;
        if (state.compare_exchange_strong(not_called, 1, memory_order_acquire, memory_order_relaxed)) {
          ++it.attempts;
          state.store(0, memory_order_release);
        }
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < used(threads); ++i) CHECK(of[i].attempts >= 1000 && of[i].attempts <= 1000 + threads / 2);
  }
};
CONCURRENT_TEST("an execution sees the effects of earlier ones that threw: block", unfinished<thread_scope_block>)
CONCURRENT_TEST("an execution sees the effects of earlier ones that threw: cluster", unfinished<thread_scope_cluster>)
CONCURRENT_TEST("an execution sees the effects of earlier ones that threw: device", unfinished<thread_scope_device>)
CONCURRENT_TEST("an execution sees the effects of earlier ones that threw: system", unfinished<thread_scope_system>)

TESTS_END

HOST_TEST("call_once accepts a reference_wrapper") {
  called_counter c;
  once_flag flag{};
  call_once(flag, &called_counter::add, std::ref(c), 3);
  CHECK_EQUAL(c.count, 3);
}

#if defined(__cpp_exceptions)
HOST_TEST("after an execution throws, the caller gets the exception and the next call executes") {
  once_flag flag{};
  int calls = 0;
  for (int round = 1; round <= 3; ++round) {
    int caught = 0;
    try {
      call_once(flag, [&] { throw ++calls; });
    } catch (int number) {
      caught = number;
    }
    CHECK_EQUAL(caught, round);
  }
  call_once(flag, [&] { ++calls; });
  call_once(flag, [&] { ++calls; });
  CHECK_EQUAL(calls, 4);
}

/// Several threads, most of whose executions throw. They run one at a time, each sees what the previous one wrote,
/// until one returns.
struct throwing_threads {
  static constexpr unsigned rounds = 300;
  struct item {
    once_flag flag{};
    unsigned attempts = 0;
    unsigned caught[host_threads] = {};
  };
  item of[rounds];
  context* test;

  static void body(void* context, unsigned rank) {
    auto& self = *static_cast<throwing_threads*>(context);
    auto& test_ = *self.test;
    for (item& it : self.of) {
      bool returned = false;
      while (!returned) {
        try {
          call_once(it.flag, [&] {
            if (++it.attempts < 6) throw rank;
          });
          returned = true;
        } catch (unsigned thrown) {
          CHECK_EQUAL(thrown, rank);
          ++it.caught[rank];
        }
      }
      CHECK_EQUAL(it.attempts, 6u);
    }
  }
};
HOST_TEST("after an execution throws, a waiting thread executes next") {
  auto all = std::make_unique<throwing_threads>();
  all->test = &test_;
  run_host_threads(host_threads, throwing_threads::body, all.get());
  for (auto const& it : all->of) {
    unsigned caught = 0;
    for (unsigned each : it.caught) caught += each;
    CHECK_EQUAL(caught, 5u);
  }
}
#endif
