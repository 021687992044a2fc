// SPDX-License-Identifier: Apache-2.0
//
// parking: host threads that wait for a change, and the threads that wake them.
//
// A waiter spins for a short while, then parks in the bucket of its address: it increments the bucket's count of
// waiters, reads the bucket's version, checks for the change once more, and sleeps on the version in the kernel
// (futex). A notifier that finds the count at zero returns. Otherwise it increments the version and wakes the whole
// bucket, because the waiters of one bucket may wait for different objects. A waiter whose object has not changed
// sleeps again.
//
// No wake-up is lost. The waiter writes the count, then reads the object; the notifier has written the object, then
// reads the count. A sequentially consistent fence stands between the two accesses on both sides, so at least one side
// sees the other's write. If the notifier does not see the waiter, the waiter sees the change. If the notifier sees the
// waiter, the version that the waiter read is either the one before the increment, and the futex does not sleep on an
// outdated version; or the one after it, and then the waiter acquired the increment before it read the object and sees
// the change.
//
// A device cannot wake a host thread. If a device may make the change (`polls`), the sleep is bounded: it begins at
// poll_interval_min and doubles up to poll_interval_max. So a change at time t is seen at about 2 t + 10 us at the
// latest, and at most poll_interval_max after it happened (plus the operating system's scheduling delay).
//
// Every other sleep is bounded by sleep_max: a process may contain this archive twice (for example in a plugin that was
// loaded with RTLD_LOCAL), and a notifier finds only the waiters in the buckets of its own copy.
#include "boundary.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>

#if defined(__linux__)
#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#error "cudax.sync: parking needs a futex; this system has none that is known here"
#endif

namespace cudax::runtime {
namespace {

constexpr int spins = 256;                      // about 10 us: longer than a PCIe round trip to a device
constexpr long long poll_interval_min = 20'000; // nanoseconds

struct alignas(64) bucket {
  std::atomic<std::uint32_t> version{0};
  std::atomic<std::uint32_t> waiters{0};
};

std::array<std::array<bucket, 256>, 2> buckets; // indexed by `awaited`, then by the hash of the address

bucket& bucket_of(void const volatile* address, awaited what) noexcept {
  auto const bits = reinterpret_cast<std::uintptr_t>(address);
  return buckets[std::size_t(what)][(bits >> 4) * 0x9e3779b97f4a7c15u >> 56];
}

void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

/// Sleeps while `version` holds `seen`, for at most `nanoseconds`.
void futex_wait(std::atomic<std::uint32_t>& version, std::uint32_t seen, long long nanoseconds) noexcept {
  timespec const limit{.tv_sec = nanoseconds / 1'000'000'000, .tv_nsec = nanoseconds % 1'000'000'000};
  syscall(SYS_futex, &version, FUTEX_WAIT_PRIVATE, seen, &limit, nullptr, 0);
}

void futex_wake_all(std::atomic<std::uint32_t>& version) noexcept {
  syscall(SYS_futex, &version, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace

bool park(void const volatile* address, bool (*changed)(void const*), void const* context, long long deadline,
          bool polls, awaited what) noexcept {
  for (int i = 0; i < spins; ++i) {
    if (changed(context)) return true;
    pause();
  }

  bucket& home = bucket_of(address, what);
  home.waiters.fetch_add(1, std::memory_order_relaxed);
  long long interval = polls ? poll_interval_min : sleep_max;
  bool answer;
  for (;;) {
    std::uint32_t const seen = home.version.load(std::memory_order_acquire); // pairs with the release in unpark
    std::atomic_thread_fence(std::memory_order_seq_cst);                     // file header: no lost wake-up
    answer = changed(context);
    if (answer) break;
    long long rest = no_deadline;
    if (deadline != no_deadline) {
      rest = deadline - steady_now();
      if (rest <= 0) break;
    }
    futex_wait(home.version, seen, std::min(rest, interval));
    if (polls) interval = std::min(2 * interval, poll_interval_max);
  }
  home.waiters.fetch_sub(1, std::memory_order_relaxed);
  return answer;
}

void unpark(void const volatile* address, awaited what) noexcept {
  bucket& home = bucket_of(address, what);
  std::atomic_thread_fence(std::memory_order_seq_cst); // file header: no lost wake-up
  if (home.waiters.load(std::memory_order_relaxed) == 0) return;
  home.version.fetch_add(1, std::memory_order_release);
  futex_wake_all(home.version);
}

} // namespace cudax::runtime
