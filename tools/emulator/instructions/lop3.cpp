// SPDX-License-Identifier: Apache-2.0
//
// lop3: any function of three bits, as a table of eight; the table is operation::extra.  [PTX ISA, "lop3"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

void look_up(u64* registers, operation const& o) {
  u32 const a = get<u32>(registers, o.a), b = get<u32>(registers, o.b), c = get<u32>(registers, o.c);
  u32 result = 0;
  for (u32 row = 0; row < 8; ++row)
    if (o.extra >> row & 1) result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  put<u32>(registers, o.d, result);
}
u32 xor3(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
bool not_zero_or(u32 d, bool q) { return d != 0 || q; }
bool not_zero_and(u32 d, bool q) { return d != 0 && q; }

void decode(decoder& d) {
  std::string_view const combines = d.take_one_of({"or", "and"});
  d.take_type({scalar::b32});
  s64 const table = d.constant(4);
  if (table < 0 || table > 255) d.reject("the table must be 0 to 255");
  slot const a = d.source(1, scalar::b32), b = d.source(2, scalar::b32), c = d.source(3, scalar::b32);
  bool const pair = d.operand(0).kind == ptx::operand_kind::pair;
  if (pair == combines.empty()) d.reject("d|p and .or or .and belong together");
  slot const result = pair ? d.destination(d.operand(0).parts[0]) : d.destination(0);
  slot const q = pair ? d.source(5, scalar::pred) : 0;
  // The predicate's source may be its destination. d and p differ in type, so this order is safe.
  d.emit(table == 0x96 ? function_handler<xor3> : computes<look_up>, result, a, b, c).extra = u32(table);
  if (pair)
    d.emit(combines == "or" ? function_handler<not_zero_or> : function_handler<not_zero_and>,
           d.destination(d.operand(0).parts[1]), result, q);
}

definition const lop3("lop3", ".b32; .{or,and}.b32 with d|p", decode);

} // namespace
} // namespace emulator
