// SPDX-License-Identifier: Apache-2.0
//
// function: instructions that are functions of values.
// Most instructions compute one value from others and have no other effect. Such an instruction is an ordinary
// function, `u32 f(u32 a, u32 b)`. Its C++ types determine how the slots are read and written, and how a constant
// operand is converted. Modifiers that are decoded at load time and are not template parameters form the first
// argument, a `mode`, which is stored in operation::extra.
#pragma once

#include "mode.hpp"
#include "types.hpp"

#include <array>
#include <utility>

namespace emulator {

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

} // namespace emulator
