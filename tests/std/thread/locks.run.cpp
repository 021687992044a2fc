// SPDX-License-Identifier: Apache-2.0
//
// [thread.lock.guard] lock_guard, [thread.lock.scoped] scoped_lock
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

#include <mutex>

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct three {
  mutex<> a;
  ticket_mutex<thread_scope_device> b;
  mutex<thread_scope_block> c;

  bool all_free() {
    bool const free = a.try_lock() && b.try_lock() && c.try_lock();
    if (free) a.unlock(), b.unlock(), c.unlock();
    return free;
  }
};

TEST("a lock_guard holds its mutex during its lifetime") {
  auto& m = make<three>(test_);
  {
    lock_guard guard(m.a);
    static_assert(__is_same(decltype(guard), lock_guard<mutex<>>));
    CHECK(!m.a.try_lock());
  }
  CHECK(m.a.try_lock());
  { lock_guard const guard(m.a, adopt_lock); }
  CHECK(m.all_free());
}

TEST("a scoped_lock holds mutexes of any type, in any order, during its lifetime") {
  auto& m = make<three>(test_);
  auto const held = [&](bool a, bool b, bool c) {
    CHECK_EQUAL(m.a.try_lock(), !a);
    CHECK_EQUAL(m.b.try_lock(), !b);
    CHECK_EQUAL(m.c.try_lock(), !c);
    if (!a) m.a.unlock();
    if (!b) m.b.unlock();
    if (!c) m.c.unlock();
  };
  {
    scoped_lock const guard;
    held(false, false, false);
  }
  {
    scoped_lock const guard(m.b);
    held(false, true, false);
  }
  {
    scoped_lock const guard(m.c, m.a);
    held(true, false, true);
  }
  {
    scoped_lock const guard(m.b, m.c, m.a);
    held(true, true, true);
  }
  held(false, false, false);
  m.a.lock();
  { scoped_lock const guard(adopt_lock, m.a); }
  m.a.lock();
  m.c.lock();
  {
    scoped_lock const guard(adopt_lock, m.a, m.c);
    held(true, false, true);
  }
  { scoped_lock const guard(adopt_lock); }
  CHECK(m.all_free());
}

/// A type with the three functions is a mutex. This one counts their calls.
struct counted {
  mutex<thread_scope_thread> m;
  int locks, unlocks, refusals;

  void lock() {
    ++locks;
    m.lock();
  }
  bool try_lock() {
    if (refusals > 0) return --refusals, false;
    return m.try_lock();
  }
  void unlock() {
    ++unlocks;
    m.unlock();
  }
};
struct two_counted {
  counted first, second;
};
TEST("scoped_lock holds no other mutex while it waits for one") {
  auto& m = make<two_counted>(test_);
  m.second.refusals = 2;
  {
    scoped_lock const guard(m.second, m.first);
    CHECK(!m.first.try_lock());
    CHECK(!m.second.try_lock());
    CHECK_EQUAL(m.first.unlocks, 2);
    CHECK_EQUAL(m.second.locks, 2); // a mutex without another way to wait is locked and unlocked
    CHECK_EQUAL(m.second.unlocks, 2);
  }
  CHECK_EQUAL(m.first.unlocks, 3);
  CHECK_EQUAL(m.second.unlocks, 3);
}

