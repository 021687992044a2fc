// SPDX-License-Identifier: Apache-2.0
//
// integers: the integer and bit instructions of arithmetic.cu.
//
// Included there, once.
#pragma once

#include "arithmetic.hpp"

namespace arithmetic {
// clang-format off: a list, whose lines have no semicolons

// EACH_...(X): X(type as PTX writes it, kind of its operands)
#define EACH_32(X) X(u32, u32) X(s32, u32)
#define EACH_32_64(X) EACH_32(X) X(u64, u64) X(s64, u64)
#define EACH_INTEGER(X) X(u16, u16) X(s16, u16) EACH_32_64(X)
#define EACH_SIGNED(X) X(s16, u16) X(s32, u32) X(s64, u64)
#define EACH_BITS(X) X(b16, u16) X(b32, u32) X(b64, u64)
#define EACH_BITS_32_64(X) X(b32, u32) X(b64, u64)

#define BINARY(t, k)                                                                                                   \
  I2(k, k, k, "add." #t " %0, %1, %2;") I2(k, k, k, "sub." #t " %0, %1, %2;") I2(k, k, k, "mul.lo." #t " %0, %1, %2;") \
  I2(k, k, k, "mul.hi." #t " %0, %1, %2;") I2(k, k, k, "div." #t " %0, %1, %2;") I2(k, k, k, "rem." #t " %0, %1, %2;") \
  I2(k, k, k, "min." #t " %0, %1, %2;") I2(k, k, k, "max." #t " %0, %1, %2;") I2(k, k, amount,                         \
  "shr." #t " %0, %1, %2;")                                                                                            \
  I3(k, k, k, k, "mad.lo." #t " %0, %1, %2, %3;") I3(k, k, k, k, "mad.hi." #t " %0, %1, %2, %3;")                      \
  I3(k, k, k, k, "sad." #t " %0, %1, %2, %3;")
EACH_INTEGER(BINARY)

#define SIGNED(t, k) I1(k, k, "abs." #t " %0, %1;") I1(k, k, "neg." #t " %0, %1;")
EACH_SIGNED(SIGNED)

#define WIDE(t, k, w) I2(w, k, k, "mul.wide." #t " %0, %1, %2;") I3(w, k, k, w, "mad.wide." #t " %0, %1, %2, %3;")
WIDE(u16, u16, u32)
WIDE(s16, u16, u32)
WIDE(u32, u32, u64)
WIDE(s32, u32, u64)

I2(u32, u32, u32, "add.sat.s32 %0, %1, %2;")
I2(u32, u32, u32, "sub.sat.s32 %0, %1, %2;")
I3(u32, u32, u32, u32, "mad.hi.sat.s32 %0, %1, %2, %3;")
N2(90, 0, u32, u32, u32, "add.u16x2 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "add.s16x2 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "min.u16x2 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "max.u16x2 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "min.s16x2 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "max.s16x2 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "min.relu.s16x2 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "max.relu.s16x2 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "min.relu.s32 %0, %1, %2;")
N2(90, 0, u32, u32, u32, "max.relu.s32 %0, %1, %2;")

#define PRODUCT_24(t, k)                                                                                               \
  I2(k, k, k, "mul24.lo." #t " %0, %1, %2;") I2(k, k, k, "mul24.hi." #t " %0, %1, %2;")                                \
  I3(k, k, k, k, "mad24.lo." #t " %0, %1, %2, %3;") I3(k, k, k, k, "mad24.hi." #t " %0, %1, %2, %3;")
EACH_32(PRODUCT_24)
I3(u32, u32, u32, u32, "mad24.hi.sat.s32 %0, %1, %2, %3;")

// Sums of two registers: low and high halves, and the carry out.
#define CARRY(t, k)                                                                                                    \
  I3(k, k, k, k, "{.reg ." #t " x; add.cc." #t " x, %1, %2; addc." #t " %0, %3, 0;}")                                  \
  I3(k, k, k, k, "{.reg ." #t " x; sub.cc." #t " x, %1, %2; subc." #t " %0, %3, 0;}")                                  \
  I4(k, k, k, k, k, "{.reg ." #t " x; add.cc." #t " x, %1, %2; addc.cc." #t " x, %3, %4; addc." #t " %0, 0, 0;}")      \
  I4(k, k, k, k, k, "{.reg ." #t " x; sub.cc." #t " x, %1, %2; subc.cc." #t " x, %3, %4; subc." #t " %0, 0, 0;}")      \
  I4(k, k, k, k, k, "{.reg ." #t " x; mad.lo.cc." #t " x, %1, %2, %3; madc.hi." #t " %0, %1, %2, %4;}")                \
  I4(k, k, k, k, k, "{.reg ." #t " x; mad.hi.cc." #t " x, %1, %2, %3; madc.lo.cc." #t " x, %1, %2, %4; " \
     "addc." #t " %0, 0, 0;}")
EACH_32_64(CARRY)

#define BITS(t, k)                                                                                                     \
  I2(k, k, k, "and." #t " %0, %1, %2;") I2(k, k, k, "or." #t " %0, %1, %2;") I2(k, k, k, "xor." #t " %0, %1, %2;")     \
  I1(k, k, "not." #t " %0, %1;") I1(k, k, "cnot." #t " %0, %1;") I2(k, k, amount, "shl." #t " %0, %1, %2;")            \
  I2(k, k, amount, "shr." #t " %0, %1, %2;")                                                                           \
  I3(k, k, k, amount, "{.reg .pred p; setp.gt.s32 p, %3, 31; selp." #t " %0, %1, %2, p;}")                             \
  I3(k, k, k, u32, "slct." #t ".s32 %0, %1, %2, %3;") I3(k, k, k, f32, "slct." #t ".f32 %0, %1, %2, %3;")              \
  I3(k, k, k, f32, "slct.ftz." #t ".f32 %0, %1, %2, %3;")
EACH_BITS(BITS)

#define BITS_32_64(t, k)                                                                                               \
  I1(u32, k, "popc." #t " %0, %1;") I1(u32, k, "clz." #t " %0, %1;") I1(k, k, "brev." #t " %0, %1;")                   \
  I4(k, k, k, amount, amount, "bfi." #t " %0, %1, %2, %3, %4;")
EACH_BITS_32_64(BITS_32_64)

#define FIELDS(t, k)                                                                                                   \
  I3(k, k, amount, amount, "bfe." #t " %0, %1, %2, %3;") I1(u32, k, "bfind." #t " %0, %1;")                            \
  I1(u32, k, "bfind.shiftamt." #t " %0, %1;")
EACH_32_64(FIELDS)

I3(u32, u32, u32, amount, "shf.l.clamp.b32 %0, %1, %2, %3;")
I3(u32, u32, u32, amount, "shf.l.wrap.b32 %0, %1, %2, %3;")
I3(u32, u32, u32, amount, "shf.r.clamp.b32 %0, %1, %2, %3;")
I3(u32, u32, u32, amount, "shf.r.wrap.b32 %0, %1, %2, %3;")
I2(u32, amount, amount, "bmsk.clamp.b32 %0, %1, %2;")
I2(u32, amount, amount, "bmsk.wrap.b32 %0, %1, %2;")
I2(u32, u32, amount, "szext.clamp.u32 %0, %1, %2;")
I2(u32, u32, amount, "szext.wrap.u32 %0, %1, %2;")
I2(u32, u32, amount, "szext.clamp.s32 %0, %1, %2;")
I2(u32, u32, amount, "szext.wrap.s32 %0, %1, %2;")
I3(u32, u32, amount, amount, "fns.b32 %0, %1, %2, %3;")
I3(u32, u32, amount, amount, "{.reg .s32 n; neg.s32 n, %3; fns.b32 %0, %1, %2, n;}")

#define TABLE(n) I3(u32, u32, u32, u32, "lop3.b32 %0, %1, %2, %3, " #n ";")
TABLE(0x96)
TABLE(0xe8)
TABLE(0xca)
TABLE(0x80)
TABLE(0xfe)
TABLE(0x1b)
TABLE(0)
TABLE(255)
I4(u32, u32, u32, u32, u32,
  "{.reg .pred p, q; .reg .b32 x; setp.lt.s32 q, %4, 0; lop3.or.b32 x|p, %1, %2, %3, 0x80, q; selp.b32 %0, x, 7, p;}")
I4(u32, u32, u32, u32, u32,
  "{.reg .pred p, q; .reg .b32 x; setp.lt.s32 q, %4, 0; lop3.and.b32 x|p, %1, %2, %3, 0x28, q; "
    "selp.b32 %0, x, 7, p;}")

#define PERMUTE(way) I3(u32, u32, u32, u32, "prmt.b32" way " %0, %1, %2, %3;")
PERMUTE("")
PERMUTE(".f4e")
PERMUTE(".b4e")
PERMUTE(".rc8")
PERMUTE(".ecl")
PERMUTE(".ecr")
PERMUTE(".rc16")

#define DOT(a, b)                                                                                                      \
  I3(u32, u32, u32, u32, "dp4a." #a "." #b " %0, %1, %2, %3;") I3(u32, u32, u32, u32,                                  \
  "dp2a.lo." #a "." #b " %0, %1, %2, %3;")                                                                             \
  I3(u32, u32, u32, u32, "dp2a.hi." #a "." #b " %0, %1, %2, %3;")
DOT(u32, u32)
DOT(u32, s32)
DOT(s32, u32)
DOT(s32, s32)

// Halfwords and bytes; .add, masks and selectors. A GPU executes several instructions for each.
#define VIDEO_TYPES(op, t)                                                                                             \
  I3(u32, u32, u32, u32, op "." t " %0, %1, %2, %3;") I3(u32, u32, u32, u32, op "." t ".sat %0, %1, %2, %3;")          \
  I3(u32, u32, u32, u32, op "." t ".add %0, %1, %2, %3;")
#define VIDEO(op)                                                                                                      \
  VIDEO_TYPES(op "2", "u32.u32.u32") VIDEO_TYPES(op "2", "s32.s32.s32") VIDEO_TYPES(op "2", "s32.u32.s32")             \
  VIDEO_TYPES(op "4", "u32.u32.u32") VIDEO_TYPES(op "4", "s32.s32.s32") VIDEO_TYPES(op "4", "s32.u32.s32")             \
  I3(u32, u32, u32, u32, op "2.s32.s32.u32 %0.h1, %1.h13, %2.h20, %3;")                                                \
  I3(u32, u32, u32, u32, op "4.s32.s32.u32 %0.b20, %1.b7351, %2.b0246, %3;")                                           \
  I3(u32, u32, u32, u32, op "4.u32.s32.u32.add %0.b31, %1.b7351, %2.b0246, %3;")
VIDEO("vadd")
VIDEO("vsub")
VIDEO("vavrg")
VIDEO("vabsdiff")
VIDEO("vmin")
VIDEO("vmax")
#define VIDEO_SET(c)                                                                                                   \
  I3(u32, u32, u32, u32, "vset2.u32.u32." c " %0, %1, %2, %3;") I3(u32, u32, u32, u32, "vset4.u32.s32." c              \
  " %0, %1, %2, %3;") I3(u32, u32, u32, u32, "vset2.s32.u32." c ".add %0, %1, %2, %3;")                                \
  I3(u32, u32, u32, u32, "vset4.s32.s32." c ".add %0.b320, %1, %2.b1111, %3;")
VIDEO_SET("eq")
VIDEO_SET("ne")
VIDEO_SET("lt")
VIDEO_SET("le")
VIDEO_SET("gt")
VIDEO_SET("ge")

#define COMPARE(c, t, k)                                                                                               \
  I2(u32, k, k, "{.reg .pred p; setp." #c "." #t " p, %1, %2; selp.b32 %0, 1, 0, p;}")                                 \
  I2(u32, k, k, "set." #c ".u32." #t " %0, %1, %2;") I2(u32, k, k, "set." #c ".f32." #t " %0, %1, %2;")
#define COMPARE_BITS(t, k) COMPARE(eq, t, k) COMPARE(ne, t, k)
#define COMPARE_ALL(t, k) COMPARE_BITS(t, k) COMPARE(lt, t, k) COMPARE(le, t, k) COMPARE(gt, t, k) COMPARE(ge, t, k)
#define COMPARE_UNSIGNED(t, k) COMPARE(lo, t, k) COMPARE(ls, t, k) COMPARE(hi, t, k) COMPARE(hs, t, k)
EACH_BITS(COMPARE_BITS)
EACH_INTEGER(COMPARE_ALL)
COMPARE_UNSIGNED(u16, u16)
COMPARE_UNSIGNED(u32, u32)
COMPARE_UNSIGNED(u64, u64)

#define COMBINE(b)                                                                                                     \
  I3(u32, u32, u32, u32,                                                                                               \
  "{.reg .pred p, q, c; .reg .b32 x, y; setp.lt.s32 c, %3, 0; setp.lt." #b ".u32 p|q, %1, %2, c; "                     \
                         "selp.b32 x, 1, 0, p; selp.b32 y, 2, 0, q; or.b32 %0, x, y;}")                                \
  I3(u32, u32, u32, u32,                                                                                               \
  "{.reg .pred p, q, c; .reg .b32 x, y; setp.lt.s32 c, %3, 0; setp.lt." #b ".u32 c|q, %1, %2, !c; "                    \
                         "selp.b32 x, 1, 0, c; selp.b32 y, 2, 0, q; or.b32 %0, x, y;}")                                \
  I3(u32, u32, u32, u32, "{.reg .pred c; setp.lt.s32 c, %3, 0; set.ge." #b ".s32.u32 %0, %1, %2, c;}")                 \
  I2(u32, u32, u32, "{.reg .pred p, q; setp.lt.s32 p, %1, 0; setp.gt.u32 q, %2, 9; " #b ".pred p, p, q; "              \
    "selp.b32 %0, 1, 0, p;}")
COMBINE(and)
COMBINE(or)
COMBINE(xor)
I1(u32, u32, "{.reg .pred p; setp.lt.s32 p, %1, 0; not.pred p, p; selp.b32 %0, 1, 0, p;}")
I1(u32, u32, "{.reg .pred p; setp.lt.s32 p, %1, 0; mov.pred p, p; selp.b32 %0, 1, 0, p;}")

// Packs and unpacks.
I1(u32, u32, "{.reg .b16 x, y; mov.b32 {x, y}, %1; mov.b32 %0, {y, x};}")
I1(u64, u64, "{.reg .b32 x, y; mov.b64 {x, y}, %1; mov.b64 %0, {y, x};}")
I1(u64, u64, "{.reg .b16 x, y, z, w; mov.b64 {x, y, z, w}, %1; mov.b64 %0, {w, y, z, x};}")
I1(u32, u64, "{.reg .b32 x; mov.b64 {_, %0}, %1;}")
N2(90, 0, u64, u64, u64,
  "{.reg .b128 q; .reg .b64 x, y; mov.b128 q, {%1, %2}; mov.b128 {x, y}, q; sub.u64 %0, y, x;}")
I2(u16, u16, u16, "{mov.b16 %0, 0x7fff; and.b16 %0, %0, %1; xor.b16 %0, %0, %2;}")

#define PACK(t) I3(u32, u32, u32, u32, "cvt.pack.sat." #t ".s32.b32 %0, %1, %2, %3;")
PACK(u8)
PACK(s8)
PACK(u4)
PACK(s4)
PACK(u2)
PACK(s2)
I2(u32, u32, u32, "cvt.pack.sat.u16.s32 %0, %1, %2;")
I2(u32, u32, u32, "cvt.pack.sat.s16.s32 %0, %1, %2;")
// clang-format on
} // namespace arithmetic
