// SPDX-License-Identifier: Apache-2.0
//
// Parked threads: whom a notify wakes, who polls for changes by a device, what remains after a fork. A store without a
// notify stands for a device's store.
#include "../../../runtime/interface/boundary.hpp"
#include "../simulated/futex_calls.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

import cudax.sync;

using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;
using cudax_test::futex_calls;

namespace {

double milliseconds_since(clock_type::time_point start) {
  return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + std::ptrdiff_t(all.size() / 2), all.end());
  return all[all.size() / 2];
}

/// Threads that block in a function.
class waiting_threads {
  std::atomic<int> asleep{0}, returned_{0};
  std::vector<std::jthread> all;

public:
  waiting_threads(int count, std::function<void(int)> const& waits) {
    for (int t = 0; t < count; ++t)
      all.emplace_back([this, t, waits] {
        futex_calls::count_sleeping_in(asleep);
        waits(t);
        ++returned_;
      });
    // On a busy machine a timed wait may be over before this thread sees it asleep.
    while (asleep + returned() < count) std::this_thread::sleep_for(100us);
  }
  int returned() const { return returned_; }
  void join() { all.clear(); }
};

double processor_milliseconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  auto const of = [](timeval const& t) { return double(t.tv_sec) * 1e3 + double(t.tv_usec) * 1e-3; };
  return of(used.ru_utime) + of(used.ru_stime);
}

/// Objects of one kind, each with its own bucket.
using flags = std::deque<cudax::atomic<int>>;

/// Calls test(wait) for timed waits that differ in who can make the change, and which nobody makes.
void for_each_wait(auto const& test) {
  constexpr auto length = 200ms; // on a busy machine a yield, or a sleep, may last several time slices
  cudax::atomic<int> wide(0);
  cudax::atomic<int, cudax::thread_scope_device> narrow(0);
  cudax::binary_semaphore<cudax::thread_scope_block> semaphore(0);
  test([&] { return wide.wait_for(0, length); });
  test([&] { return narrow.wait_for(0, length); });
  test([&] { return semaphore.try_acquire_for(length); });
}

constexpr auto long_enough_to_share_polling = 20ms; // a waiter polls by itself for about 0.6 ms

} // namespace

BOOST_AUTO_TEST_SUITE(parking)

// The first case: in ctest, no thread of this process has asked before.
BOOST_AUTO_TEST_CASE(a_thread_that_is_bound_to_one_processor_does_not_count_for_all) {
  cpu_set_t all, one;
  BOOST_REQUIRE(sched_getaffinity(0, sizeof(all), &all) == 0);
  unsigned to_spin = 0, to_poll = 0;
  std::jthread([&] {
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    BOOST_REQUIRE(sched_setaffinity(0, sizeof(one), &one) == 0);
    to_spin = cudax::runtime::turns_to_spin();
    to_poll = cudax::runtime::turns_to_poll();
  }).join();
  auto const processors = unsigned(CPU_COUNT(&all));
  BOOST_TEST(to_spin == 8 * processors);
  BOOST_TEST(to_poll == processors - 1);
}

BOOST_AUTO_TEST_CASE(no_system_call_without_a_waiter) {
  cudax::atomic<int> a(0);
  cudax::mutex<> m{};
  cudax::ticket_mutex<> t{};
  cudax::counting_semaphore<> s(0);
  cudax::binary_semaphore<> b(0);
  cudax::fair_semaphore<> f(0);
  cudax::latch<> l(1);
  cudax::barrier<> barrier(1);
  struct triple {
    int x, y, z;
  };
  cudax::atomic<triple> locked(triple{});
  futex_calls const calls;
  a.store(1);
  a.notify_all();
  a.notify_one();
  m.lock();
  m.unlock();
  t.lock();
  t.unlock();
  s.release(3);
  s.acquire();
  b.release();
  b.acquire();
  f.release(3000);
  f.acquire();
  l.count_down();
  barrier.arrive_and_wait();
  locked.store({1, 2, 3});
  BOOST_TEST(calls.notifications() == 0);
  BOOST_TEST(calls.sleeps() == 0);
}

