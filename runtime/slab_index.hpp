// SPDX-License-Identifier: Apache-2.0
//
// slab_index: from an address to the slab that it is in, without a lock.
//
// A table of three levels over windows of 64 KiB, the size of a slab: a slab begins in one window and may end in the next, so a
// window has room for two. What freeing reads here it reads while others add slabs and remove them; tables and slabs are
// never given back to the heap, so it may read them at any time. Which slab an address was in is certain under its arena's
// lock alone.
#pragma once

#include "slab.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cudax::runtime::slab_index {

/// Makes room for a slab; false where there is no memory for it.
bool prepare(std::uintptr_t base) noexcept;
/// Enters a slab, behind prepare(); false where two others are in one of its windows.
bool insert(slab& s) noexcept;
void remove(slab& s) noexcept;
/// Null where there was none.
slab* find(std::uintptr_t address) noexcept;

} // namespace cudax::runtime::slab_index
