// SPDX-License-Identifier: Apache-2.0
//
// futex_calls: intercepts syscall(). The program is linked with --wrap=syscall, so that the archive's calls arrive here
// and continue to the real one.
#include "futex_calls.hpp"

#include <algorithm>
#include <cstdarg>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>

namespace {
thread_local int sleep_count = 0, woken_count = 0;
thread_local long long longest_limit = 0;
} // namespace

extern "C" long __real_syscall(long number, ...);

extern "C" long __wrap_syscall(long number, ...) {
  long argument[6];
  std::va_list arguments;
  va_start(arguments, number);
  for (long& each : argument) each = va_arg(arguments, long);
  va_end(arguments);
  long const result =
      __real_syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  if (number == SYS_futex && (argument[1] & FUTEX_CMD_MASK) == FUTEX_WAIT && argument[3] != 0) {
    auto const& limit = *reinterpret_cast<std::timespec const*>(argument[3]);
    longest_limit = std::max(longest_limit, limit.tv_sec * 1'000'000'000ll + limit.tv_nsec);
    ++sleep_count;
    woken_count += result == 0;
  }
  return result;
}

namespace cudax_test {

futex_calls::futex_calls() {
  sleep_count = woken_count = 0;
  longest_limit = 0;
}
int futex_calls::sleeps() const { return sleep_count; }
int futex_calls::woken() const { return woken_count; }
long long futex_calls::longest() const { return longest_limit; }

} // namespace cudax_test
