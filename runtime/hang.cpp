// SPDX-License-Identifier: Apache-2.0
//
// hang: the limit, the text of a report, and the reports of host threads. device_hangs.cpp has those of devices.
#include "hang.hpp"
#include "report.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <sys/syscall.h>
#include <unistd.h>

namespace cudax::runtime::hang {
namespace {

constexpr long long unknown = -1;
constinit std::atomic<long long> current = unknown; // relaxed: a number, which publishes nothing

/// Returns the limit of the environment; `unknown` if it has none.
long long limit_of_environment() noexcept {
  char const* const text = std::getenv("CUDAX_HANG_AFTER");
  if (!text || !*text) return unknown;
  constexpr double most = 1e9; // seconds
  char* end = nullptr;
  int const error = errno;
  double const seconds = std::strtod(text, &end);
  errno = error;
  if (*end == 0 && seconds >= 0 && seconds <= most) return static_cast<long long>(seconds * 1e9);
  static constinit std::atomic<bool> reported = false;
  if (!reported.exchange(true, std::memory_order_relaxed))
    report("cudax.sync: CUDAX_HANG_AFTER is '%.40s', which is not a number of seconds from 0 to %g; it is ignored\n",
           text, most);
  return unknown;
}

constexpr std::size_t places = 64;
constinit std::array<std::atomic<void const volatile*>, places> addresses{};

/// Whether the calling thread is the one that reports the wait at `object`. Relaxed: a claim publishes nothing.
bool claims(void const volatile* object) noexcept {
  for (auto& place : addresses) {
    void const volatile* owner = place.load(std::memory_order_relaxed);
    if (!owner && place.compare_exchange_strong(owner, object, std::memory_order_relaxed)) return true;
    if (owner == object) return false;
  }
  return false;
}

} // namespace

long long limit() noexcept {
  long long known = current.load(std::memory_order_relaxed);
  if (known != unknown) return known;
  long long const wanted = limit_of_environment();
  current.compare_exchange_strong(known, wanted == unknown ? 0 : wanted, std::memory_order_relaxed);
  return current.load(std::memory_order_relaxed);
}

void set_limit(long long nanoseconds) noexcept {
  for (auto& place : addresses) place.store(nullptr, std::memory_order_relaxed);
  long long const wanted = limit_of_environment();
  current.store(wanted == unknown ? nanoseconds : wanted, std::memory_order_relaxed);
}

void print(char const* text, unsigned long long const (&values)[2], unsigned long long object, char const* where,
           char const* then) noexcept {
  char sentence[400];
  std::size_t used = 0, next = 0;
  auto const put = [&](char c) {
    if (used < sizeof(sentence) - 1) sentence[used++] = c;
  };
  for (; *text; ++text) {
    if (*text != '#' || next == 2) {
      put(*text);
      continue;
    }
    char number[24];
    std::snprintf(number, sizeof(number), "%llu", values[next++]);
    for (char const* digit = number; *digit; ++digit) put(*digit);
  }
  sentence[used] = 0;
  report(
      "cudax.sync: %s; the wait at the object at 0x%llx has lasted longer than %g s, in %s; %s; find the thread that "
      "should end the wait, or raise the limit (CUDAX_HANG_AFTER)\n",
      sentence, object, static_cast<double>(limit()) / 1e9, where, then);
}

void watch::check_described(long long now) noexcept {
  long long const longest = limit();
  if (began_ == 0) began_ = now;
  if (longest == 0 || wait_.deadline != no_deadline || now - began_ < longest) return;
  done_ = true;
  if (!claims(wait_.address)) return;
  wait_description const found = wait_.describe(wait_.described);
  char where[64];
  std::snprintf(where, sizeof(where), "host thread %ld", syscall(SYS_gettid));
  print(found.text, found.values, reinterpret_cast<unsigned long long>(wait_.address), where, "it continues to wait");
}

} // namespace cudax::runtime::hang