// A notify after a weak write may miss a thread that parks at the same moment. So the first sleep for a change is
// short, whoever can make the change.
BOOST_AUTO_TEST_CASE(the_first_sleep_for_a_change_is_short) {
  for_each_wait([](auto const& wait) {
    futex_calls const calls;
    BOOST_TEST(!wait());
    BOOST_TEST(calls.first() <= 20'000);
    BOOST_TEST(calls.sleeps() >= 2);
  });
}

// Where other threads compute, a yield lasts for their time slices. So a waiter does not repeat it.
BOOST_AUTO_TEST_CASE(a_waiter_parks_after_a_yield_that_lasts) {
  for_each_wait([](auto const& wait) {
    futex_calls const calls;
    futex_calls::delay_yields(2ms);
    BOOST_TEST(!wait());
    futex_calls::delay_yields(0ms);
    BOOST_TEST(calls.yields() == 1);
    BOOST_TEST(calls.sleeps() >= 1);
  });
}

BOOST_AUTO_TEST_CASE(a_waiter_yields_no_longer_than_it_may_wait) {
  cudax::atomic<int> wide(0);
  futex_calls const calls;
  futex_calls::delay_yields(200us);
  BOOST_TEST(!wide.wait_for(0, 300us));
  futex_calls::delay_yields(0ms);
  BOOST_TEST(calls.yields() <= 2);
}

BOOST_AUTO_TEST_CASE(a_release_wakes_as_many_threads_as_it_has_permits) {
  constexpr int threads = 20;
  cudax::counting_semaphore<cudax::thread_scope_device> s(0);
  waiting_threads waiting(threads, [&](int) { s.acquire(); });
  int released = 0;
  for (int const permits : {1, 3, 1, 5}) {
    futex_calls const calls;
    s.release(permits);
    BOOST_TEST(calls.wakes() <= permits);
    released += permits;
    while (waiting.returned() != released) std::this_thread::sleep_for(100us);
  }
  s.release(threads - released);
  waiting.join();
  BOOST_TEST(waiting.returned() == threads);
}

BOOST_AUTO_TEST_CASE(an_unlock_wakes_one_thread) {
  cudax::mutex<cudax::thread_scope_device> m{};
  m.lock();
  waiting_threads waiting(20, [&](int) {
    m.lock();
    futex_calls const calls;
    m.unlock();
    if (calls.wakes() > 1) std::terminate();
  });
  futex_calls const calls;
  m.unlock();
  BOOST_TEST(calls.wakes() <= 1);
  waiting.join();
  BOOST_TEST(waiting.returned() == 20);
}

// A queue: the thread whose turn it is, and the one that is woken ahead. More turns than they have buckets.
BOOST_AUTO_TEST_CASE(an_unlock_of_a_queue_wakes_the_next_threads_alone) {
  constexpr int threads = 200;
  std::atomic<long> most = 0;
  auto const note = [&](futex_calls const& calls) { most = std::max(most.load(), calls.wakes()); };
  cudax::ticket_mutex<cudax::thread_scope_device> m{};
  m.lock();
  waiting_threads waiting(threads, [&](int) {
    m.lock();
    futex_calls const calls;
    m.unlock();
    note(calls);
  });
  m.unlock();
  waiting.join();
  BOOST_TEST(most <= 2);

  cudax::fair_semaphore<cudax::thread_scope_device> s(0);
  most = 0;
  waiting_threads queue(threads, [&](int) { s.acquire(); });
  for (int i = 0; i < threads / 2; ++i) {
    futex_calls const calls;
    s.release();
    note(calls);
    while (queue.returned() != i + 1) std::this_thread::sleep_for(100us);
  }
  BOOST_TEST(most <= 2);
  s.release(threads / 2);
  queue.join();
  BOOST_TEST(queue.returned() == threads);
}

// More permits than the turns of a queue have places.
BOOST_AUTO_TEST_CASE(a_release_of_many_permits_wakes_the_whole_queue) {
  constexpr int threads = 200;
  long most = 0;
  for (int round = 0; round < 5; ++round) {
    cudax::fair_semaphore<cudax::thread_scope_device> s(0);
    waiting_threads queue(threads, [&](int) { s.acquire(); });
    futex_calls const calls;
    s.release(3000);
    most = std::max(most, calls.wakes());
    queue.join();
  }
  BOOST_TEST(most > threads / 2); // on a busy machine some threads are awake at the moment
}

BOOST_AUTO_TEST_CASE(timed_waiters_of_a_queue_are_woken_too) {
  cudax::ticket_mutex<cudax::thread_scope_device> m{};
  cudax::fair_semaphore<cudax::thread_scope_device> s(0);
  std::vector<double> took;
  for (int round = 0; round < 9; ++round) {
    m.lock();
    waiting_threads waiting(2, [&](int t) {
      if (t == 0 && m.try_lock_for(1h)) m.unlock();
      if (t == 1) (void)s.try_acquire_for(1h);
    });
    auto const start = clock_type::now();
    m.unlock();
    s.release();
    waiting.join();
    took.push_back(milliseconds_since(start));
  }
  BOOST_TEST(median(took) < 20); // sleep_max is 50 ms
}

// scoped_lock waits for a mutex without taking it. The wake-up of the unlock must not end there.
BOOST_AUTO_TEST_CASE(a_thread_that_only_waits_for_a_mutex_passes_the_wake_up_on) {
  using mutex = cudax::mutex<cudax::thread_scope_device>;
  std::vector<double> took;
  for (int round = 0; round < 9; ++round) {
    mutex both[2] = {};
    both[0].lock();
    std::atomic<bool> has_both = false;
    waiting_threads first(1, [&](int) {
      cudax::scoped_lock const lock(both[0], both[1]);
      has_both = true;
    });
    waiting_threads second(1, [&](int) {
      both[0].lock();
      both[0].unlock();
    });
    both[1].lock(); // so the first thread finds one mutex free and the other one held
    auto const start = clock_type::now();
    both[0].unlock();
    second.join();
    took.push_back(milliseconds_since(start));
    BOOST_TEST(!has_both);
    both[1].unlock();
    first.join();
  }
  BOOST_TEST(median(took) < 20);
}

BOOST_AUTO_TEST_CASE(a_notify_rarely_wakes_threads_that_wait_for_other_objects) {
  cudax::atomic<int, cudax::thread_scope_device> awaited(0);
  std::deque<cudax::atomic<int, cudax::thread_scope_device>> others(2000);
  waiting_threads waiting(1, [&](int) { awaited.wait(0); });
  futex_calls const calls;
  for (auto& each : others) {
    each.store(1);
    each.notify_all();
  }
  BOOST_TEST(calls.wakes() <= 2); // of 2000; about one in 30,000 meets the waiter
  awaited.store(1);
  awaited.notify_all();
}

BOOST_AUTO_TEST_CASE(waiters_of_many_objects_all_return) {
  constexpr int threads = 60;
  // Semaphores and atomics whose waiters share buckets: unpark_some must not wake the wrong thread alone.
  for (int round = 0; round < 20; ++round) {
    std::deque<cudax::counting_semaphore<cudax::thread_scope_device>> semaphores;
    for (int i = 0; i < threads; ++i) semaphores.emplace_back(0);
    waiting_threads waiting(threads, [&](int t) { semaphores[std::size_t(t)].acquire(); });
    auto const start = clock_type::now();
    for (auto& each : semaphores) each.release();
    waiting.join();
    BOOST_TEST(milliseconds_since(start) < 5000);
  }
}

// --- one thread polls for all ----------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(idle_waiters_take_little_processor_time) {
  constexpr int threads = 200;
  cudax::atomic<int> flag(0);
  waiting_threads waiting(threads, [&](int) { flag.wait(0); });
  std::this_thread::sleep_for(200ms);
  double const before = processor_milliseconds();
  long long const sleeps = futex_calls::sleeps_of_all();
  auto const start = clock_type::now();
  std::this_thread::sleep_for(500ms);
  double const wall = milliseconds_since(start), used = processor_milliseconds() - before;
  BOOST_TEST(double(futex_calls::sleeps_of_all() - sleeps) < wall * 4 + threads); // one thread: 2 in a millisecond
  BOOST_TEST(used < wall * 0.4);                                                  // 200 that poll: about 0.9
  flag.store(1);                                                                  // by a device
  waiting.join();
  BOOST_TEST(waiting.returned() == threads);
}

