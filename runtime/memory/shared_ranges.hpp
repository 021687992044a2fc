// SPDX-License-Identifier: Apache-2.0
//
// shared_ranges: the host memory that this library has shared with devices, for code that must know it without calling
// CUDA.
//
// A look-up takes no lock and calls no other code, so an atomic operation may do it anywhere: in a signal handler, or
// while another thread waits inside CUDA for a kernel that waits for this operation. The ranges are in a tree
// (range_tree.hpp). Entries are reused and never freed. If there is no memory for an entry, the range stays unknown.
#pragma once

#include "../interface/host_boundary.hpp"

#include <cstdint>

namespace cudax::runtime {

enum class sharing : unsigned char { none, registered, mapped, managed };

/// A snapshot of a range.
struct shared_range {
  sharing kind = sharing::none;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  size_t object_size = 0; // of each of the consecutive objects in the range
  unsigned number = 0;    // distinguishes the ranges that the entry has held
  void* entry = nullptr;
};

/// Adds a range. `key`, a ticket or an address, distinguishes ranges of one kind.
void add_shared(sharing kind, unsigned long long key, void const volatile* begin, size_t size,
                size_t object_size) noexcept;
/// Removes a range. If two ranges have the same key, removes the later one; with `earliest`, the first one, whose
/// memory no longer exists (forget()).
void remove_shared(sharing kind, unsigned long long key, bool earliest = false) noexcept;

/// Finds a range that contains `address`. While a range is being added or removed, the result may or may not include
/// it.
shared_range find_shared(void const volatile* address) noexcept;

/// Sets the mark bits of a range and returns its previous bits; all bits if the range has been removed.
unsigned char mark_shared(shared_range const& range, unsigned char bits) noexcept;
/// Clears mark bits of a range.
void unmark_shared(shared_range const& range, unsigned char bits) noexcept;

/// Returns the kinds of memory that were ever shared, as bits.
unsigned shared_kinds() noexcept;
constexpr unsigned bit(sharing kind) noexcept { return 1u << static_cast<unsigned>(kind); }

} // namespace cudax::runtime
