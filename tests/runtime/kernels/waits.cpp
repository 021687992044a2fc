// SPDX-License-Identifier: Apache-2.0
//
// Waits that make progress, for latches, barriers, stop tokens, semaphores and locks, on simulated devices.
// progress.cpp tests what a wait does with its source.
#include "../../../runtime/interface/boundary.hpp"
#include "../simulated/futex_calls.hpp"
#include "../simulated/simulated_execution.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

import cudax.sync;
import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;
using cudax::wait_reason;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

namespace {

auto* const stream = reinterpret_cast<CUstream_st*>(0x5000);
constexpr int launch_failure = 719;

/// The kernel, which makes its change when it is queried for the third time.
struct fixture : cudax_test::simulated_execution {
  template <class Change> void kernel(Change change) {
    answer = [change, calls = 0]() mutable {
      if (++calls == 3) change();
      return int(cuda::not_ready);
    };
  }
  void kernel_that_answers(int code) {
    answer = [code] { return code; };
  }

  /// Checks three ways to wait for an object that the kernel never changes.
  template <class Wait, class For, class Until> void gives_up(Wait wait, For wait_for, Until wait_until) {
    answer = nullptr; // busy
    queries = 0;
    for (auto const length : {0ns, std::chrono::nanoseconds(-5s)})
      BOOST_CHECK(wait_for(std::chrono::nanoseconds(length)) == wait_reason::timed_out);
    BOOST_TEST(queries == 0);
    auto const start = clock_type::now();
    BOOST_CHECK(wait_for(3'000'000ns) == wait_reason::timed_out);
    BOOST_CHECK(clock_type::now() - start >= 3ms);
    auto const until = clock_type::now() + 3ms;
    BOOST_CHECK(wait_until(until) == wait_reason::timed_out);
    BOOST_CHECK(clock_type::now() >= until);
    kernel_that_answers(cuda::success);
    BOOST_CHECK(wait() == wait_reason::finished);
    kernel_that_answers(launch_failure);
    auto const dead = wait();
    BOOST_CHECK(dead == wait_reason::device_error);
    BOOST_TEST(dead.error.value() == launch_failure);
    BOOST_CHECK_THROW(dead.or_throw(), cudax::cuda_error);
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(waits, fixture)

BOOST_AUTO_TEST_CASE(a_wait_for_a_latch_ends_when_its_count_is_zero) {
  cudax::latch<> done(2);
  gives_up([&] { return cudax::wait(done, stream); },
           [&](auto length) { return cudax::wait_for(done, stream, length); },
           [&](auto point) { return cudax::wait_until(done, stream, point); });
  done.count_down();
  kernel([&] { done.count_down(); });
  BOOST_CHECK(cudax::wait(done, stream) == wait_reason::changed);
  queries = 0;
  BOOST_CHECK(cudax::wait_for(done, stream, 0s) == wait_reason::changed);
  BOOST_CHECK(cudax::wait_until(done, stream, clock_type::time_point::max()) == wait_reason::changed);
  BOOST_TEST(queries == 0);
}

BOOST_AUTO_TEST_CASE(a_host_thread_s_arrival_at_a_latch_wakes_the_waiter) {
  // A parked waiter polls by itself after at most half a millisecond. Only its futex shows whether it was woken.
  cudax_test::futex_calls const calls;
  for (int round = 0; round < 2000 && calls.woken() == 0; ++round) {
    cudax::latch<> done(1);
    std::jthread const other([&] {
      std::this_thread::sleep_for(10ms);
      done.count_down();
    });
    BOOST_CHECK(cudax::wait(done, stream) == wait_reason::changed);
  }
  BOOST_TEST(calls.woken() > 0);
}

BOOST_AUTO_TEST_CASE(a_wait_for_the_token_of_a_barrier_ends_with_its_phase) {
  cudax::barrier<> both(2);
  auto token = both.arrive();
  gives_up([&] { return cudax::wait(both, token, stream); },
           [&](auto length) { return cudax::wait_for(both, token, stream, length); },
           [&](auto point) { return cudax::wait_until(both, token, stream, point); });
  kernel([&] { (void)both.arrive(); });
  BOOST_CHECK(cudax::wait(both, std::move(token), stream) == wait_reason::changed);
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_stop_token_ends_with_the_request) {
  cudax::stop_state<> state{};
  auto const stop = cudax::stop_source(state).get_token();
  gives_up([&] { return cudax::wait(stop, stream); },
           [&](auto length) { return cudax::wait_for(stop, stream, length); },
           [&](auto point) { return cudax::wait_until(stop, stream, point); });
  kernel([&] { cudax::stop_source(state).request_stop(); });
  BOOST_CHECK(cudax::wait(stop, stream) == wait_reason::changed);
}

template <class Semaphore> void acquires_one_permit(fixture& f, ptrdiff_t permits) {
  Semaphore semaphore(0);
  f.gives_up([&] { return cudax::acquire(semaphore, stream); },
             [&](auto length) { return cudax::try_acquire_for(semaphore, stream, length); },
             [&](auto point) { return cudax::try_acquire_until(semaphore, stream, point); });
  f.kernel([&] { semaphore.release(permits); });
  BOOST_CHECK(cudax::acquire(semaphore, stream) == wait_reason::changed);
  for (ptrdiff_t left = permits - 1; left > 0; --left)
    BOOST_CHECK(cudax::try_acquire_for(semaphore, stream, 0s) == wait_reason::changed);
  BOOST_CHECK(cudax::try_acquire_for(semaphore, stream, 0s) == wait_reason::timed_out);
}
BOOST_AUTO_TEST_CASE(acquire_takes_one_permit_of_a_semaphore) {
  acquires_one_permit<cudax::counting_semaphore<>>(*this, 3);
  acquires_one_permit<cudax::binary_semaphore<>>(*this, 1);
  acquires_one_permit<cudax::fair_semaphore<>>(*this, 2);
}

template <class Mutex> void takes_the_lock(fixture& f) {
  Mutex mutex{};
  mutex.lock();
  f.gives_up([&] { return cudax::lock(mutex, stream); },
             [&](auto length) { return cudax::try_lock_for(mutex, stream, length); },
             [&](auto point) { return cudax::try_lock_until(mutex, stream, point); });
  f.kernel([&] { mutex.unlock(); });
  BOOST_CHECK(cudax::lock(mutex, stream) == wait_reason::changed);
  BOOST_TEST(!mutex.try_lock());
  mutex.unlock();
  BOOST_CHECK(cudax::try_lock_until(mutex, stream, clock_type::now()) == wait_reason::changed);
  BOOST_TEST(!mutex.try_lock());
  mutex.unlock();
}
BOOST_AUTO_TEST_CASE(lock_takes_a_mutex_once) {
  takes_the_lock<cudax::mutex<>>(*this);
  takes_the_lock<cudax::ticket_mutex<>>(*this);
}

BOOST_AUTO_TEST_CASE(a_host_thread_s_unlock_wakes_the_waiter) {
  // As above, for the latch.
  cudax_test::futex_calls const calls;
  for (int round = 0; round < 2000 && calls.woken() == 0; ++round) {
    cudax::mutex<> mutex{};
    mutex.lock();
    std::jthread const other([&] {
      std::this_thread::sleep_for(10ms);
      mutex.unlock();
    });
    BOOST_CHECK(cudax::lock(mutex, stream) == wait_reason::changed);
    mutex.unlock();
  }
  BOOST_TEST(calls.woken() > 0);
}

BOOST_AUTO_TEST_CASE(a_waiter_that_took_the_lock_wakes_a_parked_thread_by_its_unlock) {
  // The kernel unlocks by a store, which wakes no thread and removes the mark that another thread is parked. Threads
  // that wait at device scope do not poll for the kernel, so only the waiter's own unlock ends the sleep of the other.
  cudax_test::futex_calls const calls;
  for (int round = 0; round < 200 && calls.wakes() == 0; ++round) {
    cudax::mutex<cudax::thread_scope_device> mutex{};
    mutex.lock();
    std::atomic<int> asleep{0};
    std::jthread const other([&] {
      cudax_test::futex_calls::count_sleeping_in(asleep);
      mutex.lock();
      mutex.unlock();
    });
    kernel([&] {
      while (asleep == 0) std::this_thread::yield();
      cudax::atomic_ref(reinterpret_cast<unsigned&>(mutex)).store(0);
    });
    BOOST_CHECK(cudax::lock(mutex, stream) == wait_reason::changed);
    mutex.unlock();
  }
  BOOST_TEST(calls.wakes() > 0);
}

BOOST_AUTO_TEST_SUITE_END()
