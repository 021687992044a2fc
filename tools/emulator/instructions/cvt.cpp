// SPDX-License-Identifier: Apache-2.0
//
// cvt: converts from any type of number to any other.  [PTX ISA, "cvt", "cvt.pack"]
//
// A result narrower than its register is extended; for signed types by its sign, in one more operation.
#include "support/numbers/convert.hpp"
#include "support/numbers/cvt_pack.hpp"
#include "support/numbers/narrow.hpp"

namespace emulator {
namespace {

struct request {
  mode m;
  bool rounds = false;   ///< .rn .rz .rm .rp .rna
  bool integral = false; ///< .rni .rzi .rmi .rpi
  scalar to = scalar::none, from = scalar::none;
};

request take_request(decoder& d) {
  request q;
  std::string_view const r = d.take_one_of({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"});
  q.integral = r.size() == 3 && r[2] == 'i';
  q.rounds = !r.empty() && !q.integral;
  if (r == "rna") q.m.rounding = rounding::nearest_away;
  else if (!r.empty())
    q.m.rounding = r[1] == 'n'   ? rounding::nearest
                   : r[1] == 'z' ? rounding::zero
                   : r[1] == 'm' ? rounding::down
                                 : rounding::up;
  q.m.ftz = d.take("ftz");
  q.m.sat = d.take("sat");
  q.m.relu = d.take("relu");
  q.m.satfinite = d.take("satfinite");
  return q;
}

template <class Wide, class Narrow>
Wide extended(Narrow a) {
  return a;
}
template <class Narrow>
void extend_result(decoder& d) {
  scalar const declared = d.declared(d.operand(0));
  int const width = declared == scalar::none ? 0 : ptx::size_of(declared);
  if (width <= int(sizeof(Narrow))) return;
  slot const s = d.destination(0);
  d.emit(width == 2   ? function_handler<extended<s16, Narrow>>
         : width == 4 ? function_handler<extended<s32, Narrow>>
                      : function_handler<extended<s64, Narrow>>,
         s, s);
}

template <class To, class From>
void emit_conversion(decoder& d, request const& q) {
  constexpr bool to_integer = std::is_integral_v<To>, from_integer = std::is_integral_v<From>;
  if constexpr (to_integer && from_integer) {
    if (q.rounds || q.integral || q.m.ftz) d.reject("integers are not rounded");
    using to = std::numeric_limits<To>;
    using from = std::numeric_limits<From>;
    constexpr bool fits = __int128(to::min()) <= __int128(from::min()) && __int128(to::max()) >= __int128(from::max());
    if (q.m.sat && fits) d.reject(".sat, where every number fits");
    q.m.sat ? emit<integer_to_integer_sat<To, From>>(d) : emit<integer_to_integer<To, From>>(d);
  } else if constexpr (from_integer) {
    if (!q.rounds) d.reject("needs .rn, .rz, .rm or .rp");
    emit<integer_to_float<To, From>>(d, q.m);
  } else if constexpr (to_integer) {
    if (!q.integral) d.reject("needs .rni, .rzi, .rmi or .rpi");
    emit<float_to_integer<To, From>>(d, q.m);
  } else if constexpr (std::is_same_v<To, From>) {
    if (q.rounds) d.reject("a type converts to itself by .rni, .rzi, .rmi, .rpi or nothing");
    q.integral ? emit<float_to_integral<To>>(d, q.m) : emit<float_to_float<To, From>>(d, q.m);
  } else {
    constexpr bool inexact =
        format<To>::mantissa < format<From>::mantissa || format<To>::exponent < format<From>::exponent;
    if (q.integral || q.rounds != inexact)
      d.reject(inexact ? "needs .rn, .rz, .rm or .rp" : "an exact conversion is not rounded");
    emit<float_to_float<To, From>>(d, q.m);
  }
  if constexpr (is_signed_integer<To>) extend_result<To>(d);
}

void check(decoder& d, request const& q) {
  bool const to_half = q.to == scalar::f16 || q.to == scalar::bf16;
  if (q.m.rounding == rounding::nearest_away) d.reject(".rna needs .tf32");
  if ((q.m.relu || q.m.satfinite) && !(to_half && q.from == scalar::f32))
    d.reject(".relu and .satfinite need halves from .f32");
  if (q.m.ftz && q.to != scalar::f32 && q.from != scalar::f32) d.reject(".ftz needs .f32");
}

template <class... Types>
void decode_plain(decoder& d, request const& q) {
  for_type<Types...>(
      d, q.to, [&]<class To> { for_type<Types...>(d, q.from, [&]<class From> { emit_conversion<To, From>(d, q); }); });
}

void decode_tf32(decoder& d, request const& q) {
  d.take_type({scalar::f32});
  bool const away = q.m.rounding == rounding::nearest_away;
  bool const known = away || (q.rounds && (q.m.rounding == rounding::nearest || q.m.rounding == rounding::zero));
  if (!known || q.m.ftz || q.m.sat || (away && q.m.relu)) d.reject(".tf32 needs .rna, .rn or .rz");
  emit<float_to_tf32>(d, q.m);
}

void decode_halves(decoder& d, request const& q) {
  d.take_type({scalar::f32});
  bool const known = q.rounds && (q.m.rounding == rounding::nearest || q.m.rounding == rounding::zero);
  if (!known || q.m.ftz || q.m.sat) d.reject("needs .rn or .rz");
  if (q.to == scalar::f16x2) emit<floats_to_halves<f16>>(d, q.m);
  else emit<floats_to_halves<bf16>>(d, q.m);
}

/// Decodes the instruction if it names one of the formats N; returns whether it did.
template <narrow_format const&... N>
bool decode_narrow_formats(decoder& d, request const& q) {
  auto const is_destination = [&](std::string_view name) {
    for (std::string_view const modifier : d.instruction.modifiers) {
      if (modifier == name) return true;
      if (modifier == "f16x2" || modifier == "f32") return false;
    }
    return false;
  };
  auto const one = [&]<narrow_format const & Format>() {
    if (!d.take(Format.name)) return false;
    if (q.m.ftz || q.m.sat) d.reject("narrow numbers have no .ftz or .sat");
    decode_narrow<Format>(d, q.m, is_destination(Format.name), q.rounds);
    return true;
  };
  return (one.template operator()<N>() || ...);
}

void decode(decoder& d) {
  if (d.take("pack")) return decode_cvt_pack(d);
  request q = take_request(d);
  if (d.take("tf32")) return decode_tf32(d, q);
  if (decode_narrow_formats<e4m3, e5m2, e3m2, e2m3, e2m1>(d, q)) return;
  q.to = take_number_type(d);
  if (q.to == scalar::f16x2 || q.to == scalar::bf16x2) return decode_halves(d, q);
  q.from = take_number_type(d);
  check(d, q);
  decode_plain<u8, u16, u32, u64, s8, s16, s32, s64, f16, bf16, float, double>(d, q);
}

definition const
    cvt("cvt",
        "{.rn,.rz,.rm,.rp,.rni,.rzi,.rmi,.rpi}{.ftz}{.sat} between any two of u8, u16, u32, u64, s8, s16, s32, s64, "
        "f16, bf16, f32, f64; .{rn,rz}{.relu}{.satfinite}.{f16,bf16,f16x2,bf16x2}.f32; .rna{.satfinite}.tf32.f32; "
        ".{rn,rz}{.relu}{.satfinite}.tf32.f32; .rn.satfinite{.relu}.{e4m3x2,e5m2x2,e3m2x2,e2m3x2,e2m1x2}.{f32,f16x2}; "
        ".rn{.relu}.f16x2.{e4m3x2,e5m2x2,e3m2x2,e2m3x2,e2m1x2}; .pack.sat.{u16,s16}.s32; "
        ".pack.sat.{u2,s2,u4,s4,u8,s8}.s32.b32",
        decode);

} // namespace
} // namespace emulator
