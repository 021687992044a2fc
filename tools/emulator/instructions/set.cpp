// SPDX-License-Identifier: Apache-2.0
//
// set: a comparison whose result is a number: all ones for integers, 1.0 for floating-point numbers.  [PTX ISA, "set"]
#include "support/numbers/compare.hpp"

namespace emulator {
namespace {

/// operation::extra is the number that represents true.
void spread(u64* registers, operation const& o) { put<u32>(registers, o.d, get<bool>(registers, o.a) ? o.extra : 0); }
void spread_half(u64* registers, operation const& o) {
  put<u16>(registers, o.d, get<bool>(registers, o.a) ? u16(o.extra) : u16(0));
}
void spread_both(u64* registers, operation const& o) {
  put<u32>(registers, o.d, (get<bool>(registers, o.a) ? o.extra : 0) | (get<bool>(registers, o.b) ? o.extra << 16 : 0));
}

void decode(decoder& d) {
  std::string_view const name = take_comparison_name(d);
  handler const combine = take_combination(d);
  mode m;
  m.ftz = d.take("ftz");
  scalar const to = d.take_type({scalar::u16, scalar::s16, scalar::u32, scalar::s32, scalar::f32, scalar::f16,
                                 scalar::f16x2, scalar::bf16, scalar::bf16x2});
  scalar const type = d.take_type();
  bool const packed = type == scalar::f16x2 || type == scalar::bf16x2;
  if (packed && to != type && to != scalar::u32 && to != scalar::s32)
    d.reject("packed halves compare into halves or 32 bits");
  if (!packed && (to == scalar::f16x2 || to == scalar::bf16x2))
    d.reject("only packed halves compare into packed halves");
  if (m.ftz && type != scalar::f32 && type != scalar::f16 && type != scalar::f16x2) d.reject("this type has no .ftz");

  slot const low = d.scratch(), high = d.scratch();
  slot const c = combine ? d.source(3, scalar::pred) : 0;
  emit_comparison(d, name, m, type, low, high);
  if (combine) d.emit(combine, low, low, c);
  if (combine && packed) d.emit(combine, high, high, c);
  u32 const half_one = to == scalar::f16 || to == scalar::f16x2     ? bits_of(one<f16>())
                       : to == scalar::bf16 || to == scalar::bf16x2 ? bits_of(one<bf16>())
                                                                    : 0xffff;
  if (packed) d.emit(computes<spread_both>, d.destination(0), low, high).extra = half_one;
  else if (ptx::size_of(to) == 2) d.emit(computes<spread_half>, d.destination(0), low).extra = half_one;
  else d.emit(computes<spread>, d.destination(0), low).extra = to == scalar::f32 ? bits_of(1.0f) : ~0u;
}

definition const set("set",
                     ".comparison{.and,.or,.xor}{.ftz}.{u16,s16,u32,s32,f16,bf16,f32}."
                     "{b16,b32,b64,u16,u32,u64,s16,s32,s64,f16,bf16,f32,f64}; .{f16x2,bf16x2,u32,s32}.{f16x2,bf16x2}",
                     decode);

} // namespace
} // namespace emulator