BOOST_AUTO_TEST_CASE(the_leader_sees_a_change_for_every_object) {
  constexpr int threads = 40;
  std::vector<double> took;
  for (int round = 0; round < 9; ++round) {
    flags all(threads);
    waiting_threads waiting(threads, [&](int t) { all[std::size_t(t)].wait(0); });
    std::this_thread::sleep_for(long_enough_to_share_polling);
    auto const start = clock_type::now();
    for (auto& each : all) each.store(1);
    waiting.join();
    took.push_back(milliseconds_since(start));
  }
  BOOST_TEST(median(took) < 40); // a follower sleeps longer
}

/// Returns how long a waiter takes to see a device's store after another waiter, which may have been the leader, left.
double after_a_departure(std::function<void(cudax::atomic<int>&)> const& wait, bool changes) {
  flags all(3);
  waiting_threads first(1, [&](int) { wait(all[0]); });
  std::this_thread::sleep_for(long_enough_to_share_polling);
  waiting_threads others(2, [&](int t) { all[std::size_t(t) + 1].wait(0); });
  std::this_thread::sleep_for(long_enough_to_share_polling);
  if (changes) {
    all[0].store(1);
    all[0].notify_all();
  }
  first.join();
  double slowest = 0;
  for (int const t : {1, 2}) { // the first of them may lead when it leaves
    auto const start = clock_type::now();
    all[std::size_t(t)].store(1);
    while (others.returned() != t) std::this_thread::sleep_for(50us);
    slowest = std::max(slowest, milliseconds_since(start));
  }
  return slowest;
}

