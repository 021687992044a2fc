// SPDX-License-Identifier: Apache-2.0
//
// [thread.stoptoken] stop_source, stop_token, stop_callback
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

#include <functional>
#include <memory>
#include <optional>

using namespace cudax;
using namespace cudax_test;

/// Whether this compilation is for a device.
#if defined(__CUDA_ARCH__)
inline constexpr bool in_device_code = true;
#else
inline constexpr bool in_device_code = false;
#endif

TESTS_BEGIN

TEST("request_stop returns true for the first request only, and tokens see it") {
  for_each_scope([&]<thread_scope S>() {
    auto& state = make<stop_state<S>>(test_);
    for (int round = 0; round < 3; ++round) {
      stop_source source(state);
      stop_token<S> const token = source.get_token();
      CHECK(!token.stop_requested());
      CHECK(!source.stop_requested());
      CHECK(token.stop_possible());
      CHECK(source.stop_possible());
      CHECK(source.request_stop());
      CHECK(token.stop_requested());
      CHECK(source.stop_requested());
      CHECK(!source.request_stop());
      CHECK(!stop_source(state).request_stop());
      CHECK(token.stop_possible());
      init(&state);
    }
  });
}

struct two_states {
  stop_state<> a, b;
};
TEST("tokens and sources behave as pointers to the state") {
  stop_token<> none;
  CHECK(!none.stop_possible());
  CHECK(!none.stop_requested());
  auto& states = make<two_states>(test_);
  stop_source a(states.a), b(states.b);
  CHECK(a == stop_source(states.a));
  CHECK(a != b);
  stop_token x = a.get_token(), y = b.get_token();
  CHECK(x == a.get_token());
  CHECK(x != y);
  CHECK(x != none);
  CHECK(none == stop_token<>());
  a.request_stop();
  swap(x, y);
  CHECK(!x.stop_requested());
  CHECK(y.stop_requested());
  x.swap(y);
  CHECK(x.stop_requested());
  swap(a, b);
  CHECK(b.stop_requested());
  a.swap(b);
  CHECK(a.stop_requested());
  b = a;
  CHECK(b.stop_requested());
}

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

/// Every thread requests, round after round. One request is the first, and every thread sees the first requester's
/// writes when its own call returns. The rank of the first requester is published with relaxed order.
template <thread_scope Scope, thread_scope Named = Scope> struct requests {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most = 100, most_written = 9600;
  struct item {
    stop_state<Named> state;
    atomic<unsigned, Scope> firsts;
    atomic<unsigned, Scope> first; // rank of the first requester, plus 1
  };
  item of[most];
  unsigned wrote[most_written];

  static unsigned used(unsigned threads) { return threads <= 8 ? most : 12; }

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < used(me.size); ++i) {
      item& it = of[i];
      stop_source source(it.state);
      wrote[i * me.size + me.rank] = i + 1;
      dawdle(me.rank + i);
      if (source.request_stop()) {
        it.firsts.fetch_add(1, memory_order_relaxed);
        it.first.store(me.rank + 1, memory_order_relaxed);
      } else {
        AWAIT(it.first.load(memory_order_relaxed) != 0);
        CHECK_EQUAL(wrote[i * me.size + it.first.load(memory_order_relaxed) - 1], i + 1);
      }
      CHECK(source.stop_requested());
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < used(threads); ++i) CHECK_EQUAL(of[i].firsts.load(), 1u);
  }
};
CONCURRENT_TEST("exactly one of all requests is the first: block", requests<thread_scope_block>)
CONCURRENT_TEST("exactly one of all requests is the first: cluster", requests<thread_scope_cluster>)
CONCURRENT_TEST("exactly one of all requests is the first: device", requests<thread_scope_device>)
CONCURRENT_TEST("exactly one of all requests is the first: system", requests<thread_scope_system>)
CONCURRENT_TEST("exactly one of all requests is the first: thread scope means the block",
                requests<thread_scope_block, thread_scope_thread>)

/// Host and device each claim in a word of their own and read the other's word after a seq_cst fence. Without the fence
/// this is store buffering: both read "unclaimed" and both are first. A checked run observes one side at a time, and on
/// many processors a host's compare-and-swap is a fence by itself. So, of two threads of one side, one requests, and
/// the other modifies the state's words as the other side would.
struct two_sides {
  static constexpr thread_scope scope = thread_scope_system;
  static constexpr unsigned most = 2000;
  struct item {
    stop_state<> state;
    atomic<unsigned> arrived;
    bool first[2];
  };
  item of[most];

  enum claim : unsigned { unclaimed, claimed, won, lost };

  static unsigned rounds(unsigned threads) { return threads <= 8 ? 500 : 4; }

