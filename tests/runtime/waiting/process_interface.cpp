// SPDX-License-Identifier: Apache-2.0
//
// process_interface: what the C interface of the shared library accepts. A plugin that was built elsewhere calls it, so
// no compiler has checked the two together. The functions are linked into this program; copies/shared.cpp calls those
// of the library.
#include "../../../runtime/waiting/process_interface.h"
#include "../../../runtime/interface/boundary.hpp"
#include "../simulated/futex_calls.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace std::chrono_literals;

namespace {

/// The largest context that a test passes; it begins with the address of a flag.
struct alignas(16) context {
  std::atomic<int> const* flag;
  std::array<char, 4096> rest{};
};

cudax_sync_process_wait wait_for(context const& of, unsigned long size) {
  return {.address = of.flag,
          .changed = [](void const* at) { return *static_cast<context const*>(at)->flag != 0; },
          .context = &of,
          .context_size = size,
          .deadline = LLONG_MAX,
          .flags = cudax_sync_process_polls,
          .turn = 0};
}

/// What the call writes to standard error before it aborts; empty if it does not abort.
template <class Call> std::string message_of_abort(Call call) {
  int ends[2];
  BOOST_REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  pid_t const child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    std::signal(SIGSEGV, SIG_DFL);
    alarm(60);
    call();
    std::_Exit(0);
  }
  close(ends[1]);
  std::string text;
  for (char buffer[400];;) {
    auto const count = read(ends[0], buffer, sizeof(buffer));
    if (count <= 0) break;
    text.append(buffer, std::size_t(count));
  }
  close(ends[0]);
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? text : "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(process_interface)

// A wait enters the table of those that share the polling after 0.6 ms, if its context can be copied.
BOOST_AUTO_TEST_CASE(a_context_of_any_size_is_accepted) {
  std::atomic<int> flag = 0;
  context const of{.flag = &flag};
  for (unsigned long const size : {0ul, 8ul, 32ul, 33ul, 40ul, 4096ul, ULONG_MAX}) {
    flag = 0;
    std::atomic<int> asleep = 0;
    std::atomic<bool> seen = false;
    std::jthread waiter([&] {
      cudax_test::futex_calls::count_sleeping_in(asleep);
      auto const wait = wait_for(of, size);
      seen = cudax_sync_process_park(&wait);
    });
    std::this_thread::sleep_for(5ms);
    flag = 1; // as a device does, without a notification
    waiter.join();
    BOOST_TEST(seen.load(), size);
  }
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_none_stops_the_program_with_a_message) {
  std::atomic<int> flag = 1;
  context const of{.flag = &flag};
  auto const message = [&](auto change) {
    return message_of_abort([&] {
      auto wait = wait_for(of, 8);
      change(wait);
      (void)cudax_sync_process_park(&wait);
    });
  };
  BOOST_TEST(message([](auto&) {}) == "");
  BOOST_TEST(message_of_abort([] {
               (void)cudax_sync_process_park(nullptr);
             }).starts_with("cudax.sync: cudax_sync_process_park: the wait is null"));
  BOOST_TEST(message([](auto& wait) {
               wait.changed = nullptr;
             }).starts_with("cudax.sync: cudax_sync_process_park: `changed` of the wait at 0x"));
  BOOST_TEST(message([](auto& wait) { wait.context = nullptr; }) ==
             "cudax.sync: cudax_sync_process_park: `context` is null, but `context_size` is 8; give a size of 0 for a "
             "context that other threads cannot copy\n");
  BOOST_TEST(message([](auto& wait) { wait.flags = 9; }) ==
             "cudax.sync: cudax_sync_process_park: `flags` is 0x9, which contains unknown flags; set only those of "
             "cudax_sync_process_wait_flag\n");
}

BOOST_AUTO_TEST_CASE(a_count_that_is_not_positive_wakes_no_thread) {
  std::atomic<int> flag = 0, asleep = 0;
  context const of{.flag = &flag};
  std::jthread waiter([&] {
    cudax_test::futex_calls::count_sleeping_in(asleep);
    auto wait = wait_for(of, 8);
    wait.flags = 0; // sleeps for 50 ms
    (void)cudax_sync_process_park(&wait);
  });
  while (asleep == 0) std::this_thread::sleep_for(100us);
  cudax_test::futex_calls const calls;
  for (long long const count : {0ll, -1ll, LLONG_MIN}) cudax_sync_process_unpark_some(&flag, count);
  BOOST_TEST(calls.notifications() == 0);
  flag = 1;
  cudax_sync_process_unpark_some(&flag, LLONG_MAX);
  BOOST_TEST(calls.wakes() <= 1);
}

BOOST_AUTO_TEST_SUITE_END()
