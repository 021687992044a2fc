// SPDX-License-Identifier: Apache-2.0
//
// cohort_mutex
#include "support/test.hpp"
import cudax.sync;
#include "locking.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// A mutex and the part of one cohort.
template <class M, thread_scope Local> struct one_cohort {
  M outer;
  cohort_mutex<M, Local> mine;
};

template <class M, thread_scope Local> void cohort_locks_and_unlocks(context& test_) {
  auto& o = make<one_cohort<M, Local>>(test_);
  for (unsigned limit : {0u, 1u, cohort_mutex<M, Local>::max_limit}) {
    init(&o.mine, o.outer, limit);
    for (int round = 0; round < 3; ++round) {
      o.mine.lock();
      CHECK(!o.mine.try_lock());
      CHECK(!o.outer.try_lock());
      CHECK(!o.mine.try_lock_for(std::chrono::seconds(0)));
      o.mine.unlock();
      CHECK(o.outer.try_lock());
      CHECK(!o.mine.try_lock());
      CHECK(!o.mine.try_lock_until(steady_clock::now()));
      o.outer.unlock();
      CHECK(o.mine.try_lock());
      CHECK(!o.outer.try_lock());
      o.mine.unlock();
      CHECK(o.mine.try_lock_for(std::chrono::seconds(-1)));
      o.mine.unlock();
      CHECK(o.mine.try_lock_for(std::chrono::hours::max()));
      o.mine.unlock();
      CHECK(o.mine.try_lock_until(steady_clock::time_point()));
      o.mine.unlock();
    }
  }
  CHECK(o.outer.try_lock());
}
TEST("a cohort_mutex holds its mutex while it is locked, and not afterwards if no thread waits") {
  for_each_scope([&]<thread_scope S>() {
    cohort_locks_and_unlocks<mutex<S>, S>(test_);
    cohort_locks_and_unlocks<ticket_mutex<S>, thread_scope_block>(test_);
  });
}

struct three_levels {
  ticket_mutex<> outer;
  cohort_mutex<ticket_mutex<>, thread_scope_cluster> of_cluster;
  cohort_mutex<cohort_mutex<ticket_mutex<>, thread_scope_cluster>> of_block;
};
TEST("a cohort_mutex can be the mutex of another one") {
  auto& o = make<three_levels>(test_);
  init(&o.of_cluster, o.outer);
  init(&o.of_block, o.of_cluster);
  {
    lock_guard const guard(o.of_block);
    CHECK(!o.of_block.try_lock());
    CHECK(!o.of_cluster.try_lock());
    CHECK(!o.outer.try_lock());
  }
  CHECK(o.of_block.try_lock_for(an_hour));
  o.of_block.unlock();
  CHECK(o.of_cluster.try_lock());
  o.of_cluster.unlock();
  CHECK(o.outer.try_lock());
  CHECK(!o.of_block.try_lock_for(std::chrono::microseconds(50)));
}

TEST("the constructor deduces the mutex; the limit has a default") {
  struct made {
    mutex<thread_scope_device> outer{};
    cohort_mutex<mutex<thread_scope_device>> mine{outer}, limited{outer, 3};
  };
  auto& o = make<made>(test_);
  {
    scoped_lock const guard(o.mine);
    CHECK(!o.limited.try_lock());
  }
  CHECK(o.limited.try_lock());
  static_assert(__is_same(decltype(cohort_mutex(o.outer)), cohort_mutex<mutex<thread_scope_device>>));
}

template <class M> void cohort_gives_up(context& test_) {
  auto& o = make<one_cohort<M, thread_scope_block>>(test_);
  init(&o.mine, o.outer);
  for (bool direct : {false, true}) {
    if (direct) o.outer.lock();
    else o.mine.lock();
    check_gives_up(test_, [&](auto length) { return o.mine.try_lock_for(length); });
    check_gives_up_at(test_, [&](auto point) { return o.mine.try_lock_until(point); });
    if (direct) o.outer.unlock();
    else o.mine.unlock();
  }
  CHECK(o.mine.try_lock()); // the timed locks that gave up have no effect
}
TEST("timed locks time out, whether the cohort or another thread holds the mutex; immediately if no time is left") {
  cohort_gives_up<mutex<>>(test_);
  cohort_gives_up<ticket_mutex<thread_scope_block>>(test_);
}

