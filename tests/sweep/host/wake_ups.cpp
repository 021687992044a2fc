// SPDX-License-Identifier: Apache-2.0
//
// No wake-up is lost: a thread that waits for a primitive does not fall asleep after another thread has changed the
// primitive and has notified. In late_stores, where each order of this protocol is needed: the write before a wake,
// the load of the count of waiters, the waiter's entry and its fence (runtime/waiting/orders.md).
#define BOOST_TEST_MODULE late
#include "pairs.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>

import cudax.sync;

using namespace cudax_sweep;
constexpr auto device = cudax::thread_scope_device, everywhere = cudax::thread_scope_system;

using namespace std::chrono_literals;

namespace {

/// Takes as long as a waiter spins, and now and then so long that it has to sleep.
void take_long() noexcept {
  thread_local int calls = 0;
  if (++calls % 4 == 0) std::this_thread::sleep_for(4ms);
  meeting::pass(1'500'000);
}

/// A value that is copied slowly, so that its lock is held for long.
struct large {
  int values[4000] = {};
};

/// A value that is made slowly, so that its slot is reserved for long.
struct slowly_made {
  int value;
  slowly_made(int from) noexcept : value(from) { take_long(); }
};

constexpr long long any_sleep = -1'000'000'000;

/// Two threads call waits(object) and changes(object) at about the same time, each time with another object.
template <class Objects, class Waits, class Changes>
void no_wake_up_is_lost(Objects& all, Waits waits, Changes changes, long long shortest = any_sleep) {
  meeting::forget(shortest);
  run_pairs(
      all, [=](auto& each, int) { waits(each); },
      [=](auto& each, int round) {
        // While the waiter spins, or after it has entered the count.
        meeting::pass(round % 2 == 0 ? 300'000 : 8'000'000);
        changes(each);
        meeting::notified(round);
      });
  BOOST_TEST_MESSAGE(meeting::sleeps());
  BOOST_TEST(meeting::lost_wake_ups() == 0);
}

/// The same where the waiter has to sleep now and then, or the case tests nothing. Where it waits for its turn, it may
/// spin for as long as the change takes on a busy machine.
template <class Objects, class Waits, class Changes>
void no_wake_up_of_a_sleeper_is_lost(Objects& all, Waits waits, Changes changes, long long shortest = any_sleep) {
  no_wake_up_is_lost(all, waits, changes, shortest);
  BOOST_TEST(meeting::sleeps() > 0);
}

/// A mutex that is locked.
template <class Mutex> struct locked : Mutex {
  locked() : Mutex{} { this->lock(); }
};

struct shared_and_held : cudax::shared_mutex<device> {
  shared_and_held() : cudax::shared_mutex<device>{} { this->lock_shared(); }
};

struct awaited_condition {
  cudax::mutex<device> mutex{};
  cudax::condition_variable_any<device> condition{};
  bool is_true = false;
};

struct locked_cohort {
  cudax::ticket_mutex<device> outer{};
  cudax::cohort_mutex<cudax::ticket_mutex<device>, device> mine{outer};

  locked_cohort() { mine.lock(); }
};

struct no_completion {
  void operator()() const noexcept {}
};

struct slow_call {
  void operator()() const noexcept { take_long(); }
};
/// For as long as a store is late.
struct long_call {
  void operator()() const noexcept { std::this_thread::sleep_for(10ms); }
};
struct longer_call {
  void operator()() const noexcept { meeting::pass(20'000'000); }
};

template <class Call> struct called_back {
  using callback_type = cudax::stop_callback<Call, device>;
  cudax::stop_state<device> state{};
  cudax::stop_source<device> source{state};
  std::optional<callback_type> callback{std::in_place, source.get_token(), Call{}};
};

/// The request calls `first` first, for so long that another thread has time to poll the other one.
struct polled_callback : called_back<longer_call> {
  cudax::stop_callback<long_call, device> first{source.get_token(), long_call{}};
};

struct two_flags {
  cudax::atomic<int> first{0}, second{0};
  std::chrono::microseconds first_waits = 8000us + 60us * (this_number()++ % 80);
  static int& this_number() {
    static int number = 0;
    return number;
  }
};

struct small_map {
  using map = cudax::insert_only_map<int, slowly_made, device, cudax::value_hash, cudax::value_equal, 0>;
  map::slot slots[4] = {};
  map view{slots, 4};
};

} // namespace

BOOST_AUTO_TEST_SUITE(wake_ups)

BOOST_AUTO_TEST_CASE(atomic_store) {
  objects<cudax::atomic<int, device>> all(0);
  no_wake_up_of_a_sleeper_is_lost(
      all, [](auto& each) { each.wait(0); }, [](auto& each) { each.store(1), each.notify_one(); });
}
BOOST_AUTO_TEST_CASE(atomic_store_system) {
  objects<cudax::atomic<int, everywhere>> all(0);
  no_wake_up_of_a_sleeper_is_lost(
      all, [](auto& each) { each.wait(0); }, [](auto& each) { each.store(1), each.notify_all(); });
}
BOOST_AUTO_TEST_CASE(atomic_fetch_add) {
  objects<cudax::atomic<long, device>> all(0);
  no_wake_up_of_a_sleeper_is_lost(all, [](auto& each) { each.wait(0); }, [](auto& each) { ++each, each.notify_all(); });
}
BOOST_AUTO_TEST_CASE(atomic_with_a_lock) {
  objects<cudax::atomic<large, device>> all(large{});
  no_wake_up_is_lost(
      all, [](auto& each) { meeting::pass(400'000), (void)each.load(); }, [](auto& each) { each.store(large{}); });
}

BOOST_AUTO_TEST_CASE(mutex) {
  objects<locked<cudax::mutex<device>>> all;
  no_wake_up_of_a_sleeper_is_lost(all, [](auto& each) { each.lock(); }, [](auto& each) { each.unlock(); });
}
BOOST_AUTO_TEST_CASE(ticket_mutex) {
  objects<locked<cudax::ticket_mutex<device>>> all;
  no_wake_up_is_lost(all, [](auto& each) { each.lock(); }, [](auto& each) { each.unlock(); });
}
BOOST_AUTO_TEST_CASE(ticket_mutex_timed) {
  objects<locked<cudax::ticket_mutex<device>>> all;
  no_wake_up_is_lost(all, [](auto& each) { (void)each.try_lock_for(1h); }, [](auto& each) { each.unlock(); });
}
BOOST_AUTO_TEST_CASE(shared_mutex_of_a_writer) {
  objects<locked<cudax::shared_mutex<device>>> all;
  no_wake_up_of_a_sleeper_is_lost(all, [](auto& each) { each.lock_shared(); }, [](auto& each) { each.unlock(); });
}
BOOST_AUTO_TEST_CASE(shared_mutex_of_a_reader) {
  objects<shared_and_held> all;
  no_wake_up_of_a_sleeper_is_lost(all, [](auto& each) { each.lock(); }, [](auto& each) { each.unlock_shared(); });
}
BOOST_AUTO_TEST_CASE(shared_mutex_of_a_claim_that_ends) {
  objects<shared_and_held> all;
  no_wake_up_is_lost(
      all, [](auto& each) { meeting::pass(400'000), each.lock_shared(); },
      [](auto& each) { (void)each.try_lock_for(900us); });
}

BOOST_AUTO_TEST_CASE(counting_semaphore) {
  objects<cudax::counting_semaphore<device>> all(0);
  no_wake_up_of_a_sleeper_is_lost(all, [](auto& each) { each.acquire(); }, [](auto& each) { each.release(); });
}
BOOST_AUTO_TEST_CASE(binary_semaphore) {
  objects<cudax::binary_semaphore<device>> all(0);
  no_wake_up_of_a_sleeper_is_lost(all, [](auto& each) { each.acquire(); }, [](auto& each) { each.release(); });
}
BOOST_AUTO_TEST_CASE(fair_semaphore) {
  objects<cudax::fair_semaphore<device>> all(0);
  no_wake_up_is_lost(all, [](auto& each) { each.acquire(); }, [](auto& each) { each.release(); });
}

BOOST_AUTO_TEST_CASE(latch) {
  objects<cudax::latch<device>> all(1);
  no_wake_up_of_a_sleeper_is_lost(all, [](auto& each) { each.wait(); }, [](auto& each) { each.count_down(); });
}
BOOST_AUTO_TEST_CASE(barrier) {
  objects<cudax::barrier<device>> all(2);
  no_wake_up_of_a_sleeper_is_lost(
      all, [](auto& each) { each.arrive_and_wait(); }, [](auto& each) { (void)each.arrive(); });
}
BOOST_AUTO_TEST_CASE(barrier_with_a_completion) {
  objects<cudax::barrier<device, no_completion>> all(2);
  no_wake_up_of_a_sleeper_is_lost(
      all, [](auto& each) { each.arrive_and_wait(); }, [](auto& each) { (void)each.arrive(); });
}
BOOST_AUTO_TEST_CASE(condition_variable) {
  objects<awaited_condition> all;
  no_wake_up_of_a_sleeper_is_lost(
      all,
      [](auto& each) {
        each.mutex.lock();
        each.condition.wait(each.mutex, [&] { return each.is_true; });
        each.mutex.unlock();
      },
      [](auto& each) {
        each.mutex.lock();
        each.is_true = true;
        each.mutex.unlock();
        each.condition.notify_one();
      });
}
BOOST_AUTO_TEST_CASE(once_flag) {
  objects<cudax::basic_once_flag<device>> all;
  no_wake_up_of_a_sleeper_is_lost(
      all, [](auto& each) { meeting::pass(400'000), call_once(each, [] {}); },
      [](auto& each) { call_once(each, slow_call{}); });
}
BOOST_AUTO_TEST_CASE(cohort_mutex) {
  objects<locked_cohort> all;
  no_wake_up_is_lost(all, [](auto& each) { each.mine.lock(); }, [](auto& each) { each.mine.unlock(); });
}
BOOST_AUTO_TEST_CASE(stop_callback) {
  objects<called_back<slow_call>> all;
  no_wake_up_of_a_sleeper_is_lost(
      all, [](auto& each) { meeting::pass(400'000), each.callback.reset(); },
      [](auto& each) { each.source.request_stop(); });
}
BOOST_AUTO_TEST_CASE(stop_callback_that_a_thread_polls) {
  objects<polled_callback> all;
  no_wake_up_of_a_sleeper_is_lost(
      all, [](auto& each) { each.source.request_stop(); },
      [](auto& each) {
        // The fence, so that the request is not seen so late that it has called everything.
        while (!each.callback->poll()) cudax::atomic_thread_fence(cudax::memory_order_seq_cst);
      });
}
BOOST_AUTO_TEST_CASE(stop_requests_of_two_threads) {
  objects<called_back<slow_call>> all;
  no_wake_up_is_lost(
      all, [](auto& each) { each.source.request_stop(); }, [](auto& each) { each.source.request_stop(); });
}
BOOST_AUTO_TEST_CASE(insert_only_map) {
  objects<small_map> all;
  no_wake_up_of_a_sleeper_is_lost(
      all, [](auto& each) { meeting::pass(400'000), (void)each.view.try_insert(1, 1); },
      [](auto& each) { (void)each.view.try_insert(1, 1); });
}

// The thread that polls for all leaves: another one polls, or finds that none does before it sleeps for long.
BOOST_AUTO_TEST_CASE(leader_that_leaves) {
  objects<two_flags> all;
  no_wake_up_is_lost(
      all,
      [](auto& each) {
        meeting::pass(6'000'000);
        (void)each.second.wait_for(0, 40ms);
      },
      [](auto& each) { (void)each.first.wait_for(0, each.first_waits); },
      5'000'000); // a thread that polls sleeps for 0.5 ms
}

BOOST_AUTO_TEST_SUITE_END()
