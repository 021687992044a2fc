// SPDX-License-Identifier: Apache-2.0
//
// shared_ranges: the table.
#include "shared_ranges.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace cudax::runtime {
namespace {

struct range {
  std::atomic<unsigned> version = 0; // odd: begin and end change
  std::atomic<std::uintptr_t> begin = 0;
  std::atomic<std::uintptr_t> end = 0; // 0: free
  std::atomic<sharing> kind = sharing::none;
  std::atomic<unsigned char> marks = 0;
  unsigned long long key = 0; // writers' alone
};

constinit range ranges[shared_ranges_max];
constinit std::atomic<size_t> used = 0; // behind it all are free
constinit std::atomic<unsigned> ever = 0;
constinit std::mutex writers;

/// Whether it does: a begin and an end of two ranges, one after the other in this place, would hold what neither has. Who
/// reads one of a new range, by acquire, then reads a newer version, too. A range that is being made is not known yet.
bool holds(range const& each, std::uintptr_t at) noexcept {
  unsigned const version = each.version.load(std::memory_order_acquire);
  return version % 2 == 0 && at < each.end.load(std::memory_order_acquire) &&
         at >= each.begin.load(std::memory_order_acquire) && each.version.load(std::memory_order_relaxed) == version;
}

range* find(void const volatile* address) noexcept {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  // Acquire pairs with the release in add_shared: what was shared before is seen.
  size_t const count = used.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i)
    if (at < ranges[i].end.load(std::memory_order_acquire) && at >= ranges[i].begin.load(std::memory_order_relaxed) &&
        holds(ranges[i], at))
      return &ranges[i];
  return nullptr;
}

} // namespace

void add_shared(sharing kind, unsigned long long key, void const volatile* begin, size_t size) noexcept {
  std::lock_guard const lock(writers);
  size_t i = 0;
  size_t const count = used.load(std::memory_order_relaxed);
  while (i < count && ranges[i].end.load(std::memory_order_relaxed) != 0) ++i;
  if (i == shared_ranges_max) return;
  range& free = ranges[i];
  auto const first = reinterpret_cast<std::uintptr_t>(begin);
  free.key = key;
  free.kind.store(kind, std::memory_order_relaxed);
  free.marks.store(0, std::memory_order_relaxed);
  unsigned const version = free.version.load(std::memory_order_relaxed);
  free.version.store(version + 1, std::memory_order_relaxed);
  free.begin.store(first, std::memory_order_release); // pair with holds, behind the odd version
  free.end.store(first + size, std::memory_order_release);
  free.version.store(version + 2, std::memory_order_release);
  if (i == count) used.store(count + 1, std::memory_order_release);
  ever.fetch_or(bit(kind), std::memory_order_relaxed);
}

void remove_shared(sharing kind, unsigned long long key) noexcept {
  std::lock_guard const lock(writers);
  size_t count = used.load(std::memory_order_relaxed);
  for (size_t i = 0; i < count; ++i) {
    range& each = ranges[i];
    if (each.key != key || each.end.load(std::memory_order_relaxed) == 0 ||
        each.kind.load(std::memory_order_relaxed) != kind)
      continue;
    each.end.store(0, std::memory_order_relaxed);
    break;
  }
  while (count > 0 && ranges[count - 1].end.load(std::memory_order_relaxed) == 0) --count;
  used.store(count, std::memory_order_release);
}

sharing find_shared(void const volatile* address) noexcept {
  range const* const found = find(address);
  return found ? found->kind.load(std::memory_order_relaxed) : sharing::none;
}

sharing mark_shared(void const volatile* address, unsigned char bits, unsigned char& before) noexcept {
  range* const found = find(address);
  if (!found) return sharing::none;
  before = found->marks.fetch_or(bits, std::memory_order_relaxed);
  return found->kind.load(std::memory_order_relaxed);
}

void unmark_shared(void const volatile* address, unsigned char bits) noexcept {
  if (range* const found = find(address))
    found->marks.fetch_and(static_cast<unsigned char>(~bits), std::memory_order_relaxed);
}

unsigned shared_kinds() noexcept { return ever.load(std::memory_order_relaxed); }

} // namespace cudax::runtime