/// A mutex and a cohort for each block; on the host all threads are one cohort.
template <class M, unsigned Count = 1> struct cohorts_of_blocks {
  static constexpr unsigned most = 25; // in the largest placement a block begins at rank 768
  M outer[Count];
  cohort_mutex<M> of[most][Count];

  void make(unsigned limit) {
    for (unsigned i = 0; i < Count; ++i) {
      init(&outer[i]);
      for (auto& each : of) init(&each[i], outer[i], limit);
    }
  }
  auto& mine([[maybe_unused]] worker me) {
#if defined(__CUDA_ARCH__)
    return of[(me.rank - threadIdx.x + 31) / 32]; // blocks have at least 32 threads
#else
    return of[0];
#endif
  }
};

/// Locks in every way that a cohort_mutex offers, and its mutex directly.
template <class C> bool enter(C& mine, unsigned way) {
  switch (way) {
  case 0: return mine.lock(), true;
  case 1: return mine.try_lock();
  case 2: return mine.try_lock_for(an_hour);
  default: return mine.try_lock_until(steady_clock::now() + an_hour);
  }
}

/// Threads of all blocks enter one at a time and access plain data inside. Ways: 1 for lock() only, 4 for every locking
/// function, 5 for the mutex itself in addition.
template <class M, thread_scope Scope, unsigned Ways> struct cohort_exclusion {
  static constexpr thread_scope scope = Scope;
  cohorts_of_blocks<M> locks;
  shared_objects<Scope> objects;
  visited_in_turn inside;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] {
          locks.make(3);
          inside.last = me.rank;
        }))
      return;
    auto& mine = locks.mine(me)[0];
    for (unsigned round = 0; round < entries(me.size); ++round) {
      unsigned const way = (round + me.rank) % Ways;
      if (way == 4) locks.outer[0].lock();
      else AWAIT(enter(mine, way));
      inside.visit(me, round, test_);
      if (way == 4) locks.outer[0].unlock();
      else mine.unlock();
    }
  }
  void verify(unsigned threads, context& test_) {
    inside.verify(threads, test_);
    CHECK(locks.outer[0].try_lock());
  }
};
template <thread_scope S> using by_lock = cohort_exclusion<ticket_mutex<S>, S, 1>;
template <thread_scope S> using with_direct = cohort_exclusion<ticket_mutex<S>, S, 5>;
template <thread_scope S> using over_mutex = cohort_exclusion<mutex<S>, S, 5>;
CONCURRENT_TEST("cohorts admit one thread at a time: block", by_lock<thread_scope_block>)
CONCURRENT_TEST("cohorts admit one thread at a time: cluster", by_lock<thread_scope_cluster>)
CONCURRENT_TEST("cohorts admit one thread at a time: device", by_lock<thread_scope_device>)
CONCURRENT_TEST("cohorts admit one thread at a time: system", by_lock<thread_scope_system>)
CONCURRENT_TEST("cohorts and threads without a cohort exclude each other, with every locking function: block",
                with_direct<thread_scope_block>)
CONCURRENT_TEST("cohorts and threads without a cohort exclude each other, with every locking function: cluster",
                with_direct<thread_scope_cluster>)
CONCURRENT_TEST("cohorts and threads without a cohort exclude each other, with every locking function: device",
                with_direct<thread_scope_device>)
CONCURRENT_TEST("cohorts and threads without a cohort exclude each other, with every locking function: system",
                with_direct<thread_scope_system>)
CONCURRENT_TEST("cohorts of a mutex admit one thread at a time, with every locking function: device",
                over_mutex<thread_scope_device>)
