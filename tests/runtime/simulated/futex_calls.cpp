// SPDX-License-Identifier: Apache-2.0
//
// futex_calls: intercepts syscall() and sched_yield(). The program is linked with --wrap for both, so that the
// archive's calls arrive here and continue to the real ones.
#include "futex_calls.hpp"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <ctime>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>

namespace {
thread_local int sleep_count = 0, woken_count = 0, notification_count = 0, yield_count = 0;
thread_local long wake_count = 0;
thread_local std::chrono::microseconds delay_of_yield{};
thread_local long long first_limit = 0, longest_limit = 0;
std::atomic<int> uncounted{0};
thread_local std::atomic<int>* asleep_now = &uncounted;
std::atomic<long long> all_sleeps{0};

long long nanoseconds(std::timespec const& time) { return time.tv_sec * 1'000'000'000ll + time.tv_nsec; }
long long now() {
  std::timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return nanoseconds(time);
}
} // namespace

extern "C" long __real_syscall(long number, ...);

extern "C" long __wrap_syscall(long number, ...) {
  long argument[6];
  std::va_list arguments;
  va_start(arguments, number);
  for (long& each : argument) each = va_arg(arguments, long);
  va_end(arguments);
  int const call = number == SYS_futex ? int(argument[1] & FUTEX_CMD_MASK) : -1;
  bool const sleeps = call == FUTEX_WAIT_BITSET && argument[3] != 0;
  if (sleeps) {
    auto const& limit = *reinterpret_cast<std::timespec const*>(argument[3]); // a time point
    long long const rest = nanoseconds(limit) - now();
    if (sleep_count == 0) first_limit = rest;
    longest_limit = std::max(longest_limit, rest);
    ++sleep_count;
    ++*asleep_now;
    ++all_sleeps;
  }
  long const result =
      __real_syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  if (sleeps) {
    woken_count += result == 0;
    --*asleep_now;
  }
  if (call == FUTEX_WAKE_BITSET) {
    ++notification_count;
    wake_count += std::max(result, 0l);
  }
  return result;
}

extern "C" int __real_sched_yield();

extern "C" int __wrap_sched_yield() {
  ++yield_count;
  if (delay_of_yield.count() != 0) std::this_thread::sleep_for(delay_of_yield);
  return __real_sched_yield();
}

namespace cudax_test {

futex_calls::futex_calls() {
  sleep_count = woken_count = notification_count = yield_count = 0;
  wake_count = 0;
  first_limit = longest_limit = 0;
}
int futex_calls::sleeps() const { return sleep_count; }
int futex_calls::woken() const { return woken_count; }
long long futex_calls::first() const { return first_limit; }
long long futex_calls::longest() const { return longest_limit; }
int futex_calls::notifications() const { return notification_count; }
long futex_calls::wakes() const { return wake_count; }
int futex_calls::yields() const { return yield_count; }
void futex_calls::delay_yields(std::chrono::microseconds delay) { delay_of_yield = delay; }
void futex_calls::count_sleeping_in(std::atomic<int>& asleep) { asleep_now = &asleep; }
long long futex_calls::sleeps_of_all() { return all_sleeps; }

} // namespace cudax_test