BOOST_AUTO_TEST_CASE(a_leader_that_leaves_hands_over) {
  std::vector<double> took;
  for (int round = 0; round < 9; ++round)
    took.push_back(after_a_departure([](cudax::atomic<int>& flag) { flag.wait(0); }, true));
  BOOST_TEST(median(took) < 20);
}

BOOST_AUTO_TEST_CASE(a_leader_that_times_out_hands_over) {
  std::vector<double> took;
  for (int round = 0; round < 9; ++round)
    took.push_back(after_a_departure([](cudax::atomic<int>& flag) { (void)flag.wait_for(0, 60ms); }, false));
  BOOST_TEST(median(took) < 20);
}

// A waiter may end the object's lifetime when it returns: the leader must not access the object after that. The address
// sanitizer and the thread sanitizer see it.
BOOST_AUTO_TEST_CASE(the_leader_does_not_access_objects_without_waiters) {
  cudax::atomic<int> keeps_leading(0);
  waiting_threads leader(1, [&](int) { keeps_leading.wait(0); });
  std::atomic<bool> stop = false;
  std::vector<std::jthread> all;
  for (int t = 0; t < 8; ++t)
    all.emplace_back([&] {
      while (!stop) {
        auto const object = std::make_unique<cudax::atomic<int>>(0);
        (void)object->wait_for(0, 3ms);
        object->store(1, cudax::memory_order_relaxed);
      }
    });
  std::this_thread::sleep_for(500ms);
  stop = true;
  all.clear();
  keeps_leading.store(1);
  keeps_leading.notify_all();
}