CONCURRENT_TEST("cohorts of a mutex admit one thread at a time, with every locking function: system",
                over_mutex<thread_scope_system>)

/// All threads are one cohort, as wide as the mutex. They lock in every way, alone and together with another lock.
template <thread_scope Scope> struct wide_cohort {
  static constexpr thread_scope scope = Scope;
  ticket_mutex<Scope> outer;
  cohort_mutex<ticket_mutex<Scope>, Scope> mine;
  mutex<Scope> another;
  shared_objects<Scope> objects;
  visited_in_turn inside;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] {
          init(&mine, outer, 3);
          inside.last = me.rank;
        }))
      return;
    for (unsigned round = 0; round < entries(me.size); ++round) {
      unsigned const way = (round + me.rank) % 5;
      if (way == 4) {
        scoped_lock const guard(another, mine);
        inside.visit(me, round, test_);
      } else {
        AWAIT(enter(mine, way));
        inside.visit(me, round, test_);
        mine.unlock();
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    inside.verify(threads, test_);
    CHECK(outer.try_lock());
  }
};
CONCURRENT_TEST("a cohort of several blocks admits one thread at a time, with every locking function: device",
                wide_cohort<thread_scope_device>)
CONCURRENT_TEST("a cohort of several blocks admits one thread at a time, with every locking function: system",
                wide_cohort<thread_scope_system>)

