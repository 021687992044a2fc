// SPDX-License-Identifier: Apache-2.0
//
// redux.sync: a reduction over lanes.  [PTX ISA, "redux.sync"]
#include "support/waiting/lanes.hpp"

#include <cmath>

namespace emulator {
namespace {

template <class T, T (*F)(T, T)>
void reduce(warp& w, u32 lanes) {
  bool first = true;
  T result{};
  for_each_lane(w, lanes, [&](int, operation const& o, u64* r) {
    T const value = get<T>(r, o.a);
    result = first ? value : F(result, value);
    first = false;
  });
  for_each_lane(w, lanes, [&](int, operation const& o, u64* r) { put(r, o.d, result); });
}

template <class T> T add(T a, T b) { return T(u32(a) + u32(b)); }
template <class T> T min(T a, T b) { return b < a ? b : a; }
template <class T> T max(T a, T b) { return a < b ? b : a; }
u32 both(u32 a, u32 b) { return a & b; }
u32 either(u32 a, u32 b) { return a | b; }
u32 differ(u32 a, u32 b) { return a ^ b; }

/// min and max of floats: NaN only where all are NaN, with .NaN where one is; -0 is less than +0.
template <bool IsMin, bool Nan>
float least(float a, float b) {
  constexpr u32 canonical = 0x7fffffff;
  if (std::isnan(a) || std::isnan(b)) {
    if (Nan || (std::isnan(a) && std::isnan(b))) return std::bit_cast<float>(canonical);
    return std::isnan(a) ? b : a;
  }
  if (a == b) return std::signbit(a) == IsMin ? a : b;
  return (a < b) == IsMin ? a : b;
}

template <bool IsMin, bool Nan, bool Abs>
void reduce_float(warp& w, u32 lanes) {
  bool first = true;
  float result = 0;
  for_each_lane(w, lanes, [&](int, operation const& o, u64* r) {
    float value = get<float>(r, o.a);
    if (Abs) value = std::fabs(value);
    result = first ? least<IsMin, Nan>(value, value) : least<IsMin, Nan>(result, value);
    first = false;
  });
  for_each_lane(w, lanes, [&](int, operation const& o, u64* r) { put(r, o.d, result); });
}

template <rendezvous_function Complete>
void emit(decoder& d, ptx::scalar type) {
  slot const a = d.source(1, type);
  emit_meeting<Complete>(d, d.source(2, ptx::scalar::u32), d.destination(0), a);
}

template <bool IsMin>
void decode_float(decoder& d) {
  bool const nan = d.take("NaN"), abs = d.take("abs");
  if (d.sm() < 100) d.reject(".f32 needs sm_100a");
  if (nan && abs) emit<reduce_float<IsMin, true, true>>(d, ptx::scalar::f32);
  else if (nan) emit<reduce_float<IsMin, true, false>>(d, ptx::scalar::f32);
  else if (abs) emit<reduce_float<IsMin, false, true>>(d, ptx::scalar::f32);
  else emit<reduce_float<IsMin, false, false>>(d, ptx::scalar::f32);
}

void decode(decoder& d) {
  using enum ptx::scalar;
  require_sync(d);
  if (d.sm() < 80) d.reject("it needs sm_80");
  auto const which = d.take_one_of({"add", "min", "max", "and", "or", "xor"});
  if (which == "and" || which == "or" || which == "xor") {
    d.take_type({b32});
    if (which == "and") emit<reduce<emulator::u32, both>>(d, b32);
    else if (which == "or") emit<reduce<emulator::u32, either>>(d, b32);
    else emit<reduce<emulator::u32, differ>>(d, b32);
    return;
  }
  auto const type = d.take_type({u32, s32, f32});
  if (which == "add" && type != f32) emit<reduce<emulator::u32, add>>(d, type);
  else if (which == "min" && type == u32) emit<reduce<emulator::u32, min>>(d, type);
  else if (which == "max" && type == u32) emit<reduce<emulator::u32, max>>(d, type);
  else if (which == "min" && type == s32) emit<reduce<emulator::s32, min>>(d, type);
  else if (which == "max" && type == s32) emit<reduce<emulator::s32, max>>(d, type);
  else if (which == "min") decode_float<true>(d);
  else if (which == "max") decode_float<false>(d);
  else d.reject("it needs .add .min .max of .u32 .s32, .min .max of .f32, or .and .or .xor of .b32");
}

definition const
    redux_definition("redux", ".sync .add .min .max .u32 .s32, .and .or .xor .b32, .min .max .abs .NaN .f32", decode);

} // namespace
} // namespace emulator