/// Threads lock two or three of five mutexes, named in any order, and move amounts between the plain numbers that these
/// guard.
template <class M, thread_scope Scope> struct moving {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned accounts = 5;
  struct account {
    M m;
    long long sum;
    unsigned visits;
  };
  account of[accounts];

  void run(worker me, context& test_) {
    for (unsigned round = 0; round < entries(me.size); ++round) {
      unsigned const i = me.rank * 7 + round * 3;
      account& a = of[i % accounts];
      account& b = of[(i + 1 + me.rank % (accounts - 1)) % accounts];
      if (round % 3 == 0) {
        account& c = of[(i + 1 + (me.rank + 1) % (accounts - 1)) % accounts];
        scoped_lock const guard(c.m, a.m, b.m);
        c.sum += 3, a.sum -= 2, b.sum -= 1;
        ++a.visits;
      } else if (round % 3 == 1) {
        scoped_lock const guard(b.m, a.m);
        a.sum += 5, b.sum -= 5;
        ++a.visits;
      } else {
        lock_guard const guard(a.m);
        ++a.visits;
      }
    }
    CHECK(true);
  }
  void verify(unsigned threads, context& test_) {
    long long sum = 0;
    unsigned visits = 0;
    for (account& each : of) {
      sum += each.sum;
      visits += each.visits;
      CHECK(each.m.try_lock());
    }
    CHECK_EQUAL(sum, 0ll);
    CHECK_EQUAL(visits, threads * entries(threads));
  }
};
template <thread_scope S> using moving_mutex = moving<mutex<S>, S>;
template <thread_scope S> using moving_ticket = moving<ticket_mutex<S>, S>;
CONCURRENT_TEST("scoped_lock of several mutexes in any order does not deadlock: mutex: block",
                moving_mutex<thread_scope_block>)
CONCURRENT_TEST("scoped_lock of several mutexes in any order does not deadlock: mutex: cluster",
                moving_mutex<thread_scope_cluster>)
CONCURRENT_TEST("scoped_lock of several mutexes in any order does not deadlock: mutex: device",
                moving_mutex<thread_scope_device>)
CONCURRENT_TEST("scoped_lock of several mutexes in any order does not deadlock: mutex: system",
                moving_mutex<thread_scope_system>)

CONCURRENT_TEST("scoped_lock of several mutexes in any order does not deadlock: ticket_mutex: block",
                moving_ticket<thread_scope_block>)
CONCURRENT_TEST("scoped_lock of several mutexes in any order does not deadlock: ticket_mutex: cluster",
                moving_ticket<thread_scope_cluster>)
CONCURRENT_TEST("scoped_lock of several mutexes in any order does not deadlock: ticket_mutex: device",
                moving_ticket<thread_scope_device>)
CONCURRENT_TEST("scoped_lock of several mutexes in any order does not deadlock: ticket_mutex: system",
                moving_ticket<thread_scope_system>)

/// Neighbouring threads name two mutexes in opposite order, all at once; lanes of a warp do so in lockstep.
template <thread_scope Scope> struct crossing {
  static constexpr thread_scope scope = Scope;
  mutex<Scope> a, b;
  unsigned count;

  void run(worker me, context& test_) {
    for (unsigned round = 0; round < entries(me.size); ++round) {
      if (me.rank % 2) {
        scoped_lock const guard(a, b);
        ++count;
      } else {
        scoped_lock const guard(b, a);
        ++count;
      }
    }
    CHECK(true);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(count, threads * entries(threads)); }
};
CONCURRENT_TEST("scoped_lock of two mutexes in opposite orders does not deadlock: block", crossing<thread_scope_block>)
CONCURRENT_TEST("scoped_lock of two mutexes in opposite orders does not deadlock: cluster",
                crossing<thread_scope_cluster>)
CONCURRENT_TEST("scoped_lock of two mutexes in opposite orders does not deadlock: device",
                crossing<thread_scope_device>)
CONCURRENT_TEST("scoped_lock of two mutexes in opposite orders does not deadlock: system",
                crossing<thread_scope_system>)

TESTS_END

HOST_TEST("scoped_lock accepts mutexes of the standard library together with this library's") {
  std::mutex a;
  mutex<> b{};
  std::timed_mutex c;
  {
    scoped_lock const guard(c, b, a);
    CHECK(!b.try_lock());
  }
  std::scoped_lock const guard(a, b, c);
  CHECK(!b.try_lock());
}