/// A message of several words passes through the lock, from one cohort to the next. Each thread adds to all words, so a
/// thread that misses a write of any earlier holder, of its own cohort or of another one, finds unequal words.
template <class M, thread_scope Scope> struct passing_on {
  static constexpr thread_scope scope = Scope;
  cohorts_of_blocks<M> locks;
  shared_objects<Scope> objects;
  unsigned words[40];

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { locks.make(2); })) return;
    auto& mine = locks.mine(me)[0];
    for (unsigned round = 0; round < entries(me.size); ++round) {
      lock_guard const guard(mine);
      unsigned const before = words[0];
      for (unsigned i = 0; i < 40; i += 13) {
        CHECK_EQUAL(words[i], before);
        words[i] = before + 1;
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < 40; i += 13) CHECK_EQUAL(words[i], threads * entries(threads));
  }
};
CONCURRENT_TEST("what earlier holders of any cohort wrote is visible: block",
                passing_on<ticket_mutex<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("what earlier holders of any cohort wrote is visible: device",
                passing_on<ticket_mutex<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("what earlier holders of any cohort wrote is visible: system",
                passing_on<ticket_mutex<thread_scope_system>, thread_scope_system>)

/// The first word of a ticket_mutex counts the tickets taken, that of a cohort_mutex twice the tickets.
template <thread_scope Scope> unsigned tickets_of(auto& lock) {
  return atomic_ref<unsigned, Scope>(*reinterpret_cast<unsigned*>(&lock)).load(memory_order_relaxed);
}

/// Makes `ticket`, an even number, the next one of a free cohort_mutex.
void begin_at(auto& lock, unsigned ticket) {
  auto* const words = reinterpret_cast<unsigned*>(&lock);
  words[0] = ticket;
  words[1] = ticket + 1;
}

/// All threads but one are a cohort and queue in the order of their ranks. The last one waits for the mutex directly.
/// It gets the mutex after the cohort has passed it on `limit` times, neither earlier nor later.
template <thread_scope Scope, unsigned First = 0> struct bounded_passing {
  static constexpr thread_scope scope = Scope;
  using outer_mutex = ticket_mutex<Scope>;
  outer_mutex outer;
  cohort_mutex<outer_mutex, Scope> cohort;
  shared_objects<Scope> objects;
  unsigned turns;

  static constexpr unsigned limit(unsigned threads) { return threads <= 4 ? 1 : 7; }

  void run(worker me, context& test_) {
    static_assert(sizeof(cohort) == 24);
    if (!objects.make(me, test_, [&] {
          init(&cohort, outer, limit(me.size));
          begin_at(cohort, First);
        }))
      return;
    unsigned const of_cohort = me.size - 1;
    if (me.rank == of_cohort) {
      AWAIT(tickets_of<Scope>(outer) == 1); // the cohort has the mutex
      outer.lock();
      CHECK_EQUAL(turns, limit(me.size) + 1);
      ++turns;
      outer.unlock();
    } else {
      AWAIT(tickets_of<Scope>(cohort) == First + 2 * me.rank);
      cohort.lock();
      bool const is_before = me.rank <= limit(me.size);
      CHECK_EQUAL(turns, me.rank + !is_before);
      if (me.rank == 0) {
        AWAIT(tickets_of<Scope>(cohort) == First + 2 * of_cohort && tickets_of<Scope>(outer) == 2);
        CHECK(!cohort.try_lock());
      }
      ++turns;
      cohort.unlock();
    }
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(turns, threads); }
};
CONCURRENT_TEST("a cohort is served in arrival order and passes the lock on as often as its limit says: block",
                bounded_passing<thread_scope_block>)
CONCURRENT_TEST("a cohort is served in arrival order and passes the lock on as often as its limit says: cluster",
                bounded_passing<thread_scope_cluster>)
CONCURRENT_TEST("a cohort is served in arrival order and passes the lock on as often as its limit says: device",
                bounded_passing<thread_scope_device>)
CONCURRENT_TEST("a cohort is served in arrival order and passes the lock on as often as its limit says: system",
                bounded_passing<thread_scope_system>)

CONCURRENT_TEST("a cohort is served in arrival order and passes the lock on where its tickets wrap around: block",
                bounded_passing<thread_scope_block, 0u - 4>)
CONCURRENT_TEST("a cohort is served in arrival order and passes the lock on where its tickets wrap around: system",
                bounded_passing<thread_scope_system, 0u - 4>)

/// The first thread unlocks. The last one takes the lock by try_lock, unlocks it and makes the object anew: the end of
/// the first thread's turn was its last access to the object.
template <thread_scope Scope> struct made_anew {
  static constexpr thread_scope scope = Scope;
  ticket_mutex<Scope> outer;
  cohort_mutex<ticket_mutex<Scope>, Scope> cohort;
  shared_objects<Scope> objects;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { init(&cohort, outer); })) return;
    if (me.rank == 0) {
      cohort.lock();
      cohort.unlock();
    } else if (me.rank + 1 == me.size) {
      AWAIT(tickets_of<Scope>(cohort) == 2); // the first thread has its ticket
      AWAIT(cohort.try_lock());
      cohort.unlock();
      init(&cohort, outer);
    }
  }
  void verify(unsigned, context& test_) { CHECK(cohort.try_lock()); }
};
CONCURRENT_TEST("an unlock is the last access, also for a thread that locks by try_lock: block",
                made_anew<thread_scope_block>)
CONCURRENT_TEST("an unlock is the last access, also for a thread that locks by try_lock: device",
                made_anew<thread_scope_device>)
CONCURRENT_TEST("an unlock is the last access, also for a thread that locks by try_lock: system",
                made_anew<thread_scope_system>)

/// Thread 0 holds the mutex directly. The others give up, one by one function. Then some wait in lock(), others in
/// timed locks, until thread 0 unlocks.
template <class M, thread_scope Scope> struct giving_up_cohort {
  static constexpr thread_scope scope = Scope;
  cohorts_of_blocks<M> locks;
  shared_objects<Scope> objects;
  atomic<unsigned, Scope> gave_up;
  unsigned count;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] {
          locks.make(64);
          locks.outer[0].lock();
        }))
      return;
    auto& mine = locks.mine(me)[0];
    if (me.rank == 0) {
      AWAIT(gave_up.load(memory_order_relaxed) == me.size - 1);
      linger();
      ++count;
      locks.outer[0].unlock();
      return;
    }
    CHECK(!mine.try_lock());
    CHECK(!mine.try_lock_for(std::chrono::microseconds(50)));
    CHECK(!mine.try_lock_until(steady_clock::now()));
    gave_up.fetch_add(1, memory_order_relaxed);
    AWAIT(enter(mine, me.rank % 2 * 2));
    ++count;
    mine.unlock();
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(count, threads); }
};
CONCURRENT_TEST("a thread that gives up does not affect its cohort: mutex: block",
                giving_up_cohort<mutex<thread_scope_block>, thread_scope_block>)
