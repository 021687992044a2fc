// SPDX-License-Identifier: Apache-2.0
//
// compare: the comparisons of setp and set.  [PTX ISA, "Comparison and Selection Instructions"]
#pragma once

#include "floating.hpp"

namespace emulator {

enum class comparison : u8 { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <comparison C, class T>
bool compare(T a, T b) {
  using enum comparison;
  if constexpr (C == eq || C == equ) return a == b;
  else if constexpr (C == ne || C == neu) return a != b;
  else if constexpr (C == lt || C == ltu) return a < b;
  else if constexpr (C == le || C == leu) return a <= b;
  else if constexpr (C == gt || C == gtu) return a > b;
  else return a >= b;
}

/// For floating-point numbers, a comparison with NaN is false; those that end in u are true.
template <comparison C, class T>
bool compare_floats(mode m, T x, T y) {
  using enum comparison;
  bool const unordered = is_nan(x) || is_nan(y);
  if constexpr (C == num) return !unordered;
  else if constexpr (C == nan) return unordered;
  else {
    if (unordered) return C >= equ;
    x = flushed(m, x);
    y = flushed(m, y);
    if constexpr (is_native<T>) return compare<C>(x, y);
    else return compare<C>(convert<float>(x, rounding::nearest), convert<float>(y, rounding::nearest));
  }
}

template <comparison C, class T>
handler comparison_handler() {
  if constexpr (std::is_integral_v<T>) return function_handler<compare<C, T>>;
  else return function_handler<compare_floats<C, T>>;
}

inline std::string_view take_comparison_name(decoder& d) {
  std::string_view const name = d.take_one_of({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                                               "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (name.empty()) d.reject("needs a comparison");
  return name;
}

/// Returns the handler of the comparison of this name in type T; rejects a comparison that T does not have.
template <class T>
handler comparison_handler(decoder& d, std::string_view name, bool is_bits) {
  using enum comparison;
  if (name == "eq") return comparison_handler<eq, T>();
  if (name == "ne") return comparison_handler<ne, T>();
  if (is_bits) d.reject("bits compare for .eq and .ne alone");
  if (name == "lt") return comparison_handler<lt, T>();
  if (name == "le") return comparison_handler<le, T>();
  if (name == "gt") return comparison_handler<gt, T>();
  if (name == "ge") return comparison_handler<ge, T>();
  if constexpr (!std::is_integral_v<T>) {
    if (name == "equ") return comparison_handler<equ, T>();
    if (name == "neu") return comparison_handler<neu, T>();
    if (name == "ltu") return comparison_handler<ltu, T>();
    if (name == "leu") return comparison_handler<leu, T>();
    if (name == "gtu") return comparison_handler<gtu, T>();
    if (name == "geu") return comparison_handler<geu, T>();
    if (name == "num") return comparison_handler<num, T>();
    if (name == "nan") return comparison_handler<nan, T>();
  } else if constexpr (std::is_unsigned_v<T>) {
    if (name == "lo") return comparison_handler<lt, T>();
    if (name == "ls") return comparison_handler<le, T>();
    if (name == "hi") return comparison_handler<gt, T>();
    if (name == "hs") return comparison_handler<ge, T>();
  }
  d.reject("the type has no such comparison");
}

inline bool is_bit_type(scalar type) { return type == scalar::b16 || type == scalar::b32 || type == scalar::b64; }

inline bool inverse(bool p) { return !p; }
inline bool both(bool a, bool b) { return a && b; }
inline bool either(bool a, bool b) { return a || b; }
inline bool differ(bool a, bool b) { return a != b; }
/// Takes .and, .or or .xor and returns its handler; null if there is none.
inline handler take_combination(decoder& d) {
  std::string_view const name = d.take_one_of({"and", "or", "xor"});
  return name == "and"   ? function_handler<both>
         : name == "or"  ? function_handler<either>
         : name == "xor" ? function_handler<differ>
                         : nullptr;
}

template <class T>
T high_half(two<T> x) {
  return x.high;
}

/// Emits the comparison of operands 1 and 2, for all types that setp and set have, into `result`; for packed types,
/// also that of the high halves into `result_high`.
inline void emit_comparison(decoder& d, std::string_view name, mode m, scalar type, slot result, slot result_high) {
  slot const a = d.source(1, type), b = d.source(2, type);
  for_type<u16, u32, u64, s16, s32, s64, float, double, f16, bf16, two<f16>, two<bf16>>(d, type, [&]<class T> {
    if constexpr (is_packed<T>) {
      using half = decltype(T::low);
      handler const run = comparison_handler<half>(d, name, false);
      d.emit(run, result, a, b).extra =
          m.bits(); // the low half's slot may be that of the whole: only the low bits are read
      slot const high_a = d.scratch(), high_b = d.scratch();
      d.emit(function_handler<high_half<half>>, high_a, a);
      d.emit(function_handler<high_half<half>>, high_b, b);
      d.emit(run, result_high, high_a, high_b).extra = m.bits();
    } else d.emit(comparison_handler<T>(d, name, is_bit_type(type)), result, a, b).extra = m.bits();
  });
}

} // namespace emulator
