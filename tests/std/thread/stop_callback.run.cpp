// SPDX-License-Identifier: Apache-2.0
//
// [stopcallback] stop_callback
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"

#include <functional>
#include <memory>
#include <optional>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("a callback made after a request runs once, in its constructor") {
  auto& state = make<stop_state<>>(test_);
  stop_source source(state);
  source.request_stop();
  int calls = 0;
  {
    stop_callback c(source.get_token(), [&] { ++calls; });
    CHECK_EQUAL(calls, 1);
    CHECK(c.poll());
    source.request_stop();
  }
  CHECK_EQUAL(calls, 1);
}

TEST("a callback runs once, before its destructor returns, if stop is requested during its lifetime") {
  auto& state = make<stop_state<>>(test_);
  stop_source source(state);
  int calls = 0;
  {
    stop_callback c(source.get_token(), [&] { ++calls; });
    CHECK(!c.poll());
    CHECK_EQUAL(calls, 0);
    CHECK(source.request_stop());
    CHECK(c.poll());
    CHECK_EQUAL(calls, 1);
    CHECK(c.poll());
    CHECK(!source.request_stop());
    CHECK_EQUAL(calls, 1);
  }
  CHECK_EQUAL(calls, 1);
  init(&state);
  {
    stop_callback c(source.get_token(), [&] { ++calls; });
    source.request_stop();
  }
  CHECK_EQUAL(calls, 2);
}

TEST("a callback does not run if stop is requested after its lifetime, never, or is not possible") {
  auto& state = make<stop_state<>>(test_);
  stop_source source(state);
  int calls = 0;
  {
    stop_callback c(source.get_token(), [&] { ++calls; });
  }
  {
    stop_callback c(stop_token<>(), [&] { ++calls; });
    CHECK(!c.poll());
  }
  CHECK(source.request_stop());
  CHECK_EQUAL(calls, 0);
}

struct of_reference {
  int* at;
  explicit of_reference(int& n) noexcept : at(&n) {}
  of_reference(of_reference&&) = delete;
  void operator()() && { ++*at; }
};
TEST("a callback is constructed from its initializer and called as an rvalue") {
  auto& state = make<stop_state<>>(test_);
  stop_source(state).request_stop();
  int calls = 0;
  { stop_callback<of_reference> c(stop_token(stop_source(state).get_token()), calls); }
  CHECK_EQUAL(calls, 1);
  auto f = [&] { ++calls; };
  { stop_callback<decltype(f)&> c(stop_source(state).get_token(), f); }
  CHECK_EQUAL(calls, 2);
}

/// Each thread has a callback in each round; one thread, on either side, requests. A thread that polls never misses the
/// request. On the host, a callback's lifetime may end before the requesting thread reaches it, and then it does not
/// run.
template <thread_scope Scope> struct calling {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most = 100;
  struct item {
    stop_state<Scope> state;
    unsigned message;
    atomic<unsigned, Scope> ready;
    atomic<unsigned, Scope> calls;
    atomic<unsigned, Scope> counted;
  };
  item of[most];

  static unsigned used(unsigned threads) { return threads <= 8 ? most : 8; }

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < used(me.size); ++i) {
      item& it = of[i];
      stop_source source(it.state);
      atomic<unsigned, Scope> mine{}; // may be called by another thread of this side
      bool const requests = me.rank == i * 13 % me.size, polls = me.rank % 2;
      {
        stop_callback c(source.get_token(), [&] {
          CHECK_EQUAL(it.message, i + 1);
          mine.fetch_add(1);
          it.calls.fetch_add(1, memory_order_relaxed);
        });
        it.ready.fetch_add(1, memory_order_relaxed);
        if (requests) {
          AWAIT(it.ready.load(memory_order_relaxed) == me.size);
          it.message = i + 1;
          CHECK(source.request_stop());
        } else if (polls) {
          AWAIT(c.poll());
        } else {
          AWAIT(source.stop_requested());
        }
      }
      if (requests || polls || in_device_code) CHECK_EQUAL(mine.load(), 1u);
      else CHECK(mine.load() <= 1);
      it.counted.fetch_add(mine.load(), memory_order_relaxed);
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < used(threads); ++i) {
      CHECK_EQUAL(of[i].calls.load(), of[i].counted.load());
      CHECK(of[i].calls.load() >= threads / 2);
    }
  }
};
CONCURRENT_TEST("callbacks that exist at the request run once: block", calling<thread_scope_block>)
CONCURRENT_TEST("callbacks that exist at the request run once: cluster", calling<thread_scope_cluster>)
CONCURRENT_TEST("callbacks that exist at the request run once: device", calling<thread_scope_device>)
CONCURRENT_TEST("callbacks that exist at the request run once: system", calling<thread_scope_system>)

