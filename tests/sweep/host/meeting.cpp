// SPDX-License-Identifier: Apache-2.0
//
// meeting: the threads, and the calls of the kernel by which they sleep. The program is linked with --wrap for
// syscall() and sched_yield().
#include "meeting.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>

extern "C" int __real_clock_gettime(clockid_t clock, timespec* at);

namespace cudax_sweep::meeting {
namespace {

constexpr long long spins = 300'000; // nanoseconds

constinit int arrived = 0, lost = 0, slept = 0;
constinit bool goes_on = true;
constinit long long shortest = 0;
constinit int notified_in = -1; // a round
constinit long long notified_at = 0;
thread_local int waits_in = -1; // the waiter's round
thread_local long long delay_of_clock = 0, delay_begins = 0;

long long nanoseconds(timespec const& at) noexcept { return at.tv_sec * 1'000'000'000ll + at.tv_nsec; }

long long time() noexcept {
  timespec at{};
  __real_clock_gettime(CLOCK_MONOTONIC, &at);
  return nanoseconds(at);
}

bool has_notified_this_round() noexcept { return __atomic_load_n(&notified_in, __ATOMIC_SEQ_CST) == waits_in; }
bool has_notified_before(long long limit) noexcept {
  return has_notified_this_round() && __atomic_load_n(&notified_at, __ATOMIC_SEQ_CST) < limit;
}

} // namespace

bool begin(int round, bool is_waiter) noexcept {
  waits_in = is_waiter ? round : -1;
  // The first one to arrive leaves `goes_on` to the second one.
  int const both = 2 * (round + 1);
  if (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) == both - 1)
    __atomic_store_n(&goes_on, lost_wake_ups() == 0, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
  for (long long const end = time() + spins; __atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < both;)
    if (time() > end) {
      timespec const moment{.tv_sec = 0, .tv_nsec = 50'000};
      nanosleep(&moment, nullptr);
    }
  return __atomic_load_n(&goes_on, __ATOMIC_SEQ_CST);
}

void notified(int round) noexcept {
  __atomic_store_n(&notified_at, time(), __ATOMIC_SEQ_CST);
  __atomic_store_n(&notified_in, round, __ATOMIC_SEQ_CST);
}
int lost_wake_ups() noexcept { return __atomic_load_n(&lost, __ATOMIC_SEQ_CST); }
int sleeps() noexcept { return __atomic_load_n(&slept, __ATOMIC_SEQ_CST); }
void forget(long long nanoseconds) noexcept {
  shortest = nanoseconds;
  arrived = lost = slept = 0;
  goes_on = true;
  notified_in = -1;
}

void delay_clocks(long long begins, long long nanoseconds) noexcept {
  delay_begins = time() + begins;
  delay_of_clock = nanoseconds;
}

void pass(long long nanoseconds) noexcept {
  thread_local unsigned long random = 88172645463325252ul ^ reinterpret_cast<unsigned long>(&waits_in);
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  auto const length = static_cast<long long>(random % static_cast<unsigned long>(nanoseconds));
  // The other thread may need this processor.
  timespec const most{.tv_sec = 0, .tv_nsec = std::max(length - 100'000, 0ll)};
  long long const end = time() + length;
  if (most.tv_nsec > 0) nanosleep(&most, nullptr);
  while (time() < end) {}
}

} // namespace cudax_sweep::meeting

extern "C" long __real_syscall(long number, ...);

extern "C" long __wrap_syscall(long number, ...) {
  using namespace cudax_sweep::meeting;
  long argument[6];
  std::va_list arguments;
  va_start(arguments, number);
  for (long& each : argument) each = va_arg(arguments, long);
  va_end(arguments);
  bool const waits = waits_in >= 0 && number == SYS_futex && (argument[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  long long const limit = waits ? nanoseconds(*reinterpret_cast<timespec const*>(argument[3])) : 0;
  bool const sleeps = waits && limit - time() >= shortest;
  bool const is_late = sleeps && has_notified_this_round();
  long const result =
      __real_syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  // EAGAIN: the version of the bucket had changed; it was no sleep.
  if (sleeps && (result == 0 || errno != EAGAIN)) {
    __atomic_fetch_add(&slept, 1, __ATOMIC_SEQ_CST);
    bool const is_in_vain = result != 0 && errno == ETIMEDOUT && has_notified_before(limit);
    if (is_late || is_in_vain) __atomic_fetch_add(&lost, 1, __ATOMIC_SEQ_CST);
  }
  return result;
}

/// So the notifier acts while the waiter spins, and a spin is over while a store is late, however busy the machine is.
extern "C" int __wrap_sched_yield() {
  timespec const moment{.tv_sec = 0, .tv_nsec = 20'000};
  nanosleep(&moment, nullptr);
  return 0;
}

extern "C" int __wrap_clock_gettime(clockid_t clock, timespec* at) {
  using namespace cudax_sweep::meeting;
  if (delay_of_clock != 0 && time() >= delay_begins) pass(delay_of_clock);
  return __real_clock_gettime(clock, at);
}
