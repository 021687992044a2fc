// SPDX-License-Identifier: Apache-2.0
//
// hang: the limit, the text of a report, and the reports of host threads. device_hangs.cpp has those of devices.
#include "hang.hpp"
#include "../base/report.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <sys/syscall.h>
#include <unistd.h>

namespace cudax::runtime::hang {
namespace {

constexpr long long unknown = -1;
constinit std::atomic<long long> current = unknown; // relaxed: a number, which publishes nothing

constexpr long long second = 1'000'000'000, most = 1'000'000'000 * second;

/// Returns the nanoseconds of a decimal number of seconds, such as "5" or "0.5"; `unknown` if the text is none, or is
/// above `most`. Not by strtod, whose decimal point is that of the program's locale.
long long nanoseconds_of(char const* text) noexcept {
  auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!is_digit(*text)) return unknown;
  long long result = 0;
  for (; is_digit(*text) && result <= most / 10; ++text) result = 10 * result + (*text - '0') * second;
  if (*text == '.')
    for (long long place = second / 10; is_digit(*++text); place /= 10) result += (*text - '0') * place;
  return *text == 0 && result <= most ? result : unknown;
}

/// Returns the limit of the environment; `unknown` if it has none.
long long limit_of_environment() noexcept {
  char const* const text = std::getenv("CUDAX_HANG_AFTER");
  if (!text || !*text) return unknown;
  long long const wanted = nanoseconds_of(text);
  static constinit std::atomic<bool> reported = false;
  if (wanted == unknown && !reported.exchange(true, std::memory_order_relaxed))
    report("cudax.sync: CUDAX_HANG_AFTER is '%.40s', which is not a number of seconds from 0 to %g; it is ignored\n",
           text, static_cast<double>(most) / static_cast<double>(second));
  return wanted;
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

void print(char const* text, unsigned long long const (&values)[2], unsigned long long object, long long longest,
           char const* where, char const* then) noexcept {
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
      sentence, object, static_cast<double>(longest) / 1e9, where, then);
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
  print(found.text, found.values, reinterpret_cast<unsigned long long>(wait_.address), longest, where,
        "it continues to wait");
}

} // namespace cudax::runtime::hang
