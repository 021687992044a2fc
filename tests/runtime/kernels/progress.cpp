// SPDX-License-Identifier: Apache-2.0
//
// Waits that make progress, on simulated devices: what each source answers, and how the wait reacts.
#include "../../../runtime/interface/boundary.hpp"
#include "../../support/scripted_clock.hpp"
#include "../simulated/futex_calls.hpp"
#include "../simulated/simulated_execution.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

import cudax.sync;
import cudax.sync.host;

namespace cuda = cudax::runtime::cuda;
using cudax::progress;
using cudax::wait_reason;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

namespace {

auto* const stream = reinterpret_cast<CUstream_st*>(0x5000);
auto* const event = reinterpret_cast<CUevent_st*>(0x6000);
constexpr int launch_failure = 719, no_kernel_image = 209;

enum class cuda_like { success, not_ready = 600, illegal_address = 700 };

struct fixture : cudax_test::simulated_execution {
  cudax::atomic<int> flag = 0;

  /// The n-th and later queries answer `code`, earlier ones not_ready.
  void answer_from(int n, int code) {
    answer = [=, this] { return queries >= n ? code : cuda::not_ready; };
  }
};

double milliseconds_since(clock_type::time_point start) {
  return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(progress_of_devices, fixture)

BOOST_AUTO_TEST_CASE(every_source_is_queried_until_the_object_changes) {
  std::atomic<int> calls = 0;
  auto const query = [&] { ++calls; };
  auto const handle_query = [this] { return static_cast<cuda_like>(answer()); };
  struct {
    char const* name;
    progress by;
  } const sources[] = {{"stream", stream},
                       {"event", event},
                       {"device", progress::of_device(1)},
                       {"current device", progress::of_current_device()},
                       {"callable", query},
                       {"callable with a result", handle_query}};
  for (auto const& [name, by] : sources) {
    BOOST_TEST_CONTEXT(name) {
      flag.store(0);
      queries = calls = 0;
      // A store by a device, without a notification. The machine makes progress only when it is queried.
      answer = [this] {
        if (++queries >= 5) flag.store(1); // the machine counts queries, too
        return int(cuda::not_ready);
      };
      std::jthread helper;
      if (by.source().poll && by.source().handle == &query)
        helper = std::jthread([&] {
          while (calls < 5) std::this_thread::sleep_for(1ms);
          flag.store(1);
        });
      auto const result = cudax::wait(flag, 0, by);
      BOOST_CHECK(result == wait_reason::changed);
      BOOST_TEST(bool(result));
      BOOST_CHECK(!result.error);
      BOOST_CHECK_NO_THROW(result.or_throw());
      BOOST_TEST(queries + calls >= 5);
    }
  }
  BOOST_TEST(last_event == event);
}

BOOST_AUTO_TEST_CASE(the_answer_of_a_query_decides_the_result) {
  struct {
    char const* name;
    progress by;
    int code;
    wait_reason expected;
  } const cases[] = {
      {"a stream that has finished", stream, cuda::success, wait_reason::finished},
      {"an event that has finished", event, cuda::success, wait_reason::finished},
      {"the default stream", static_cast<CUstream_st*>(nullptr), cuda::success, wait_reason::finished},
      {"an idle device", progress::of_device(0), cuda::success, wait_reason::timed_out},
      {"a busy stream", stream, cuda::not_ready, wait_reason::timed_out},
      {"a stream with a dead kernel", stream, launch_failure, wait_reason::device_error},
      {"an event with a dead kernel", event, launch_failure, wait_reason::device_error},
      {"a dead device", progress::of_device(1), launch_failure, wait_reason::device_error},
  };
  for (auto const& [name, by, code, expected] : cases)
    for (int const n : {1, 2, 60}) {
      BOOST_TEST_CONTEXT(name << ", query " << n) {
        queries = 0;
        answer_from(n, code);
        auto const result = cudax::wait_for(flag, 0, by, expected == wait_reason::timed_out ? 20ms : 300s);
        BOOST_CHECK(result == expected);
        BOOST_TEST(!result);
        BOOST_TEST(result.error.value() == (expected == wait_reason::device_error ? launch_failure : 0));
        BOOST_TEST(queries >= (expected == wait_reason::timed_out ? 1 : n));
      }
    }
}

BOOST_AUTO_TEST_CASE(the_first_failing_query_ends_the_wait_and_is_the_last) {
  std::atomic<bool> dead = false;
  std::atomic<int> queries_of_the_dead = 0;
  clock_type::time_point died;
  answer = [&] {
    if (!dead) return int(cuda::not_ready);
    ++queries_of_the_dead;
    return launch_failure;
  };
  std::jthread const killer([&] {
    std::this_thread::sleep_for(50ms); // long enough for the waiter to park
    died = clock_type::now();
    dead = true;
  });
  auto const result = cudax::wait(flag, 0, stream);
  BOOST_TEST_MESSAGE("an error was reported after " << milliseconds_since(died) << " ms");
  BOOST_CHECK(result == wait_reason::device_error);
  BOOST_TEST(queries_of_the_dead == 1);
  std::this_thread::sleep_for(5ms);
  BOOST_TEST(queries_of_the_dead == 1);
}

BOOST_AUTO_TEST_CASE(a_change_takes_precedence_over_a_later_end_or_error) {
  for (int const code : {int(cuda::success), launch_failure}) {
    flag.store(0);
    answer = [=, this] {
      flag.store(1); // after the poll that observed no change
      return code;
    };
    BOOST_CHECK(cudax::wait(flag, 0, stream) == wait_reason::changed);
  }
}

BOOST_AUTO_TEST_CASE(a_host_thread_s_notify_wakes_the_waiter) {
  // A parked waiter polls by itself after at most half a millisecond. Only its futex shows whether it was woken.
  cudax_test::futex_calls const calls;
  // A thread that was descheduled for long may poll by itself, so rounds continue until a waiter was woken.
  std::vector<double> took;
  for (int round = 1; round <= 15 || (calls.woken() == 0 && round <= 2000); ++round) {
    std::atomic<clock_type::time_point> notified{};
    std::jthread const notifier([&] {
      std::this_thread::sleep_for(10ms);
      notified = clock_type::now();
      flag.store(round);
      flag.notify_all();
    });
    BOOST_CHECK(cudax::wait(flag, round - 1, stream) == wait_reason::changed);
    took.push_back(milliseconds_since(notified));
  }
  std::sort(took.begin(), took.end());
  BOOST_TEST_MESSAGE("notify to return: " << took.front() << " to " << took.back() << " ms");
  BOOST_TEST(calls.woken() > 0);
}

BOOST_AUTO_TEST_CASE(a_waiter_queries_at_intervals) {
  auto const start = clock_type::now();
  cudax_test::futex_calls const calls;
  BOOST_CHECK(cudax::wait_for(flag, 0, stream, 300ms) == wait_reason::timed_out);
  double const took = milliseconds_since(start);
  BOOST_TEST(took >= 300.0);
  BOOST_TEST(calls.sleeps() >= 3);
  BOOST_TEST(calls.longest() <= cudax::runtime::poll_interval_max);
  BOOST_TEST(queries >= calls.sleeps()); // after each sleep, however loaded the machine is
  // Of the 256 polls before parking only a few query the device. Then the intervals grow: about 20 queries in 5 ms.
  queries = 0;
  BOOST_CHECK(cudax::wait_for(flag, 0, stream, 5ms) == wait_reason::timed_out);
  BOOST_TEST(queries < 128);
}

BOOST_AUTO_TEST_CASE(a_wait_ends_at_its_time_limit) {
  struct {
    char const* name;
    wait_reason expected;
    std::chrono::nanoseconds length;
    int queries;
  } const cases[] = {{"none", wait_reason::timed_out, 0ns, 0}, {"negative", wait_reason::timed_out, -5s, 0}};
  for (auto const& c : cases) {
    BOOST_CHECK(cudax::wait_for(flag, 0, stream, c.length) == c.expected);
    BOOST_TEST(queries == c.queries, c.name);
    BOOST_CHECK(cudax::wait_for(flag, 1, stream, c.length) == wait_reason::changed);
  }
  for (auto const length : {1ns, 3'000'000ns}) {
    auto const start = clock_type::now();
    BOOST_CHECK(cudax::wait_for(flag, 0, stream, length) == wait_reason::timed_out);
    BOOST_CHECK(clock_type::now() - start >= length);
  }
  for (auto const& until : {clock_type::now() + 5ms, clock_type::now() - 5ms, clock_type::time_point::min()}) {
    BOOST_CHECK(cudax::wait_until(flag, 0, stream, until) == wait_reason::timed_out);
    BOOST_CHECK(clock_type::now() >= until);
  }
  BOOST_CHECK(cudax::wait_until(flag, 0, stream, cudax::system_clock::now() + cudax::nanoseconds(5'000'000)) ==
              wait_reason::timed_out);
  BOOST_CHECK(cudax::wait_until(flag, 7, stream, clock_type::time_point::max()) == wait_reason::changed);
  queries = 0;
  answer_from(3, cuda::success);
  BOOST_CHECK(cudax::wait_until(flag, 0, stream, clock_type::time_point::max()) == wait_reason::finished);
  queries = 0;
  BOOST_CHECK(cudax::wait_for(flag, 0, stream, std::chrono::hours::max()) == wait_reason::finished);
}

BOOST_AUTO_TEST_CASE(a_nan_time_counts_as_past_as_in_every_other_wait) {
  double const nan = __builtin_nan("");
  answer_from(3, cuda::success); // the third query ends a wait that continues
  BOOST_CHECK(cudax::wait_for(flag, 0, stream, std::chrono::duration<double>(nan)) == wait_reason::timed_out);
  BOOST_CHECK(cudax::wait_for(flag, 1, stream, std::chrono::duration<float>(-nan)) == wait_reason::changed);
  using cudax_test::scripted_clock;
  struct {
    double point, reading;
  } const cases[] = {{nan, -0.01}, {nan, 0.01}, {0.01, nan}, {-0.01, nan}, {nan, nan}};
  for (auto const& [point, reading] : cases) {
    scripted_clock::begin(reading, 1.0);
    BOOST_CHECK(cudax::wait_until(flag, 0, stream, scripted_clock::at(point)) == wait_reason::timed_out);
    BOOST_TEST(scripted_clock::readings <= 1);
    BOOST_CHECK(cudax::wait_until(flag, 1, stream, scripted_clock::at(point)) == wait_reason::changed);
  }
  BOOST_TEST(queries == 0);
}

BOOST_AUTO_TEST_CASE(times_saturate_at_the_largest_count_of_nanoseconds_as_in_every_other_wait) {
  using cudax_test::scripted_clock;
  constexpr double early = 9.1e9, late = 9.15e9; // seconds; 2^63 ns are 9.223e9 s
  answer_from(3, cuda::success);                 // the third query ends a wait that continues
  scripted_clock::begin(late, late);
  BOOST_CHECK(cudax::wait_until(flag, 0, stream, scripted_clock::at(early)) == wait_reason::timed_out);
  BOOST_TEST(queries == 0);
  scripted_clock::begin(-late, -late);
  BOOST_CHECK(cudax::wait_until(flag, 0, stream, scripted_clock::at(-early)) == wait_reason::finished);
}

BOOST_AUTO_TEST_CASE(a_wait_leaves_errno_unchanged) {
  for (int const n : {1, 3, 60}) { // queries while it spins, and between sleeps
    queries = 0;
    answer_from(n, cuda::success);
    errno = 77;
    bool const has_finished = cudax::wait(flag, 0, stream) == wait_reason::finished;
    int const after = errno;
    BOOST_TEST(has_finished);
    BOOST_TEST(after == 77);
  }
}

BOOST_AUTO_TEST_CASE(a_failed_launch_is_reported_if_no_work_is_left) {
  last_error = no_kernel_image;
  answer_from(1, cuda::success);
  auto const result = cudax::wait(flag, 0, stream);
  BOOST_CHECK(result == wait_reason::device_error);
  BOOST_TEST(result.error.value() == no_kernel_image);
  BOOST_TEST(last_error == no_kernel_image); // the program can still query it
  // Also if the stream has work at first.
  queries = 0;
  answer_from(3, cuda::success);
  BOOST_TEST(cudax::wait(flag, 0, stream).error.value() == no_kernel_image);
  // What the program's own query left behind is not a launch error.
  last_error = cuda::not_ready;
  BOOST_CHECK(cudax::wait(flag, 0, stream) == wait_reason::finished);
  // While there is work, the error may be an older one that the program knows.
  queries = 0;
  answer = [this] {
    if (queries == 3) flag.store(1);
    return int(cuda::not_ready);
  };
  BOOST_CHECK(cudax::wait(flag, 0, stream) == wait_reason::changed);
}

BOOST_AUTO_TEST_CASE(a_wait_does_not_report_an_error_that_no_launch_leaves) {
  answer_from(1, cuda::success);
  // Measured with CUDA 13.0: a block that is too large, no kernel, a cooperative grid, a cluster. The other codes are
  // documented.
  for (int const code :
       {1, 400, 720, 912, 9, 52, 98, 200, 209, 218, 221, 222, 223, 225, 303, 500, 701, 801, 901, 906}) {
    last_error = code;
    for (progress const& by : {progress(stream), progress(event)}) {
      auto const result = cudax::wait(flag, 0, by);
      BOOST_CHECK(result == wait_reason::device_error);
      BOOST_TEST(result.error.value() == code);
    }
  }
  // Out of memory, a device that does not exist, a symbol, peers, registration, an event in a capture, ...
  for (int const code : {2, 3, 4, 13, 17, 100, 101, 304, 600, 704, 705, 712, 713, 800, 900, 905, 907, 999}) {
    last_error = code;
    BOOST_CHECK(cudax::wait(flag, 0, stream) == wait_reason::finished);
    BOOST_TEST(last_error == code);
  }
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_device_queries_it_and_does_not_select_it) {
  answer = [this] {
    flag.store(1);
    return int(cuda::not_ready);
  };
  for (auto const& [by, expected] :
       {std::pair(progress::of_device(1), 1), std::pair(progress::of_current_device(), 0)}) {
    flag.store(0);
    BOOST_CHECK(cudax::wait(flag, 0, by) == wait_reason::changed);
    BOOST_TEST(device_of_last_query == expected);
    int now = -1;
    BOOST_TEST(cudax::runtime::execution().current_device(&now) == 0);
    BOOST_TEST(now == 0);
  }
  for (int const ordinal : {7, -2}) {
    auto const none = cudax::wait(flag, 1, progress::of_device(ordinal));
    BOOST_CHECK(none == wait_reason::device_error);
    BOOST_TEST(none.error.value() == cuda::invalid_device);
  }
}

namespace {

/// The program's own category, with numbers that CUDA also uses.
struct category_of_tests final : std::error_category {
  char const* name() const noexcept override { return "tests"; }
  std::string message(int code) const override { return "test " + std::to_string(code) + " failed"; }
} const tests;

} // namespace

BOOST_AUTO_TEST_CASE(a_callable_s_code_keeps_its_category) {
  std::error_code const codes[] = {std::make_error_code(std::errc::timed_out),
                                   {2, std::system_category()},
                                   {1, tests},
                                   {cuda::not_ready, tests}}; // in another category it does not mean "not yet"
  char at[32];
  std::snprintf(at, sizeof(at), "%p", static_cast<void*>(&flag));
  for (auto const& code : codes) {
    int rounds = 0;
    auto const query = [&] { return ++rounds < 3 ? std::error_code(0, tests) : code; };
    auto const result = cudax::wait_for(flag, 0, query, 300s);
    BOOST_TEST(rounds == 3); // 0 continues the wait, whatever the category
    BOOST_CHECK(result == wait_reason::device_error);
    BOOST_TEST(result.error == code);
    try {
      result.or_throw();
      BOOST_ERROR("nothing was thrown");
    } catch (cudax::cuda_error const& e) {
      BOOST_TEST(e.code() == code);
      BOOST_TEST(e.what() == std::string("cudax.sync: wait: the object at ") + at +
                                 " has not changed, and the callable ended the wait: " + code.message() + " (" +
                                 code.category().name() + ":" + std::to_string(code.value()) + ")");
    }
  }
  auto const condition = cudax::wait(flag, 0, [] { return std::errc::timed_out; });
  BOOST_CHECK(condition.error == std::errc::timed_out);
  BOOST_CHECK(condition.error.category() == std::generic_category());
  // Codes of CUDA keep their meaning.
  auto const of_cuda = cudax::wait(flag, 0, [] { return std::error_code(2, cudax::cuda_category()); });
  BOOST_CHECK(of_cuda.error == std::errc::not_enough_memory);
  BOOST_CHECK(of_cuda.error.category() == cudax::cuda_category());
}

BOOST_AUTO_TEST_CASE(callables_may_return_codes) {
  auto const code = [] { return cuda_like::illegal_address; };
  BOOST_TEST(cudax::wait(flag, 0, code).error.value() == 700);
  BOOST_TEST(cudax::wait(flag, 0, [] { return launch_failure; }).error.value() == launch_failure);
  int rounds = 0;
  auto const result = cudax::wait(flag, 0, [&] {
    return ++rounds < 3 ? std::error_code() : std::error_code(cuda::not_registered, cudax::cuda_category());
  });
  BOOST_CHECK(result.error == std::errc::invalid_argument);
  BOOST_TEST(rounds == 3);
  // A bool result would be taken for a code: 1 is cudaErrorInvalidValue.
  static_assert(!std::is_constructible_v<progress, bool (&)()>);
  static_assert(std::is_constructible_v<progress, void (&)()> && std::is_constructible_v<progress, int (&)()>);
  static_assert(!std::is_constructible_v<progress, int>);
}

BOOST_AUTO_TEST_CASE(null_is_the_legacy_default_stream) {
  auto const legacy = progress(static_cast<CUstream_st*>(nullptr)).source(), null = progress(nullptr).source();
  BOOST_CHECK(null.what == legacy.what && null.handle == legacy.handle);
}

BOOST_AUTO_TEST_CASE(atomics_of_every_kind_can_be_waited_for) {
  answer_from(1, cuda::success);
  int word = 3;
  cudax::atomic_ref<int, cudax::thread_scope_system> const reference(word);
  BOOST_CHECK(cudax::wait(reference, 2, stream, cudax::memory_order_acquire) == wait_reason::changed);
  BOOST_CHECK(cudax::wait(reference, 3, stream) == wait_reason::finished);
  cudax::atomic_flag bit;
  BOOST_CHECK(cudax::wait(bit, true, stream) == wait_reason::changed);
  BOOST_CHECK(cudax::wait(bit, false, stream) == wait_reason::finished);
  struct five {
    char bytes[5];
  };
  cudax::atomic<five> const locked(five{"abcd"});
  BOOST_CHECK(cudax::wait(locked, five{"abce"}, stream) == wait_reason::changed);
  BOOST_CHECK(cudax::wait(locked, five{"abcd"}, stream) == wait_reason::finished);
  cudax::atomic<bool> const ready = false;
  BOOST_CHECK(cudax::wait(ready, false, stream) == wait_reason::finished);
}

BOOST_AUTO_TEST_CASE(a_result_can_be_turned_into_an_exception) {
  auto const sentence = [](cudax::wait_result const& result, std::errc meaning) -> std::string {
    try {
      result.or_throw();
    } catch (cudax::cuda_error const& e) {
      BOOST_CHECK(e.code() == meaning);
      return e.what();
    }
    return "nothing was thrown";
  };
  char at[32];
  std::snprintf(at, sizeof(at), "%p", static_cast<void*>(&flag));
  std::string const object = std::string("the object at ") + at;
  BOOST_TEST(sentence(cudax::wait_for(flag, 0, stream, 1ms), std::errc::timed_out) ==
             "cudax.sync: wait: " + object + " did not change in time");
  answer_from(1, cuda::success);
  BOOST_TEST(sentence(cudax::wait(flag, 0, stream), std::errc::operation_canceled) ==
             "cudax.sync: wait: all work that was waited for has finished, and " + object +
                 " has not changed; check that a kernel was launched there and that it changes the object");
  answer_from(1, cuda::memory_allocation);
  BOOST_TEST(
      sentence(cudax::wait(flag, 0, stream), std::errc::not_enough_memory) ==
      "cudax.sync: wait: " + object +
          " has not changed and will not change: out of memory (cudaErrorMemoryAllocation); free memory, or raise "
          "the limit of locked memory (ulimit -l)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(progress_without_devices)

BOOST_AUTO_TEST_CASE(without_cuda_a_wait_for_a_stream_reports_an_error) {
  auto const& before = cudax::runtime::exchange_execution(cudax::runtime::execution_calls_without_cuda);
  cudax::atomic<int> flag = 0;
  for (progress const& by : {progress(stream), progress(event), progress::of_device(0)}) {
    auto const result = cudax::wait(flag, 0, by);
    BOOST_CHECK(result.error == std::errc::function_not_supported);
    BOOST_CHECK_THROW(result.or_throw(), cudax::cuda_error);
  }
  cudax::runtime::exchange_execution(before);
}

BOOST_AUTO_TEST_SUITE_END()
