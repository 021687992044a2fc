// SPDX-License-Identifier: Apache-2.0
//
// setp: comparisons whose results are predicates.  [PTX ISA, "setp"]
//
// In p|q, q is the inverse of p; for packed types p is the result of the low halves and q that of the high halves.
#include "support/numbers/compare.hpp"

namespace emulator {
namespace {

bool copied(bool p) { return p; }

void decode(decoder& d) {
  std::string_view const name = take_comparison_name(d);
  handler const combine = take_combination(d);
  mode m;
  m.ftz = d.take("ftz");
  scalar const type = d.take_type();
  bool const packed = type == scalar::f16x2 || type == scalar::bf16x2;
  if (m.ftz && type != scalar::f32 && type != scalar::f16 && type != scalar::f16x2) d.reject("this type has no .ftz");

  ptx::operand const& result = d.operand(0);
  bool const pair = result.kind == ptx::operand_kind::pair;
  slot const p = pair ? d.destination(result.parts[0]) : d.destination(0);
  slot const q = pair ? d.destination(result.parts[1]) : d.scratch();
  if (!pair && !packed && !combine) return emit_comparison(d, name, m, type, p, q);

  slot const c = combine ? d.source(3, scalar::pred) : 0;
  slot const low = d.scratch(), high = d.scratch();
  emit_comparison(d, name, m, type, low, high);
  if (!packed) d.emit(function_handler<inverse>, high, low);
  if (combine) {
    d.emit(combine, low, low, c);
    d.emit(combine, high, high, c);
  }
  d.emit(function_handler<copied>, p, low); // last: p may be c
  if (pair) d.emit(function_handler<copied>, q, high);
}

definition const setp("setp",
                      ".{eq,ne,lt,le,gt,ge,lo,ls,hi,hs,equ,neu,ltu,leu,gtu,geu,num,nan}{.and,.or,.xor}{.ftz}."
                      "{b16,b32,b64,u16,u32,u64,s16,s32,s64,f16,f16x2,bf16,bf16x2,f32,f64} into p and p|q",
                      decode);

} // namespace
} // namespace emulator
