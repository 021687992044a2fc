// SPDX-License-Identifier: Apache-2.0
//
// shared_ranges: the host memory that this library has shared with devices, for who must know without asking CUDA.
//
// Looking up takes no lock and calls nobody, so an atomic operation may do it anywhere: in a signal handler, while
// another thread waits inside CUDA for a kernel that waits for this operation. The ranges are in a tree (range_tree.hpp).
// Their entries are kept for later ranges and never freed. Where there is no memory for another entry, the range is not known.
#pragma once

#include "host_boundary.hpp"

#include <cstdint>

namespace cudax::runtime {

enum class sharing : unsigned char { none, registered, mapped, managed };

/// A range as it was found.
struct shared_range {
  sharing kind = sharing::none;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  size_t object_size = 0; // of the objects that the range was made of, one after the other
  unsigned number = 0;    // which entry, for the n-th time
  void* entry = nullptr;
};

/// `key` tells ranges of one kind apart: a ticket, or an address.
void add_shared(sharing kind, unsigned long long key, void const volatile* begin, size_t size,
                size_t object_size) noexcept;
/// Of two ranges of one key the later one; `earliest`: the first, which is there no more (forget()).
void remove_shared(sharing kind, unsigned long long key, bool earliest = false) noexcept;

/// A range that holds the byte at `address`. While a range is being added or removed the answer may be either.
shared_range find_shared(void const volatile* address) noexcept;

/// Marks a range with `bits` and tells which of them it had before; all, where it has been removed.
unsigned char mark_shared(shared_range const& range, unsigned char bits) noexcept;
/// Takes the bits from the range again.
void unmark_shared(shared_range const& range, unsigned char bits) noexcept;

/// The kinds of which there was ever a range, as bits.
unsigned shared_kinds() noexcept;
constexpr unsigned bit(sharing kind) noexcept { return 1u << static_cast<unsigned>(kind); }

} // namespace cudax::runtime