BOOST_AUTO_TEST_CASE(waits_of_every_kind_return) {
  for (int round = 0; round < 3; ++round) {
    cudax::latch<> latch(1);
    cudax::barrier<> barrier(2);
    cudax::counting_semaphore<> semaphore(0);
    cudax::atomic<char> small(0);
    cudax::atomic<long> large(0);
    struct triple {
      int x, y, z;
    };
    cudax::atomic<triple> locked(triple{});
    cudax::mutex<> mutex{};
    cudax::ticket_mutex<> tickets{};
    mutex.lock();
    tickets.lock();
    waiting_threads waiting(8, [&](int t) {
      if (t == 0) latch.wait();
      if (t == 1) barrier.arrive_and_wait();
      if (t == 2) semaphore.acquire();
      if (t == 3) small.wait(0);
      if (t == 4) large.wait(0);
      if (t == 5) locked.wait(triple{});
      if (t == 6) mutex.lock(), mutex.unlock();
      if (t == 7) tickets.lock(), tickets.unlock();
    });
    std::this_thread::sleep_for(long_enough_to_share_polling);
    BOOST_TEST(waiting.returned() == 0);
    latch.count_down();
    barrier.arrive_and_wait();
    semaphore.release();
    small.store(1);
    large.store(1);
    locked.store({0, 0, 1});
    mutex.unlock();
    tickets.unlock();
    waiting.join();
    BOOST_TEST(waiting.returned() == 8);
  }
}

// --- errno ---------------------------------------------------------------------------------------------------------

// A program reads errno after a call that failed, and may wait or notify before.
BOOST_AUTO_TEST_CASE(waits_and_notifications_leave_errno_unchanged) {
  struct sigaction before{}, quiet{};
  quiet.sa_handler = [](int) {}; // without SA_RESTART: the calls of the system fail with EINTR
  BOOST_REQUIRE(sigaction(SIGUSR1, &quiet, &before) == 0);
  pthread_t const self = pthread_self();
  std::atomic<bool> stop = false;
  std::jthread signals([&] {
    while (!stop) {
      pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(1ms);
    }
  });
  cudax::atomic<int> flag(0);
  cudax::atomic<int, cudax::thread_scope_device> narrow(0);
  cudax::ticket_mutex<> tickets{};
  tickets.lock();
  struct {
    char const* name;
    std::function<void()> call;
  } const cases[] = {
      {"a wait at system scope", [&] { (void)flag.wait_for(0, 10ms); }},
      {"a wait at device scope", [&] { (void)narrow.wait_for(0, 10ms); }},
      {"a lock", [&] { (void)tickets.try_lock_for(10ms); }},
      {"a sleep", [&] { cudax::this_thread::sleep_for(10ms); }},
      {"a notification",
       [&] {
         flag.notify_all();
         tickets.unlock();
       }},
      {"a yield", [] { cudax::this_thread::yield(); }},
  };
  for (auto const& [name, call] : cases) {
    errno = 77;
    call();
    int const after = errno;
    BOOST_TEST(after == 77, name << ": " << after);
  }
  stop = true;
  signals.join();
  sigaction(SIGUSR1, &before, nullptr);
}

// --- fork ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_child_has_no_parked_threads) {
  flags all(8);
  waiting_threads waiting(8, [&](int t) { all[std::size_t(t)].wait(0); }); // one of them leads
  std::this_thread::sleep_for(long_enough_to_share_polling);
  // The parent stands for a device: it stores to the child's flag and cannot notify.
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  BOOST_REQUIRE(page != MAP_FAILED);
  auto* const shared = new (page) cudax::atomic<int>(0);
  pid_t const child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60); // ends a child that hangs
    futex_calls const calls;
    for (auto& each : all) each.notify_all();
    if (calls.notifications() != 0) _exit(1);
    futex_calls const waits; // the leader of the parent does not exist: this thread has to poll
    shared->store(1);
    shared->wait(1);
    _exit(waits.longest() <= cudax::runtime::poll_interval_max && !shared->wait_for(2, 30ms) ? 0 : 3);
  }
  int status = 0;
  bool ended = false;
  while (shared->load() == 0 && !ended) {
    std::this_thread::sleep_for(100us);
    ended = waitpid(child, &status, WNOHANG) == child;
  }
  std::this_thread::sleep_for(long_enough_to_share_polling);
  shared->store(2);
  if (!ended) BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0), "status " << status);
  munmap(page, 4096);
  for (auto& each : all) each.store(1);
  waiting.join();
}

BOOST_AUTO_TEST_SUITE_END()
