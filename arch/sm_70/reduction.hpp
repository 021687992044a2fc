// SPDX-License-Identifier: Apache-2.0
//
// reduction: what cp.reduce.async.bulk and the asynchronous stores of sm_90 do, by operations of the calling thread on
// one element after the other. Each is relaxed, with the scope of the instruction: device for global memory; for the
// shared memory of a cluster, which is one block, that block. As in bulk_copy.hpp the barrier is not used, and all is
// complete when the function returns.
#pragma once

#include "atom.hpp"
#include "bfloat16.hpp"
#include "bulk_copy.hpp"
#include "red.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {

/// The bits of one number in f32.
template <element Type>
f32 f32_of(u16 bits) {
  return Type == element::bf16 ? f32_of_bf16(bits) : f32(__builtin_bit_cast(_Float16, bits));
}

/// The smaller or the larger of two 16-bit numbers: -0 is less than +0, and a number is preferred to a NaN.
template <reduction Op, element Type>
u16 extremum_16(u16 a, u16 b) {
  f32 const x = f32_of<Type>(a), y = f32_of<Type>(b);
  if (x != x) return y != y ? u16(0x7fff) : b; // the NaN of the hardware
  if (y != y) return a;
  bool const a_is_less = x < y || (x == y && (a & 0x8000) != 0);
  return a_is_less == (Op == reduction::min) ? a : b;
}

/// The reduction of one object with `value`, an element's bits.
template <class Q, reduction Op, element Type>
void reduce_element(void* a, u64 value) {
  constexpr bool is_wide = size_of(Type) == 8;
  if constexpr (Op == reduction::inc) red_inc_u32<Q>(a, u32(value));
  else if constexpr (Op == reduction::dec) red_dec_u32<Q>(a, u32(value));
  else if constexpr (Op == reduction::bit_and && is_wide) red_and_b64<Q>(a, value);
  else if constexpr (Op == reduction::bit_and) red_and_b32<Q>(a, u32(value));
  else if constexpr (Op == reduction::bit_or && is_wide) red_or_b64<Q>(a, value);
  else if constexpr (Op == reduction::bit_or) red_or_b32<Q>(a, u32(value));
  else if constexpr (Op == reduction::bit_xor && is_wide) red_xor_b64<Q>(a, value);
  else if constexpr (Op == reduction::bit_xor) red_xor_b32<Q>(a, u32(value));
  else if constexpr (Op == reduction::add) {
    if constexpr (Type == element::f32) red_add_f32<Q>(a, __builtin_bit_cast(f32, u32(value)));
    else if constexpr (Type == element::f64) red_add_f64<Q>(a, __builtin_bit_cast(f64, value));
    else if constexpr (Type == element::f16) red_add_noftz_f16<Q>(a, u16(value));
    else if constexpr (Type == element::bf16) red_add_noftz_bf16<Q>(a, u16(value));
    else if constexpr (is_wide) red_add_u64<Q>(a, value);
    else red_add_u32<Q>(a, u32(value));
  } else if constexpr (Type == element::f16 || Type == element::bf16) {
    atom_modify_b16<Q>(a, [=](u16 before) { return extremum_16<Op, Type>(before, u16(value)); });
  } else if constexpr (Op == reduction::min) {
    if constexpr (Type == element::u32) red_min_u32<Q>(a, u32(value));
    else if constexpr (Type == element::s32) red_min_s32<Q>(a, s32(value));
    else if constexpr (Type == element::u64) red_min_u64<Q>(a, value);
    else red_min_s64<Q>(a, s64(value));
  } else {
    if constexpr (Type == element::u32) red_max_u32<Q>(a, u32(value));
    else if constexpr (Type == element::s32) red_max_s32<Q>(a, s32(value));
    else if constexpr (Type == element::u64) red_max_u64<Q>(a, value);
    else red_max_s64<Q>(a, s64(value));
  }
}

template <unsigned Size>
struct word_of;
template <>
struct word_of<2> {
  using type = u16;
};
template <>
struct word_of<4> {
  using type = u32;
};
template <>
struct word_of<8> {
  using type = u64;
};

template <reduction Op, element Type, u32>
void cp_reduce_async_bulk_global_shared(void* to, void const* from, u32 size, copy_operands const&) {
  using word = typename word_of<size_of(Type)>::type;
  using in_global = qualifiers<sem::relaxed, scope::gpu, space::global>;
  for (u32 i = 0; i < size; i += sizeof(word))
    reduce_element<in_global, Op, Type>(static_cast<char*>(to) + i,
                                        plain_shared<word>::load(static_cast<char const*>(from) + i));
}

template <reduction Op, element Type>
void red_async(void* to, u64 value, void*) {
  reduce_element<qualifiers<sem::relaxed, scope::cta, space::shared>, Op, Type>(to, value);
}
inline void st_async_b32(void* to, u32 value, void*) { plain_shared<u32>::store(to, value); }
inline void st_async_b64(void* to, u64 value, void*) { plain_shared<u64>::store(to, value); }
inline void st_async_v2_b64(void* to, u64 low, u64 high, void*) {
  plain_shared<b128>::store(to, b128(high) << 64 | low);
}

} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
