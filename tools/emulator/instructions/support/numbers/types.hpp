// SPDX-License-Identifier: Apache-2.0
//
// types: the C++ types that represent the scalars of PTX.
//
// Unsigned integers represent .bN and .uN, signed ones .sN, u128 .b128, bool .pred; format.hpp has 16-bit numbers and
// pairs of them.
#pragma once

#include "../../../machine/decoder.hpp"
#include "format.hpp"

#include <type_traits>

namespace emulator {

using scalar = ptx::scalar;

/// The scalar whose constants a C++ type represents.
template <class T>
constexpr scalar scalar_of() {
  if constexpr (std::is_same_v<T, bool>) return scalar::pred;
  else if constexpr (std::is_same_v<T, float>) return scalar::f32;
  else if constexpr (std::is_same_v<T, double>) return scalar::f64;
  else if constexpr (std::is_same_v<T, f16>) return scalar::f16;
  else if constexpr (std::is_same_v<T, bf16>) return scalar::bf16;
  else if constexpr (std::is_same_v<T, u128>) return scalar::b128;
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    return sizeof(T) == 1 ? scalar::s8 : sizeof(T) == 2 ? scalar::s16 : sizeof(T) == 4 ? scalar::s32 : scalar::s64;
  else
    return sizeof(T) == 1   ? scalar::b8
           : sizeof(T) == 2 ? scalar::b16
           : sizeof(T) == 4 ? scalar::b32
                            : scalar::b64; // packed values, too
}

template <class T>
constexpr bool stands_for(scalar type) {
  if constexpr (std::is_same_v<T, bool>) return type == scalar::pred;
  else if constexpr (std::is_same_v<T, u8>) return type == scalar::u8 || type == scalar::b8;
  else if constexpr (std::is_same_v<T, u16>) return type == scalar::u16 || type == scalar::b16;
  else if constexpr (std::is_same_v<T, u32>) return type == scalar::u32 || type == scalar::b32;
  else if constexpr (std::is_same_v<T, u64>) return type == scalar::u64 || type == scalar::b64;
  else if constexpr (std::is_same_v<T, u128>) return type == scalar::b128;
  else if constexpr (std::is_same_v<T, s8>) return type == scalar::s8;
  else if constexpr (std::is_same_v<T, s16>) return type == scalar::s16;
  else if constexpr (std::is_same_v<T, s32>) return type == scalar::s32;
  else if constexpr (std::is_same_v<T, s64>) return type == scalar::s64;
  else if constexpr (std::is_same_v<T, float>) return type == scalar::f32;
  else if constexpr (std::is_same_v<T, double>) return type == scalar::f64;
  else if constexpr (std::is_same_v<T, f16>) return type == scalar::f16;
  else if constexpr (std::is_same_v<T, bf16>) return type == scalar::bf16;
  else if constexpr (std::is_same_v<T, two<f16>>) return type == scalar::f16x2;
  else if constexpr (std::is_same_v<T, two<bf16>>) return type == scalar::bf16x2;
  else static_assert(std::is_void_v<T>, "for_type: this C++ type stands for no scalar of PTX");
}

/// Calls f.operator()<T>() with the one of Types that represents `type`; rejects, through d, a type without one.
/// for_type<u32, s32, float>(d, type, [&]<class T> { emit<sum<T>>(d); });
template <class... Types, class F>
void for_type(decoder& d, scalar type, F f) {
  bool const known = ((stands_for<Types>(type) ? (f.template operator()<Types>(), true) : false) || ...);
  if (!known) d.reject("this instruction has no such type");
}

/// Takes the type, which must be a type of numbers, unlike .b32.
inline scalar take_number_type(decoder& d) {
  scalar const type = d.take_type();
  if (type == scalar::b8 || type == scalar::b16 || type == scalar::b32 || type == scalar::b64 || type == scalar::b128)
    d.reject("needs a type of numbers, and .bN is one of bits");
  return type;
}

} // namespace emulator
