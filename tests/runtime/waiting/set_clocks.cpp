// SPDX-License-Identifier: Apache-2.0
//
// Waits until a time point of a clock that is set meanwhile.  [thread.req.timing]
#include "../../../runtime/interface/boundary.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

import cudax.sync;
import cudax.sync.host;

using namespace std::chrono_literals;
using true_clock = std::chrono::steady_clock;

namespace {

/// A clock that a test sets.
struct settable_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<settable_clock>;
  static constexpr bool is_steady = false;
  static inline std::atomic<rep> shift{0};

  static time_point now() { return time_point(true_clock::now().time_since_epoch() + duration(shift.load())); }
  static void set_forward(duration by) { shift.fetch_add(by.count()); }
};

/// A clock of another library, which does not say whether it is steady.
struct unknown_clock {
  using duration = settable_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<unknown_clock>;

  static time_point now() { return time_point(settable_clock::now().time_since_epoch()); }
};

/// Objects for whose change threads wait in vain.
struct objects {
  cudax::atomic<int> system{0};
  cudax::atomic<int, cudax::thread_scope_device> device{0};
  struct triple {
    int x, y, z;
  };
  cudax::atomic<triple> locked{triple{}};
  cudax::latch<> latch{1};
  cudax::barrier<> barrier{2};
  cudax::counting_semaphore<> semaphore{0};
  cudax::fair_semaphore<> fair{0};
  cudax::mutex<> mutex{};
  cudax::ticket_mutex<> tickets{};
  cudax::mutex<cudax::thread_scope_device> outer{};
  cudax::cohort_mutex<cudax::mutex<cudax::thread_scope_device>> cohort{outer};
  cudax::shared_mutex<> read{}, written{};
  cudax::mutex<> of_condition{};
  cudax::condition_variable_any<> condition{};

  objects() {
    mutex.lock();
    tickets.lock();
    outer.lock();
    read.lock_shared();
    written.lock();
  }
};

/// Each function that waits until a time point, with a time point in an hour. The results say whether it has timed out.
template <class Clock> std::vector<std::function<bool()>> waits(objects& o) {
  auto const point = Clock::now() + 1h;
  return {[&o, point] { return !o.system.wait_until(0, point); },
          [&o, point] { return !o.device.wait_until(0, point); },
          [&o, point] { return !o.locked.wait_until({}, point); },
          [&o, point] { return !o.latch.wait_until(point); },
          [&o, point] { return !o.barrier.try_wait_until(o.barrier.arrive(), point); },
          [&o, point] { return !o.semaphore.try_acquire_until(point); },
          [&o, point] { return !o.fair.try_acquire_until(point); },
          [&o, point] { return !o.mutex.try_lock_until(point); },
          [&o, point] { return !o.tickets.try_lock_until(point); },
          [&o, point] { return !o.cohort.try_lock_until(point); },
          [&o, point] { return !o.read.try_lock_until(point); },
          [&o, point] { return !o.written.try_lock_shared_until(point); },
          [&o, point] {
            o.of_condition.lock();
            return o.condition.wait_until(o.of_condition, point) == cudax::cv_status::timeout;
          },
          [point] {
            cudax::this_thread::sleep_until(point);
            return true;
          },
          [&o, point] {
            auto const idle = [] {};
            return cudax::wait_until(o.system, 0, idle, point) == cudax::wait_reason::timed_out;
          }};
}

} // namespace

BOOST_AUTO_TEST_SUITE(set_clocks)

BOOST_AUTO_TEST_CASE(a_wait_ends_soon_if_the_clock_is_set_past_its_time_point) {
  objects first, second;
  std::atomic<int> timed_out = 0;
  std::vector<std::jthread> threads;
  auto all = waits<settable_clock>(first);
  for (auto& wait : waits<unknown_clock>(second)) all.push_back(wait);
  for (auto const& wait : all) threads.emplace_back([&] { timed_out += wait(); });
  std::this_thread::sleep_for(30ms);
  BOOST_TEST(timed_out == 0);
  auto const start = true_clock::now();
  settable_clock::set_forward(2h);
  threads.clear();
  BOOST_TEST(timed_out == int(all.size()));
  BOOST_TEST((true_clock::now() - start < 30s)); // a machine with much other work
}

// A writer that has claimed the lock keeps new readers out, however often it reads the clock.
BOOST_AUTO_TEST_CASE(a_writer_keeps_its_claim_while_it_reads_the_clock) {
  cudax::shared_mutex<> mutex{};
  mutex.lock_shared();
  std::atomic<bool> has_written = false;
  std::jthread writer([&] {
    has_written = mutex.try_lock_until(settable_clock::now() + 1h);
    if (has_written) mutex.unlock();
  });
  while (mutex.try_lock_shared()) {
    mutex.unlock_shared();
    std::this_thread::sleep_for(1ms);
  }
  auto const beyond_a_round = std::chrono::nanoseconds(cudax::runtime::round_max) * 5 / 4;
  bool const has_entered = mutex.try_lock_shared_for(beyond_a_round);
  BOOST_TEST(!has_entered);
  if (has_entered) mutex.unlock_shared();
  mutex.unlock_shared();
  writer.join();
  BOOST_TEST(has_written.load());
}

BOOST_AUTO_TEST_SUITE_END()
