// SPDX-License-Identifier: Apache-2.0
//
// video: instructions on two halfwords or four bytes at once.  [PTX ISA, "SIMD Video Instructions"]
// Each lane of `a` and of `b` is any halfword or byte of the two registers, as its selector says. The result of a lane
// is a number of 32 bits. It is either clamped (.sat) or truncated, and merged with `c`; or, with .add, all results are
// added to `c`.
#pragma once

#include "types.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

namespace emulator {

/// The modifiers and selectors.
struct video_form {
  struct source {
    std::array<u8, 4> part; ///< of b:a, for each lane
    bool is_signed;
  };
  source a{}, b{};
  std::array<bool, 4> in_mask{};
  bool adds = false;
  s32 least, greatest; ///< the bounds of a result; the whole range without clamping
};

template <int Lanes>
inline constexpr int video_width = 32 / Lanes;

/// Returns the lane's number, extended.
template <int Lanes>
s32 lane_of(u64 registers, video_form::source const& from, int lane) {
  auto const part = u32(registers >> (from.part[std::size_t(lane)] * video_width<Lanes>));
  constexpr int rest = 32 - video_width<Lanes>;
  return from.is_signed ? s32(part << rest) >> rest : s32(part << rest >> rest);
}

template <int Lanes, s32 (*F)(s32, s32)>
void run_video(u64* registers, operation const& o) {
  constexpr u32 field = Lanes == 2 ? 0xffff : 0xff;
  auto const& form = *static_cast<video_form const*>(o.pointer);
  u64 const parts = get<u64>(registers, o.b) << 32 | get<u32>(registers, o.a);
  u32 const c = get<u32>(registers, o.c);
  u32 sum = c, merged = 0;
  for (int lane = 0; lane < Lanes; ++lane) {
    int const at = lane * video_width<Lanes>;
    bool const in_mask = form.in_mask[std::size_t(lane)];
    auto const result = u32(std::clamp(F(lane_of<Lanes>(parts, form.a, lane), lane_of<Lanes>(parts, form.b, lane)),
                                       form.least, form.greatest));
    if (in_mask) sum += result;
    merged |= ((in_mask ? result : c >> at) & field) << at;
  }
  put<u32>(registers, o.d, form.adds ? sum : merged);
}

/// Removes the selector, like ".h10", from a register's name and returns it.
inline std::string_view take_selector(decoder& d, ptx::operand& o) {
  auto const dot = o.name.find('.');
  if (dot == o.name.npos) return {};
  if (o.kind == ptx::operand_kind::special) d.reject("a special register has no parts that can be selected");
  std::string_view const selector = o.name.substr(dot + 1);
  o.name = o.name.substr(0, dot);
  return selector;
}

/// Parses the numbers of the parts, the highest lane first: "h32", "b7654".
template <int Lanes>
std::array<u8, 4> parts_of(decoder& d, std::string_view selector) {
  std::array<u8, 4> parts{};
  bool fits = selector.size() == Lanes + 1 && selector[0] == (Lanes == 2 ? 'h' : 'b');
  for (std::size_t i = 0; fits && i < Lanes; ++i) {
    char const digit = selector[Lanes - i];
    fits = digit >= '0' && digit < '0' + 2 * Lanes;
    parts[i] = u8(digit - '0');
  }
  if (!fits)
    d.reject("." + std::string(selector) + " selects no parts; " +
             (Lanes == 2 ? ".h and two digits from 0 to 3 do" : ".b and four digits from 0 to 7 do"));
  return parts;
}

/// Parses the lanes that are written, the highest first: "h1", "b320".
template <int Lanes>
std::array<bool, 4> mask_of(decoder& d, std::string_view mask) {
  std::array<bool, 4> lanes{};
  bool fits = mask.size() >= 2 && mask[0] == (Lanes == 2 ? 'h' : 'b');
  char above = '0' + Lanes;
  for (std::size_t i = 1; fits && i < mask.size(); ++i) {
    fits = mask[i] >= '0' && mask[i] < above;
    above = mask[i];
    if (fits) lanes[std::size_t(mask[i] - '0')] = true;
  }
  if (!fits) d.reject("." + std::string(mask) + " is no mask; one names lanes, the highest first");
  return lanes;
}

template <int Lanes>
video_form::source take_video_source(decoder& d, ptx::operand& o, bool is_signed, std::string_view selector) {
  std::string_view const written = take_selector(d, o);
  return {parts_of<Lanes>(d, written.empty() ? selector : written), is_signed};
}

/// Emits the operation for two lanes or four. Types, .sat and comparisons were taken; .add is still to be taken.
template <int Lanes, s32 (*F)(s32, s32)>
void emit_video(decoder& d, video_form form, bool a_is_signed, bool b_is_signed) {
  form.adds = d.take("add");
  ptx::operand to = d.operand(0), a = d.operand(1), b = d.operand(2);
  std::string_view const mask = take_selector(d, to);
  form.in_mask = mask_of<Lanes>(d, mask.empty() ? (Lanes == 2 ? "h10" : "b3210") : mask);
  form.a = take_video_source<Lanes>(d, a, a_is_signed, Lanes == 2 ? "h10" : "b3210");
  form.b = take_video_source<Lanes>(d, b, b_is_signed, Lanes == 2 ? "h32" : "b7654");
  slot const first = d.source(a, scalar::u32), second = d.source(b, scalar::u32), third = d.source(3, scalar::u32);
  d.emit(computes<run_video<Lanes, F>>, d.destination(to), first, second, third).pointer = d.keep(form);
}

/// Takes .u32 or .s32.
inline bool take_is_signed(decoder& d) { return d.take_type({scalar::u32, scalar::s32}) == scalar::s32; }

/// vop.dtype.atype.btype{.sat} or .add
template <int Lanes, s32 (*F)(s32, s32)>
void decode_video(decoder& d) {
  bool const result = take_is_signed(d), a = take_is_signed(d), b = take_is_signed(d);
  video_form form{};
  form.least = std::numeric_limits<s32>::min();
  form.greatest = std::numeric_limits<s32>::max();
  if (d.take("sat")) {
    constexpr s32 all = (1 << video_width<Lanes>)-1;
    form.least = result ? -(all / 2) - 1 : 0;
    form.greatest = result ? all / 2 : all;
    if (d.take("add")) d.reject(".sat and .add exclude each other");
  }
  emit_video<Lanes, F>(d, form, a, b);
}

} // namespace emulator