  static bool request_from_the_other_side(stop_state<>& state) {
    auto* const words = reinterpret_cast<unsigned*>(&state); // requested, the host's claim, the device's claim
    atomic_ref<unsigned> requested(words[0]), own(words[in_device_code ? 1 : 2]), other(words[in_device_code ? 2 : 1]);
    own.store(claimed, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    bool first;
    if constexpr (in_device_code) { // acts as the host, which waits for the device's decision
      while (other.load(memory_order_relaxed) == claimed) {}
      first = other.load(memory_order_relaxed) != won;
    } else {
      first = other.load(memory_order_relaxed) == unclaimed;
      own.store(first ? won : lost, memory_order_relaxed);
    }
    if (first) requested.store(1, memory_order_release);
    return first;
  }

  void run(worker me, context& test_) {
    // With several blocks, a pair is of different blocks. Host and device together have fewer threads: there a pair is
    // two neighbours, which are on one side.
    unsigned const half = me.size / 2;
    bool const far = me.size > 256;
    unsigned const pair = far ? me.rank % half : me.rank / 2, second = far ? me.rank / half : me.rank % 2;
    for (unsigned round = 0; round < rounds(me.size); ++round) {
      item& it = of[round * half + pair];
      it.arrived.fetch_add(1, memory_order_relaxed);
      AWAIT(it.arrived.load(memory_order_relaxed) == 2);
      bool const requests = (second + round) % 2;
      it.first[requests] = requests ? stop_source(it.state).request_stop() : request_from_the_other_side(it.state);
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < rounds(threads) * (threads / 2); ++i) CHECK_EQUAL(of[i].first[0] + of[i].first[1], 1);
  }
};
CONCURRENT_TEST("if host and device request at once, exactly one of them is the first", two_sides)

/// One thread writes plain data and requests a stop. Others query the state, in every way, and then read the data.
template <thread_scope Scope> struct querying {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned most = 200;
  struct item {
    stop_state<Scope> state;
    unsigned data[3];
  };
  item of[most];

  static unsigned used(unsigned threads) { return threads <= 8 ? most : 16; }

  void run(worker me, context& test_) {
    for (unsigned i = 0; i < used(me.size); ++i) {
      item& it = of[i];
      stop_source source(it.state);
      stop_token const token = source.get_token();
      if (me.rank == i % me.size) {
        for (unsigned k = 0; k < 3; ++k) it.data[k] = 10 * i + k;
        CHECK(source.request_stop());
      } else if ((me.rank + i) % 3 == 0) {
        AWAIT(token.stop_requested());
      } else if ((me.rank + i) % 3 == 1) {
        AWAIT(source.stop_requested());
        CHECK(!source.request_stop());
      } else {
        unsigned calls = 0;
        {
          stop_callback c(token, [&] { ++calls; });
          AWAIT(Scope == thread_scope_block ? c.poll() : token.stop_requested());
        }
        // Checked after the end of the callback's lifetime, because the requesting thread may be the one that calls it.
        if (Scope == thread_scope_block) CHECK_EQUAL(calls, 1u);
      }
      for (unsigned k = 0; k < 3; ++k) CHECK_EQUAL(it.data[k], 10 * i + k);
    }
  }
  void verify(unsigned, context& test_) { CHECK(of[0].data[1] == 1); }
};
CONCURRENT_TEST("writes before the request are visible to a thread that sees the request: block",
                querying<thread_scope_block>)
CONCURRENT_TEST("writes before the request are visible to a thread that sees the request: cluster",
                querying<thread_scope_cluster>)
CONCURRENT_TEST("writes before the request are visible to a thread that sees the request: device",
                querying<thread_scope_device>)
CONCURRENT_TEST("writes before the request are visible to a thread that sees the request: system",
                querying<thread_scope_system>)

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

/// One callback blocks the requesting thread until the other callback runs in a polling thread. The latter takes long.
HOST_TEST("the first request waits for a callback that another thread polls") {
  struct polling {
    stop_state<> state{};
    atomic<bool> is_made{false}, runs{false}, has_returned{false};
    bool returned_early = false;

    static void body(void* context, unsigned rank) {
      auto& me = *static_cast<polling*>(context);
      stop_source source(me.state);
      if (rank == 0) {
        me.is_made.wait(false);
        stop_callback blocks(source.get_token(), [&] { me.runs.wait(false); }); // made later, called earlier
        source.request_stop();
        me.has_returned.store(true);
      } else {
        stop_callback polled(source.get_token(), [&] {
          me.runs.store(true);
          me.runs.notify_all();
          for (int i = 0; i < 1000; ++i) host_yield();
          me.returned_early = me.has_returned.load();
        });
        me.is_made.store(true);
        me.is_made.notify_all();
        while (!polled.poll()) host_yield();
      }
    }
  } all;
  run_host_threads(2, polling::body, &all);
  CHECK(!all.returned_early);
  CHECK(all.has_returned.load());
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

#if defined(__CUDA__)
// Host and device in mapped memory, where only loads and stores are guaranteed to work.

__global__ void work_until_stopped(stop_token<> token, unsigned* data, unsigned* seen, unsigned* rounds) {
  while (!token.stop_requested()) ++rounds[threadIdx.x];
  if (*data != 17) atomicAdd(seen, 1000u);
  atomicAdd(seen, 1u);
}
__global__ void stop_the_host(stop_source<> source, unsigned* data) {
  *data = 18;
  source.request_stop();
}
/// Both sides request a stop of the same states. They synchronize before each round; then a warp requests all states at
/// once, and the host one after the other, so that some of the requests coincide.
struct contest {
  static constexpr unsigned lanes = 32, rounds = 250;
  stop_state<> states[rounds][lanes];
  bool first_on_host[rounds][lanes], first_on_device[rounds][lanes];
  atomic<unsigned> host_round, device_round;
};
__global__ void stop_together(contest* c) {
  for (unsigned round = 0; round < contest::rounds; ++round) {
    if (threadIdx.x == 0) c->device_round.store(round + 1);
    while (c->host_round.load(memory_order_relaxed) <= round) {}
    c->first_on_device[round][threadIdx.x] = stop_source(c->states[round][threadIdx.x]).request_stop();
  }
}

struct mapped {
  struct memory {
    stop_state<> state;
    unsigned data, seen, rounds[64];
  };
  memory* host = nullptr;
  memory* device = nullptr;
  mapped() {
    CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&host), sizeof(memory), cudaHostAllocMapped));
    new (host) memory{};
    CUDA_MUST(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), host, 0));
  }
  ~mapped() { cudaFreeHost(host); }
  stop_source<> device_source() const { return stop_source<>(device->state); }
};