#if defined(__cpp_exceptions)
struct throwing {
  int locks = 0, unlocks = 0;
  void lock() {
    if (++locks == 2) throw 5;
  }
  bool try_lock() { return lock(), true; }
  void unlock() { ++unlocks; }
};
HOST_TEST("if locking one mutex throws, scoped_lock unlocks the others") {
  struct {
    mutex<> a{};
    throwing b;
    mutex<> c{};
  } m;
  { scoped_lock const guard(m.c, m.b, m.a); }
  bool caught = false;
  try {
    scoped_lock const guard(m.c, m.b, m.a);
  } catch (int) {
    caught = true;
  }
  CHECK(caught);
  CHECK(m.a.try_lock());
  CHECK(m.c.try_lock());
  CHECK_EQUAL(m.b.unlocks, 1);
}
#endif

#if defined(__CUDA__)
struct found {
  unsigned entered[5], called, stopped;
};
/// Every primitive as a variable in shared memory, where no constructor runs: init() makes it.
__global__ void use_shared_variables(found* result, unsigned rounds) {
  constexpr thread_scope scope = thread_scope_block;
  __shared__ counting_semaphore<scope> counting;
  __shared__ binary_semaphore<scope> binary;
  __shared__ fair_semaphore<scope> fair;
  __shared__ mutex<scope> free_for_all;
  __shared__ ticket_mutex<scope> in_turn;
  __shared__ shared_mutex<scope> alone_or_together;
  __shared__ basic_once_flag<scope> once;
  __shared__ condition_variable_any<scope> changed;
  __shared__ stop_state<scope> state;
  __shared__ atomic<unsigned, scope> arrived;
  __shared__ basic_atomic_flag<scope> complete;
  __shared__ unsigned entered[5]; // each guarded by one of the primitives
  if (threadIdx.x == 0) {
    init(&counting, 1);
    init(&binary, 1);
    init(&fair, 1);
    init(&free_for_all);
    init(&in_turn);
    init(&alone_or_together);
    init(&once);
    init(&changed);
    init(&state);
    init(&arrived, 0);
    init(&complete);
    for (unsigned& each : entered) each = 0;
  }
  __syncthreads();
  for (unsigned round = 0; round < rounds; ++round) {
    counting.acquire();
    ++entered[0];
    counting.release();
    binary.acquire();
    ++entered[1];
    binary.release();
    fair.acquire();
    ++entered[2];
    fair.release();
    {
      scoped_lock const guard(in_turn, free_for_all);
      ++entered[3];
    }
    lock_guard const guard(alone_or_together);
    ++entered[4];
  }
  call_once(once, [&] { ++result->called; });
  if (arrived.fetch_add(1) == blockDim.x - 1) {
    lock_guard const guard(free_for_all);
    complete.test_and_set();
    changed.notify_all();
  } else {
    unique_lock guard(free_for_all);
    changed.wait(guard, [&] { return complete.test(); });
  }
  if (threadIdx.x == blockDim.x - 1) stop_source(state).request_stop();
  while (!stop_source(state).stop_requested()) {}
  atomicAdd(&result->stopped, 1u);
  __syncthreads();
  if (threadIdx.x < 5) result->entered[threadIdx.x] = entered[threadIdx.x];
}
WITH_DEVICE("every primitive works as a variable in shared memory, made by init", "shared memory", shared_variables) {
  constexpr unsigned threads = 128, rounds = 3;
  found* result = nullptr;
  CUDA_MUST(cudaHostAlloc(reinterpret_cast<void**>(&result), sizeof(found), cudaHostAllocMapped));
  *result = found{};
  use_shared_variables<<<1, threads>>>(result, rounds);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  for (unsigned each : result->entered) CHECK_EQUAL(each, threads * rounds);
  CHECK_EQUAL(result->called, 1u);
  CHECK_EQUAL(result->stopped, threads);
  cudaFreeHost(result);
}
#endif
