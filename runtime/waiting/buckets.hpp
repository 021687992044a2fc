// SPDX-License-Identifier: Apache-2.0
//
// buckets: where host threads sleep. parking.cpp chooses the place of a waiter there, polling.cpp wakes those whose
// condition it has found true.
//
// The kernel's queue of a bucket may hold waiters of several addresses.
//   Classes. A waiter sleeps with a class that depends on its address, and a notifier wakes one class (the bit set of
//   FUTEX_WAIT_BITSET). So it rarely wakes the waiters of another object.
//   Turns. The threads of a queue wait for different values of a counter. Bucket and class depend on address and value,
//   so a notifier that raises the counter wakes only the threads that wait for the new value. A thread that waits for a
//   change, and not for a turn, sleeps in the bucket of the address alone.
#pragma once

#include "../interface/boundary.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace cudax::runtime {

/// A sleeping thread: the bucket in which it sleeps, and the classes of notifications that wake it there, as a bit set.
struct sleeping_place {
  unsigned bucket;
  std::uint32_t classes;
};

/// The class of the threads for which another thread polls.
inline constexpr std::uint32_t follower_class = 0x8000'0000;

/// The word that counts a bucket's waiters. From the top bits down: the low bits of the address of the waiters, a mark
/// (waiters of several addresses), and the count. It holds for the threads that have entered since the count was zero.
namespace waiters {
inline constexpr std::uint64_t count_mask = parked_count_mask;
inline constexpr std::uint64_t several = count_mask + 1;
inline constexpr int tag_shift = 23;
static_assert(several == 1u << (tag_shift - 1));
inline constexpr std::uint64_t tag_mask = (std::uint64_t(1) << (64 - tag_shift)) - 1;

constexpr std::uint64_t after_entry(std::uint64_t word, std::uint64_t tag) noexcept {
  if ((word & count_mask) == 0) return tag << tag_shift | 1;
  return (word | (word >> tag_shift == tag ? 0 : several)) + 1;
}
constexpr bool all_have(std::uint64_t word, std::uint64_t tag) noexcept {
  return (word & several) == 0 && word >> tag_shift == tag;
}
} // namespace waiters

struct alignas(bucket_size) bucket {
  unsigned long word{0}; // first, and no std::atomic: callers of unpark read it (boundary.hpp)
  std::atomic<std::uint32_t> version{0};

  std::atomic_ref<unsigned long> waiters() noexcept { return std::atomic_ref(word); }
  bool empty() noexcept {
    return (waiters().load(std::memory_order_seq_cst) & waiters::count_mask) == 0; // parking.cpp: no wake-up is lost
  }
};

extern std::array<bucket, 1u << bucket_bits> buckets;

/// The place of a waiter, and the tag of its address in the count of waiters.
struct place {
  sleeping_place at;
  std::uint64_t tag;

  bucket& home() const noexcept { return buckets[at.bucket]; }
};

inline constexpr unsigned class_count = 30;
inline constexpr std::uint32_t every_class = (1u << class_count) - 1;

inline std::uint32_t class_of(std::uint64_t number) noexcept { return 1u << number % class_count; }

inline place place_of(void const volatile* address) noexcept {
  std::uint64_t const hash = hash_of_address(address);
  return {{bucket_of_hash(hash), class_of(hash >> 32)}, reinterpret_cast<std::uintptr_t>(address) & waiters::tag_mask};
}

/// A queue without waiters looks into the buckets of its turns one after the other. They are few enough to stay in the
/// processor's first-level cache: 4 KB.
inline constexpr unsigned turn_buckets = 64;

/// Consecutive turns have different buckets. Turns that share a bucket have different classes, up to turn_buckets *
/// class_count turns.
inline place place_of_turn(void const volatile* address, unsigned turn) noexcept {
  place result = place_of(address);
  result.at = {unsigned((result.at.bucket + 1 + turn % turn_buckets) % buckets.size()),
               class_of((hash_of_address(address) >> 32) + turn / turn_buckets)};
  result.tag |= 1; // the address of a counter is even
  return result;
}

/// Sleeps while `version` holds `seen`, until a notification of one of the classes, or until steady_now() reaches
/// `limit`.
void futex_wait(std::atomic<std::uint32_t>& version, std::uint32_t seen, long long limit,
                std::uint32_t classes) noexcept;

/// Wakes at most `count` threads that sleep on `version` with one of the classes. Returns how many it has woken.
long futex_wake(std::atomic<std::uint32_t>& version, int count, std::uint32_t classes) noexcept;

/// Wakes at most `count` threads that sleep in a bucket and belong to one of the classes, and keeps threads from
/// falling asleep that have not checked for a change since the call began. Returns the number of threads that it has
/// woken.
long wake_sleepers(sleeping_place where, int count) noexcept;

} // namespace cudax::runtime