WITH_DEVICE("a host thread stops a kernel", "mapped memory", host_stops_kernel) {
  mapped m;
  work_until_stopped<<<1, 64>>>(m.device_source().get_token(), &m.device->data, &m.device->seen, m.device->rounds);
  linger();
  m.host->data = 17;
  CHECK(stop_source(m.host->state).request_stop());
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_EQUAL(m.host->seen, 64u);
}

WITH_DEVICE("a kernel stops a host thread, whose callback runs when it polls", "mapped memory", kernel_stops_host) {
  mapped m;
  unsigned calls = 0, message = 0;
  stop_token const token = stop_source(m.host->state).get_token();
  stop_callback c(token, [&] {
    ++calls;
    message = m.host->data;
  });
  stop_the_host<<<1, 1>>>(m.device_source(), &m.device->data);
  AWAIT(token.stop_requested());
  CHECK_EQUAL(calls, 0u);
  CHECK(c.poll());
  CHECK_EQUAL(calls, 1u);
  CHECK_EQUAL(message, 18u);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  CHECK(!stop_source(m.host->state).request_stop());
  CHECK_EQUAL(calls, 1u);
}

WITH_DEVICE("callbacks of the host run when a host thread requests after a kernel", "mapped memory",
            host_requests_late) {
  mapped m;
  unsigned calls = 0, at_end = 0;
  stop_source const source(m.host->state);
  {
    stop_callback a(source.get_token(), [&] { ++calls; });
    stop_callback b(source.get_token(), [&] { ++calls; });
    stop_the_host<<<1, 1>>>(m.device_source(), &m.device->data);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(calls, 0u);
    CHECK(!source.request_stop());
    CHECK_EQUAL(calls, 2u);
  }
  CHECK_EQUAL(calls, 2u);
  init(&m.host->state);
  {
    stop_callback a(source.get_token(), [&] { ++at_end; });
    stop_the_host<<<1, 1>>>(m.device_source(), &m.device->data);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQUAL(at_end, 0u);
  }
  CHECK_EQUAL(at_end, 1u); // a request during its lifetime is not missed
}

WITH_DEVICE("if a host thread and a kernel request at once, exactly one is the first", "mapped memory", both_request) {
  contest* host = nullptr;
  contest* device = nullptr;
  CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&host), sizeof(contest), cudaHostAllocMapped));
  CUDA_MUST(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), host, 0));
  new (host) contest{};
  stop_together<<<1, contest::lanes>>>(device);
  bool seen = true;
  for (unsigned round = 0; round < contest::rounds; ++round) {
    host->host_round.store(round + 1);
    AWAIT(host->device_round.load() > round);
    dawdle(round);
    for (unsigned k = 0; k < contest::lanes; ++k) {
      unsigned const lane = (k + round) % contest::lanes;
      stop_source const source(host->states[round][lane]);
      host->first_on_host[round][lane] = source.request_stop();
      seen &= source.stop_requested();
    }
  }
  CHECK(seen);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  unsigned both = 0, neither = 0;
  for (unsigned round = 0; round < contest::rounds; ++round)
    for (unsigned lane = 0; lane < contest::lanes; ++lane) {
      bool const by_host = host->first_on_host[round][lane], by_device = host->first_on_device[round][lane];
      both += by_host && by_device;
      neither += !by_host && !by_device;
    }
  CHECK_EQUAL(both, 0u);
  CHECK_EQUAL(neither, 0u);
  cudaFreeHost(host);
}
#endif
