// SPDX-License-Identifier: Apache-2.0
//
// buckets: the memory on which host threads sleep, and the calls of the kernel.
#include "buckets.hpp"
#include "../base/kept_errno.hpp"

#include <algorithm>
#include <ctime>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#error "cudax.sync: parking needs a futex; this system has none that is known here"
#endif

namespace cudax::runtime {

constinit std::array<bucket, 1u << bucket_bits> buckets{};

void futex_wait(std::atomic<std::uint32_t>& version, std::uint32_t seen, long long limit,
                std::uint32_t classes) noexcept {
  timespec const time{.tv_sec = limit / 1'000'000'000, .tv_nsec = limit % 1'000'000'000};
  syscall(SYS_futex, &version, FUTEX_WAIT_BITSET_PRIVATE, seen, &time, nullptr, classes);
}

long futex_wake(std::atomic<std::uint32_t>& version, int count, std::uint32_t classes) noexcept {
  kept_errno const keeps;
  long const woken = syscall(SYS_futex, &version, FUTEX_WAKE_BITSET_PRIVATE, count, nullptr, nullptr, classes);
  return std::max(woken, 0l);
}

long wake_sleepers(sleeping_place where, int count) noexcept {
  std::atomic<std::uint32_t>& version = buckets[where.bucket].version;
  version.fetch_add(1, std::memory_order_seq_cst);
  return futex_wake(version, count, where.classes);
}

} // namespace cudax::runtime