/// Every thread has a callback, and requests when all threads have theirs. If the first requester is a host thread, its
/// request has called all callbacks of the host; if it is a device thread, its own callback runs when it polls.
/// Callbacks live until the first requester has checked that.
template <thread_scope Scope> struct first_requests {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most = 100, most_called = 9600;
  enum : unsigned { by_device = 1, by_host = 2 };
  struct item {
    stop_state<Scope> state;
    atomic<unsigned, Scope> ready, checked;
    atomic<unsigned, Scope> of_host; // number of host callbacks
  };
  item of[most];
  unsigned called[most_called]; // plain: the first requester reads it

  static unsigned used(unsigned threads) { return threads <= 8 ? most : 8; }

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < used(me.size); ++i) {
      item& it = of[i];
      stop_source source(it.state);
      unsigned* const calls = called + i * me.size;
      stop_callback c(source.get_token(), [&] { calls[me.rank] += in_device_code ? by_device : by_host; });
      if (!in_device_code) it.of_host.fetch_add(1, memory_order_relaxed);
      it.ready.fetch_add(1);
      AWAIT(it.ready.load() == me.size);
      dawdle(me.rank + i);
      if (source.request_stop()) {
        if constexpr (in_device_code) {
          CHECK(c.poll());
          CHECK_EQUAL(calls[me.rank], unsigned(by_device));
        } else {
          unsigned all = 0;
          for (unsigned k = 0; k < me.size; ++k) all += calls[k] == by_host;
          CHECK_EQUAL(all, it.of_host.load(memory_order_relaxed));
        }
        it.checked.store(1);
      } else {
        AWAIT(it.checked.load() == 1);
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < used(threads); ++i) CHECK_EQUAL(of[i].checked.load(), 1u);
  }
};
CONCURRENT_TEST("the first request returns after the callbacks were called: block", first_requests<thread_scope_block>)
CONCURRENT_TEST("the first request returns after the callbacks were called: cluster",
                first_requests<thread_scope_cluster>)
CONCURRENT_TEST("the first request returns after the callbacks were called: device",
                first_requests<thread_scope_device>)
CONCURRENT_TEST("the first request returns after the callbacks were called: system",
                first_requests<thread_scope_system>)

TESTS_END

HOST_TEST("callbacks run in the requesting thread, before request_stop returns") {
  stop_state<> state{};
  stop_source source(state);
  int order = 0, a = 0, b = 0;
  stop_callback first(source.get_token(), [&] { a = ++order; });
  stop_callback second(source.get_token(), [&] { b = ++order; });
  {
    stop_callback gone(source.get_token(), [&] { order = 100; });
  }
  CHECK(source.request_stop());
  CHECK_EQUAL(order, 2);
  CHECK(a != b);
}

HOST_TEST("a callback may destroy itself and others, and request again") {
  stop_state<> state{};
  stop_source source(state);
  int calls = 0;
  std::optional<stop_callback<std::function<void()>>> self, other, third;
  auto const make = [&](auto& holder, auto& to_end) {
    holder.emplace(source.get_token(), [&] {
      ++calls;
      CHECK(!source.request_stop());
      self.reset();
      to_end.reset();
    });
  };
  make(self, other);
  make(other, self);
  third.emplace(source.get_token(), [&] { third.reset(), ++calls; });
  CHECK(source.request_stop());
  CHECK_EQUAL(calls, 2); // of the first two, one runs and destroys the other
  CHECK(!third);
}

/// Two threads request, round after round. Each has a callback, and the first request calls both before it returns.
struct two_requests {
  static constexpr unsigned rounds = 20'000;
  struct item {
    stop_state<> state{};
    atomic<unsigned> ready{0u}, ended{0u};
    unsigned missing = 0; // written by the first requester
    unsigned calls = 0;   // plain, as a program's callbacks would use it
  };
  std::unique_ptr<item[]> of{new item[rounds]};

