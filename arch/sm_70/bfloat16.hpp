// SPDX-License-Identifier: Apache-2.0
//
// bfloat16: atomic addition before sm_90, a loop on atom.cas.b16. The sum is formed in f32 and rounded to bfloat16,
// which gives the correctly rounded sum as atom.add.noftz.bf16 does: rounding twice is harmless where the wider format
// has at least 2p + 2 bits of significand, and f32 has 24 against 2 * 8 + 2.
#pragma once

#include "atom.hpp"
#include "ld.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

inline u16 f16_sum(u16 a, u16 b) {
  return __builtin_bit_cast(u16, _Float16(__builtin_bit_cast(_Float16, a) + __builtin_bit_cast(_Float16, b)));
}

inline f32 f32_of_bf16(u16 bits) { return __builtin_bit_cast(f32, u32(bits) << 16); }

inline u16 bf16_of_f32(f32 value) {
  u32 const bits = __builtin_bit_cast(u32, value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff; // NaN: the canonical one of the hardware
  return u16((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline u16 bf16_sum(u16 a, u16 b) { return bf16_of_f32(f32_of_bf16(a) + f32_of_bf16(b)); }

/// Replaces the object by f of it; returns the bits before.
template <class Q, class F>
u16 atom_modify_b16(void* a, F f) {
  u16 seen = ld_b16<typename Q::template with<sem::relaxed>>(a);
  for (;;) {
    u16 const before = atom_cas_b16<Q>(a, seen, f(seen));
    if (before == seen) return before;
    seen = before;
  }
}

template <class Q>
u16 atom_add_noftz_bf16(void* a, u16 b) {
  return atom_modify_b16<Q>(a, [=](u16 before) { return bf16_sum(before, b); });
}

template <class Q>
void red_add_noftz_bf16(void* a, u16 b) {
  atom_add_noftz_bf16<Q>(a, b);
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
