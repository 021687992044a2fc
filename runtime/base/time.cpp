// SPDX-License-Identifier: Apache-2.0
//
// time: the host's clocks, yielding and sleeping.
#include "../interface/boundary.hpp"
#include "kept_errno.hpp"

#include <chrono>
#include <ctime>
#include <thread>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace cudax::runtime {

namespace {
long long read(clockid_t clock) noexcept {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}
} // namespace

long long steady_now() noexcept { return read(CLOCK_MONOTONIC); }

long long system_now() noexcept { return read(CLOCK_REALTIME); }

unsigned long long cycles_now() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<unsigned long long>(steady_now());
#endif
}

void yield() noexcept { std::this_thread::yield(); }

void sleep(long long nanoseconds) noexcept {
  kept_errno const keeps; // a signal interrupts the system's call
  std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds));
}

} // namespace cudax::runtime
