// SPDX-License-Identifier: Apache-2.0
//
// slab_index: the levels of the table.
#include "slab_index.hpp"

#include <cstdlib>

namespace cudax::runtime::slab_index {
namespace {

// 16 of the 64 bits are the offset in a window. Processors translate at most 57 bits for programs, and 57 - 16 = 41 =
// 13 + 14 + 14.
constexpr unsigned window_bits = 16, low_bits = 14, middle_bits = 14, top_bits = 13;
static_assert(std::size_t{1} << window_bits == slab::size);

using place = std::atomic<slab*>;
struct window {
  place slabs[2];
};
using low_table = window; // 2^low_bits of them
using middle_table = std::atomic<low_table*>;

constinit std::atomic<middle_table*> top[std::size_t{1} << top_bits] = {};

/// Returns the table at `in`; allocates it if there is none. Zeros are a table of null pointers, and the untouched
/// pages of a large table take no memory.
template <class Table> Table* find_or_make(std::atomic<Table*>& in, std::size_t count) noexcept {
  // Acquire: pairs with the release of the exchange below, in the thread that allocated the table.
  Table* known = in.load(std::memory_order_acquire);
  if (known) return known;
  auto* const fresh = static_cast<Table*>(std::calloc(count, sizeof(Table)));
  if (!fresh) return nullptr;
  if (in.compare_exchange_strong(known, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) return fresh;
  std::free(fresh);
  return known;
}

constexpr std::size_t low_of(std::uintptr_t number) noexcept { return number & ((std::size_t{1} << low_bits) - 1); }
constexpr std::size_t middle_of(std::uintptr_t number) noexcept {
  return number >> low_bits & ((std::size_t{1} << middle_bits) - 1);
}
constexpr std::size_t top_of(std::uintptr_t number) noexcept { return number >> (low_bits + middle_bits); }

window* find_window(std::uintptr_t number) noexcept {
  if (top_of(number) >> top_bits != 0) return nullptr;
  auto* const middle = top[top_of(number)].load(std::memory_order_acquire);
  auto* const low = middle ? middle[middle_of(number)].load(std::memory_order_acquire) : nullptr;
  return low ? low + low_of(number) : nullptr;
}

/// Replaces `now` with `next` in each window of a slab. False if a window does not contain `now`.
bool exchange(slab const& s, slab* now, slab* next) noexcept {
  std::uintptr_t const base = s.base.load(std::memory_order_relaxed);
  bool all = true;
  for (std::uintptr_t number = base >> window_bits; number <= (base + slab::size - 1) >> window_bits; ++number) {
    window* const w = find_window(number);
    bool one = false;
    for (place& each : w->slabs) {
      slab* seen = now;
      // Release: pairs with the acquire in find(), in a thread that frees a piece. That thread has the piece's address
      // from the thread that allocated it, and the allocation came after this exchange.
      one = each.compare_exchange_strong(seen, next, std::memory_order_release, std::memory_order_relaxed);
      if (one) break;
    }
    all = all && one;
  }
  return all;
}

} // namespace

bool prepare(std::uintptr_t base) noexcept {
  for (std::uintptr_t number = base >> window_bits; number <= (base + slab::size - 1) >> window_bits; ++number) {
    if (top_of(number) >> top_bits != 0) return false;
    auto* const middle = find_or_make(top[top_of(number)], std::size_t{1} << middle_bits);
    if (!middle || !find_or_make(middle[middle_of(number)], std::size_t{1} << low_bits)) return false;
  }
  return true;
}

bool insert(slab& s) noexcept {
  if (exchange(s, nullptr, &s)) return true;
  remove(s); // from the windows where it was inserted
  return false;
}

void remove(slab& s) noexcept { (void)exchange(s, &s, nullptr); }

slab* find(std::uintptr_t address) noexcept {
  window* const w = find_window(address >> window_bits);
  if (!w) return nullptr;
  for (place& each : w->slabs)
    if (slab* const s = each.load(std::memory_order_acquire);
        s && address - s->base.load(std::memory_order_relaxed) < slab::size)
      return s;
  return nullptr;
}

} // namespace cudax::runtime::slab_index
