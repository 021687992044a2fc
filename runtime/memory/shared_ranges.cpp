// SPDX-License-Identifier: Apache-2.0
//
// shared_ranges: the entries, and their allocation.
#include "shared_ranges.hpp"
#include "../process/fork_hook.hpp"
#include "range_tree.hpp"

#include <atomic>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>

namespace cudax::runtime {
namespace {

struct entry : range_tree::entry {
  std::atomic<size_t> object_size = 0;
  std::atomic<sharing> kind = sharing::none;
  // The number of the range, and below it 8 mark bits. The number is new for each range that the entry holds, so a mark
  // that arrives after the range was removed finds another number and is dropped.
  std::atomic<std::uint32_t> marks = 0;
  // Accessed by writers only:
  unsigned long long key = 0;
  entry* next = nullptr; // in the bucket of the key, or in the free list
};

constexpr std::uint32_t one_range = 256, all_marks = one_range - 1;

constinit range_tree trees[] = {range_tree(0), range_tree(1)};
constinit std::atomic<unsigned> kinds_ever_shared = 0;

// --- for writers -----------------------------------------------------------------------------------------------------

constinit std::mutex writers;
constinit entry first_entries[64]; // enough for most programs
constinit size_t first_used = 0;
constinit entry* free_entries = nullptr;
constinit entry* by_key[1024] = {};

entry*& bucket_of(sharing kind, unsigned long long key) noexcept {
  return by_key[(key + static_cast<unsigned>(kind)) * 0x9e37'79b9'7f4a'7c15 >> 54];
}

entry* take_entry() noexcept {
  if (first_used != std::size(first_entries)) return &first_entries[first_used++];
  if (!free_entries) {
    constexpr size_t count = 256;
    entry* const more = new (std::nothrow) entry[count];
    if (!more) return nullptr;
    for (size_t i = 0; i < count; ++i) {
      more[i].next = free_entries;
      free_entries = &more[i];
    }
  }
  return std::exchange(free_entries, free_entries->next);
}

std::uint32_t random_priority() noexcept { // xorshift
  static constinit std::uint32_t state = 0x9e37'79b9;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

[[maybe_unused]] int const on_fork = fork_hook::join();

} // namespace

void fork_hook::lock_shared_ranges() noexcept { writers.lock(); }
void fork_hook::unlock_shared_ranges() noexcept { writers.unlock(); }

void add_shared(sharing kind, unsigned long long key, void const volatile* begin, size_t size,
                size_t object_size) noexcept {
  std::lock_guard const lock(writers);
  entry* const fresh = take_entry();
  if (!fresh) return;
  auto const first = reinterpret_cast<std::uintptr_t>(begin);
  // Release: pairs with the acquire loads in range_tree::find and find_shared, which may still read this entry for a
  // range that was removed.
  fresh->begin.store(first, std::memory_order_release);
  fresh->end.store(first + size, std::memory_order_release);
  fresh->object_size.store(object_size, std::memory_order_release);
  fresh->kind.store(kind, std::memory_order_release);
  fresh->marks.store((fresh->marks.load(std::memory_order_relaxed) & ~all_marks) + one_range,
                     std::memory_order_release);
  fresh->key = key;
  entry*& bucket = bucket_of(kind, key);
  fresh->next = bucket;
  bucket = fresh;
  std::uint32_t const priority = random_priority();
  for (range_tree& tree : trees) tree.insert(*fresh, priority);
  kinds_ever_shared.fetch_or(bit(kind), std::memory_order_relaxed);
}

void remove_shared(sharing kind, unsigned long long key, bool earliest) noexcept {
  std::lock_guard const lock(writers);
  entry** found = nullptr;
  for (entry** at = &bucket_of(kind, key); *at && (!found || earliest); at = &(*at)->next) // later ranges come first
    if ((*at)->key == key && (*at)->kind.load(std::memory_order_relaxed) == kind) found = at;
  if (!found) return;
  entry* const old = *found;
  *found = old->next;
  for (range_tree& tree : trees) tree.erase(*old);
  old->next = free_entries;
  free_entries = old;
}

shared_range find_shared(void const volatile* address) noexcept {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  for (unsigned copy = 0;; copy ^= 1) { // repeats while other threads change both copies
    shared_range found;
    auto const result = trees[copy].find(at, [&](range_tree::entry& tree_entry) {
      auto& held = static_cast<entry&>(tree_entry);
      found = {held.kind.load(std::memory_order_acquire),
               held.begin.load(std::memory_order_acquire),
               held.end.load(std::memory_order_acquire),
               held.object_size.load(std::memory_order_acquire),
               held.marks.load(std::memory_order_acquire) / one_range,
               &held};
    });
    if (result == range_tree::result::found) return found;
    if (result == range_tree::result::absent) return {};
  }
}

unsigned char mark_shared(shared_range const& range, unsigned char bits) noexcept {
  auto& marks = static_cast<entry*>(range.entry)->marks;
  std::uint32_t seen = marks.load(std::memory_order_relaxed);
  do {
    if (seen / one_range != range.number) return all_marks;
  } while (!marks.compare_exchange_weak(seen, seen | bits, std::memory_order_relaxed));
  return static_cast<unsigned char>(seen);
}

void unmark_shared(shared_range const& range, unsigned char bits) noexcept {
  auto& marks = static_cast<entry*>(range.entry)->marks;
  std::uint32_t seen = marks.load(std::memory_order_relaxed);
  do {
    if (seen / one_range != range.number) return;
  } while (!marks.compare_exchange_weak(seen, seen & ~std::uint32_t{bits}, std::memory_order_relaxed));
}

unsigned shared_kinds() noexcept { return kinds_ever_shared.load(std::memory_order_relaxed); }

} // namespace cudax::runtime
