// SPDX-License-Identifier: Apache-2.0
//
// shared_ranges: the host memory that this library has shared with devices, for who must know without asking CUDA.
//
// Looking up takes no lock and calls nobody, so an atomic operation may do it anywhere: in a signal handler, while
// another thread waits inside CUDA for a kernel that waits for this operation. So the table is an array of fixed size, of
// which a look-up reads what was ever used. What does not fit is not known.
#pragma once

#include "host_boundary.hpp"

namespace cudax::runtime {

enum class sharing : unsigned char { none, registered, mapped, managed };

inline constexpr size_t shared_ranges_max = 1024;

/// `key` tells ranges of one kind apart: a ticket, or an address.
void add_shared(sharing kind, unsigned long long key, void const volatile* begin, size_t size) noexcept;
void remove_shared(sharing kind, unsigned long long key) noexcept;

/// How the byte at `address` is shared. While the range is being removed the answer may be wrong.
sharing find_shared(void const volatile* address) noexcept;

/// As find_shared; also marks the range with `bits` and tells which of them it had before.
sharing mark_shared(void const volatile* address, unsigned char bits, unsigned char& before) noexcept;
/// Takes the bits from the range again, where there is one.
void unmark_shared(void const volatile* address, unsigned char bits) noexcept;

/// The kinds of which there was ever a range, as bits.
unsigned shared_kinds() noexcept;
constexpr unsigned bit(sharing kind) noexcept { return 1u << static_cast<unsigned>(kind); }

} // namespace cudax::runtime
