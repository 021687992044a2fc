// SPDX-License-Identifier: Apache-2.0
//
// [thread.stoptoken] stop_source, stop_token; stop_callback with requests by host and device. The other tests of
// stop_callback are in stop_callback.run.cpp.
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

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

TESTS_END

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