CONCURRENT_TEST("a thread that gives up does not affect its cohort: mutex: device",
                giving_up_cohort<mutex<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("a thread that gives up does not affect its cohort: ticket_mutex: device",
                giving_up_cohort<ticket_mutex<thread_scope_device>, thread_scope_device>)
CONCURRENT_TEST("a thread that gives up does not affect its cohort: ticket_mutex: system",
                giving_up_cohort<ticket_mutex<thread_scope_system>, thread_scope_system>)

/// Neighbouring threads name two locks in opposite order; some threads have no cohort.
template <thread_scope Scope> struct crossing_cohorts {
  static constexpr thread_scope scope = Scope;
  cohorts_of_blocks<ticket_mutex<Scope>, 2> locks;
  shared_objects<Scope> objects;
  unsigned count;

  void run(worker me, context& test_) {
    if (!objects.make(me, test_, [&] { locks.make(5); })) return;
    auto& mine = locks.mine(me);
    for (unsigned round = 0; round < entries(me.size); ++round) {
      if ((me.rank + round) % 5 == 0) {
        scoped_lock const guard(locks.outer[1], locks.outer[0]);
        ++count;
      } else if (me.rank % 2) {
        scoped_lock const guard(mine[0], mine[1]);
        ++count;
      } else {
        scoped_lock const guard(mine[1], mine[0]);
        ++count;
      }
    }
    CHECK(true);
  }
  void verify(unsigned threads, context& test_) { CHECK_EQUAL(count, threads * entries(threads)); }
};
CONCURRENT_TEST("scoped_lock of two cohort_mutexes in opposite orders does not deadlock: block",
                crossing_cohorts<thread_scope_block>)
CONCURRENT_TEST("scoped_lock of two cohort_mutexes in opposite orders does not deadlock: device",
                crossing_cohorts<thread_scope_device>)
CONCURRENT_TEST("scoped_lock of two cohort_mutexes in opposite orders does not deadlock: system",
                crossing_cohorts<thread_scope_system>)

TESTS_END

#if defined(__CUDA__)
struct guarded {
  ticket_mutex<thread_scope_device> m;
  unsigned entered;
};
/// A cohort_mutex as a variable in shared memory, where no constructor runs: init() makes it. Block 0 has none.
__global__ void use_cohorts(guarded* object, unsigned rounds) {
  __shared__ cohort_mutex<> mine;
  if (threadIdx.x == 0) init(&mine, object->m);
  __syncthreads();
  for (unsigned round = 0; round < rounds; ++round) {
    if (blockIdx.x == 0) {
      lock_guard const guard(object->m);
      ++object->entered;
    } else {
      lock_guard const guard(mine);
      ++object->entered;
    }
  }
}
WITH_DEVICE("a cohort_mutex works as a variable in shared memory, made by init", "shared memory", shared_cohorts) {
  constexpr unsigned blocks = 4, threads = 64, rounds = 3;
  guarded* object = nullptr;
  guarded result{};
  CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&object), sizeof(guarded)));
  CUDA_MUST(cudaMemcpy(static_cast<void*>(object), &result, sizeof(guarded), cudaMemcpyHostToDevice));
  use_cohorts<<<blocks, threads>>>(object, rounds);
  CHECK_EQUAL(cudaMemcpy(static_cast<void*>(&result), object, sizeof(guarded), cudaMemcpyDeviceToHost), cudaSuccess);
  CHECK_EQUAL(result.entered, blocks * threads * rounds);
  cudaFree(object);
}
#endif