  static void body(void* context, unsigned rank) {
    for (unsigned i = 0; i < rounds; ++i) {
      item& it = static_cast<two_requests*>(context)->of[i];
      stop_source source(it.state);
      stop_callback c(source.get_token(), [&] { ++it.calls; });
      it.ready.fetch_add(1);
      while (it.ready.load() < 2) {
        if (i % 16 == 0) host_yield();
      }
      dawdle(i + rank);
      if (source.request_stop()) it.missing = 2 - it.calls;
      it.ended.fetch_add(1);
      while (it.ended.load() < 2) host_yield();
    }
  }
};
HOST_TEST("the first of two requests has called every callback when it returns") {
  two_requests all;
  run_host_threads(2, two_requests::body, &all);
  unsigned missing = 0;
  for (unsigned i = 0; i < two_requests::rounds; ++i) missing += all.of[i].missing;
  CHECK_EQUAL(missing, 0u);
}

/// One callback blocks the requesting thread until the other callback runs in a polling thread. The latter takes long,
/// or so short a time that the requesting thread does not sleep: a wake-up would order the call and the return, too.
HOST_TEST("the first request waits for a callback that another thread polls") {
  struct polling {
    stop_state<> state{};
    atomic<bool> is_made{false}, runs{false}, has_returned{false};
    bool returned_early = false;
    int yields = 0;
    bool ended = false, has_seen_end = false; // plain: the call happens before the return

    static void body(void* context, unsigned rank) {
      auto& me = *static_cast<polling*>(context);
      stop_source source(me.state);
      if (rank == 0) {
        me.is_made.wait(false);
        stop_callback blocks(source.get_token(), [&] { me.runs.wait(false); }); // made later, called earlier
        source.request_stop();
        me.has_seen_end = me.ended;
        me.has_returned.store(true);
      } else {
        stop_callback polled(source.get_token(), [&] {
          me.runs.store(true);
          me.runs.notify_all();
          for (int i = 0; i < me.yields; ++i) host_yield();
          me.returned_early = me.has_returned.load();
          me.ended = true;
        });
        me.is_made.store(true);
        me.is_made.notify_all();
        while (!polled.poll()) host_yield();
      }
    }
  };
  for (int const yields : {1000, 0, 1, 2, 3, 4, 5, 6, 7, 8}) {
    polling all{.yields = yields};
    run_host_threads(2, polling::body, &all);
    CHECK(!all.returned_early);
    CHECK(all.has_seen_end);
    CHECK(all.has_returned.load());
  }
}

/// Callbacks are destroyed while another thread requests: the destructor waits for a running callback.
struct ending {
  static constexpr unsigned rounds = 1000;
  struct item {
    stop_state<thread_scope_device> state{};
    atomic<unsigned> arrived{0u};
    atomic<unsigned> calls{0u};
    unsigned wrong = 0;
  };
  std::unique_ptr<item[]> of{new item[rounds]};

  static void body(void* context, unsigned rank) {
    for (unsigned i = 0; i < rounds; ++i) {
      item& it = static_cast<ending*>(context)->of[i];
      it.arrived.fetch_add(1);
      while (it.arrived.load() < host_threads) host_yield();
      stop_source source(it.state);
      if (rank == 0) {
        source.request_stop();
      } else {
        unsigned started = 0, ended = 0; // plain: the destructor returns after the call
        {
          stop_callback c(source.get_token(), [&] {
            ++started;
            dawdle(i);
            ++ended;
            it.calls.fetch_add(1, memory_order_relaxed);
          });
          dawdle(i + rank);
        }
        if (started != ended || started > 1) atomic_ref<unsigned>(it.wrong).fetch_add(1);
      }
    }
  }
};
HOST_TEST("the destructor of a callback waits for its call in another thread") {
  ending all;
  run_host_threads(host_threads, ending::body, &all);
  for (unsigned i = 0; i < ending::rounds; ++i) {
    CHECK_EQUAL(all.of[i].wrong, 0u);
    CHECK(all.of[i].calls.load() < host_threads);
    CHECK(stop_source(all.of[i].state).stop_requested());
  }
}
