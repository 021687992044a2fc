// SPDX-License-Identifier: Apache-2.0
//
// function: instructions that are functions of values.
// Most instructions compute one value from others and know nothing else. Such an instruction is an ordinary function,
// `u32 f(u32 a, u32 b)`; its C++ types say how the slots are read and written, and how a constant operand is
// converted. What the modifiers chose at load and is no template parameter comes first, as a `mode`, and travels in
// operation::extra.
#pragma once

#include "../../machine/decoder.hpp"
#include "format.hpp"
#include "mode.hpp"

#include <array>
#include <type_traits>
#include <utility>

namespace emulator {

using scalar = ptx::scalar;

/// The scalar whose constants a C++ type stands for.
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

inline constexpr std::array<slot operation::*, 4> source_slots{&operation::a, &operation::b, &operation::c,
                                                               &operation::e};

template <auto F, class R, class... A, std::size_t... I>
void call(std::uint64_t* registers, operation const& o, R (*)(A...), std::index_sequence<I...>) {
  put<R>(registers, o.d, F(get<A>(registers, o.*source_slots[I])...));
}
template <auto F, class R, class... A, std::size_t... I>
void call(std::uint64_t* registers, operation const& o, R (*)(mode, A...), std::index_sequence<I...>) {
  put<R>(registers, o.d, F(mode::of(o.extra), get<A>(registers, o.*source_slots[I])...));
}
template <class R, class... A>
constexpr std::index_sequence_for<A...> sources_of(R (*)(A...)) {
  return {};
}
template <class R, class... A>
constexpr std::index_sequence_for<A...> sources_of(R (*)(mode, A...)) {
  return {};
}
template <auto F>
void run_function(std::uint64_t* registers, operation const& o) {
  call<F>(registers, o, F, sources_of(F));
}

/// The handler of an ordinary function.
template <auto F>
inline constexpr handler function_handler = computes<run_function<F>>;

template <class R, class... A, std::size_t... I>
void take_sources(decoder& d, operation& o, R (*)(A...), std::index_sequence<I...>) {
  ((o.*source_slots[I] = d.source(I + 1, scalar_of<A>())), ...);
}
template <class R, class... A, std::size_t... I>
void take_sources(decoder& d, operation& o, R (*)(mode, A...), std::index_sequence<I...>) {
  ((o.*source_slots[I] = d.source(I + 1, scalar_of<A>())), ...);
}

/// Emits `operand 0 = F(operand 1, operand 2, ...)`.
template <auto F>
operation& emit(decoder& d, mode m = {}) {
  operation wanted;
  take_sources(d, wanted, F, sources_of(F)); // before emit(): a source may emit operations itself
  operation& o = d.emit(function_handler<F>, d.destination(0), wanted.a, wanted.b, wanted.c);
  o.e = wanted.e;
  o.extra = m.bits();
  return o;
}

/// with_type for the types of support/format.hpp, too.
template <class T>
constexpr bool stands_for(scalar type) {
  if constexpr (std::is_same_v<T, f16>) return type == scalar::f16;
  else if constexpr (std::is_same_v<T, bf16>) return type == scalar::bf16;
  else if constexpr (std::is_same_v<T, two<f16>>) return type == scalar::f16x2;
  else if constexpr (std::is_same_v<T, two<bf16>>) return type == scalar::bf16x2;
  else return type != scalar::f16x2 && type != scalar::bf16x2 && scalar_has_type<T>(type); // packed numbers are no u32
}
/// The type that was there, which must be one of numbers: not .b32 and the like.
inline scalar take_number_type(decoder& d) {
  scalar const type = d.take_type();
  if (type == scalar::b8 || type == scalar::b16 || type == scalar::b32 || type == scalar::b64 || type == scalar::b128)
    d.refuse("needs a type of numbers, and .bN is one of bits");
  return type;
}
template <class... Types, class F>
void for_type(decoder& d, scalar type, F f) {
  bool const known = ((stands_for<Types>(type) ? (f.template operator()<Types>(), true) : false) || ...);
  if (!known) d.refuse("this instruction has no such type");
}

} // namespace emulator
