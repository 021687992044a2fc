// SPDX-License-Identifier: Apache-2.0
//
// slab_index: maps an address to the slab that contains it, without a lock.
//
// A table of three levels over windows of 64 KiB, the size of a slab. A slab begins in one window and may end in the
// next, so a window has room for two slabs. A thread that frees reads the table while other threads add and remove
// slabs. Tables and slabs are never returned to the heap, so it may read them at any time. The result of find() is
// certain only under the lock of the slab's arena.
#pragma once

#include "slab.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cudax::runtime::slab_index {

/// Allocates the tables for a slab at `base`; false if there is no memory for them.
bool prepare(std::uintptr_t base) noexcept;
/// Inserts a slab after prepare(); false if one of its windows already holds two others.
bool insert(slab& s) noexcept;
void remove(slab& s) noexcept;
/// Returns null if no slab contains the address.
slab* find(std::uintptr_t address) noexcept;

} // namespace cudax::runtime::slab_index
