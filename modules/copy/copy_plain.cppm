// SPDX-License-Identifier: Apache-2.0
//
// copy_plain: copies by loads and stores, which are complete when the function returns. It makes the copies for which
// there is no asynchronous copy: all copies before sm_80, copies between other state spaces than global and shared
// memory, and the bytes that do not fill a unit of an asynchronous copy. The threads of a group take units in turn, so
// neighbouring threads access neighbouring memory. A unit has 16 bytes if both addresses are aligned to 16; otherwise
// 8, 4, 2 or 1. The bytes after the last whole unit are copied one by one.
module;
#include "../base/macros.hpp"
export module cudax.sync:copy_plain;
import :bits;
import :group;
import :machine;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

/// Returns whether both addresses are multiples of `unit`. Folds if the promised alignment implies it.
template <size_t Promised>
bool addresses_aligned(void const* to, void const* from, size_t unit) noexcept {
  return Promised >= unit || (((u64)to | (u64)from) & (unit - 1)) == 0;
}

template <size_t Unit, class Group>
void copy_units(Group const& group, char* to, char const* from, size_t size) noexcept {
  for (size_t i = group.thread_rank() * Unit; i < size; i += group.size() * Unit)
    __builtin_memcpy(__builtin_assume_aligned(to + i, Unit), __builtin_assume_aligned(from + i, Unit), Unit);
}

/// Copies the bytes from offset `begun` to `size`, which are fewer than a unit.
template <class Group>
void copy_rest(Group const& group, char* to, char const* from, size_t begun, size_t size) noexcept {
  copy_units<1>(group, to + begun, from + begun, size - begun);
}

template <size_t OfAddresses, size_t OfSize, class Group>
void copy_plainly(Group const& group, char* to, char const* from, size_t size) noexcept {
  if constexpr (!traits::copies_by_units) {
    if (group.thread_rank() == 0) __builtin_memcpy(to, from, size);
  } else {
    auto const by = [&]<size_t Unit>() {
      if (!addresses_aligned<OfAddresses>(to, from, Unit)) return false;
      size_t const whole = size / Unit * Unit;
      copy_units<Unit>(group, to, from, whole);
      if constexpr (OfSize < Unit) copy_rest(group, to, from, whole, size);
      return true;
    };
    by.template operator()<16>() || by.template operator()<8>() || by.template operator()<4>() ||
        by.template operator()<2>() || by.template operator()<1>();
  }
}

} // namespace cudax::copy_detail

CUDAX_EVERYWHERE_END
