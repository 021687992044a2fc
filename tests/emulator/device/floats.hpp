// SPDX-License-Identifier: Apache-2.0
//
// floats: the floating-point instructions of arithmetic.cu.
//
// Included there, once.
#pragma once

#include "arithmetic.hpp"

namespace arithmetic {
// clang-format off: a list, whose lines have no semicolons

#define EACH_ROUNDING(X) X("rn") X("rz") X("rm") X("rp")
#define EACH_F32_F64(X) X(f32) X(f64)
#define EACH_HALF(X) X(f16) X(f16x2)
#define EACH_BFLOAT(X) X(bf16) X(bf16x2)

// f32: every rounding, with every combination of .ftz and .sat; f64: every rounding.
#define ROUNDED(r, more, t)                                                                                            \
  I2(t, t, t, "add." r more "." #t " %0, %1, %2;") I2(t, t, t, "sub." r more "." #t " %0, %1, %2;")                    \
  I2(t, t, t, "mul." r more "." #t " %0, %1, %2;") I3(t, t, t, t, "fma." r more "." #t " %0, %1, %2, %3;")             \
  I3(t, t, t, t, "mad." r more "." #t " %0, %1, %2, %3;")
#define DIVIDED(r, more, t)                                                                                            \
  I2(t, t, t, "div." r more "." #t " %0, %1, %2;") I1(t, t, "rcp." r more "." #t " %0, %1;")                           \
  I1(t, t, "sqrt." r more "." #t " %0, %1;")
#define ROUNDED_ALL(r)                                                                                                 \
  ROUNDED(r, "", f32) ROUNDED(r, ".ftz", f32) ROUNDED(r, ".sat", f32) ROUNDED(r, ".ftz.sat", f32) ROUNDED(r, "", f64)  \
  DIVIDED(r, "", f32) DIVIDED(r, ".ftz", f32) DIVIDED(r, "", f64)
EACH_ROUNDING(ROUNDED_ALL)
I2(f32, f32, f32, "add.f32 %0, %1, %2;")
I2(f32, f32, f32, "mul.f32 %0, %1, %2;")
I2(f64, f64, f64, "add.f64 %0, %1, %2;")

#define HALF(t, more)                                                                                                  \
  I2(t, t, t, "add" more "." #t " %0, %1, %2;") I2(t, t, t, "sub" more "." #t " %0, %1, %2;")                          \
  I2(t, t, t, "mul" more "." #t " %0, %1, %2;") I3(t, t, t, t, "fma.rn" more "." #t " %0, %1, %2, %3;")
#define HALF_ALL(t) HALF(t, "") HALF(t, ".ftz") HALF(t, ".sat") HALF(t, ".ftz.sat")                                    \
  N3(80, 0, t, t, t, t, "fma.rn.relu." #t " %0, %1, %2, %3;") N3(80, 0, t, t, t, t,                                    \
  "fma.rn.ftz.relu." #t " %0, %1, %2, %3;")
EACH_HALF(HALF_ALL)

#define BFLOAT(t)                                                                                                      \
  N2(90, 0, t, t, t, "add.rn." #t " %0, %1, %2;") N2(90, 0, t, t, t, "sub.rn." #t " %0, %1, %2;")                      \
  N2(90, 0, t, t, t, "mul.rn." #t " %0, %1, %2;") N3(80, 0, t, t, t, t, "fma.rn." #t " %0, %1, %2, %3;")               \
  N3(80, 0, t, t, t, t, "fma.rn.relu." #t " %0, %1, %2, %3;") N1(80, 0, t, t, "abs." #t " %0, %1;")                    \
  N1(80, 0, t, t, "neg." #t " %0, %1;")
EACH_BFLOAT(BFLOAT)

#define SIGN(t, more) I1(t, t, "abs" more "." #t " %0, %1;") I1(t, t, "neg" more "." #t " %0, %1;")
SIGN(f32, "")
SIGN(f32, ".ftz")
SIGN(f64, "")
SIGN(f16, "")
SIGN(f16, ".ftz")
SIGN(f16x2, "")
SIGN(f16x2, ".ftz")

#define EXTREMUM(sm, t, more)                                                                                          \
  N2(sm, 0, t, t, t, "min" more "." #t " %0, %1, %2;") N2(sm, 0, t, t, t, "max" more "." #t " %0, %1, %2;")
#define EXTREMUM_ALL(t) EXTREMUM(80, t, "") EXTREMUM(80, t, ".NaN") EXTREMUM(86, t, ".xorsign.abs") EXTREMUM(86, t,    \
  ".NaN.xorsign.abs")
#define EXTREMUM_FTZ(t) EXTREMUM_ALL(t) EXTREMUM(80, t, ".ftz") EXTREMUM(80, t, ".ftz.NaN") EXTREMUM(86, t,            \
  ".ftz.NaN.xorsign.abs")
EXTREMUM(75, f64, "")
EXTREMUM_FTZ(f32)
EXTREMUM_FTZ(f16)
EXTREMUM_FTZ(f16x2)
EXTREMUM_ALL(bf16)
EXTREMUM_ALL(bf16x2)
#define EXTREMUM_3(more)                                                                                               \
  N3(100, 0, f32, f32, f32, f32, "min" more ".f32 %0, %1, %2, %3;") N3(100, 0, f32, f32, f32, f32,                     \
  "max" more ".f32 %0, %1, %2, %3;")
EXTREMUM_3("")
EXTREMUM_3(".NaN")
EXTREMUM_3(".abs")
EXTREMUM_3(".ftz.NaN.abs")

#define COMPARE_FLOATS(sm, c, more, t, k)                                                                              \
  N2(sm, 0, u32, k, k, "{.reg .pred p; setp." #c more "." #t " p, %1, %2; selp.b32 %0, 1, 0, p;}")
#define COMPARE_SETS(sm, c, more, t, k)                                                                                \
  N2(sm, 0, u32, k, k, "set." #c more ".u32." #t " %0, %1, %2;") N2(sm, 0, u32, k, k,                                  \
  "set." #c more ".f32." #t " %0, %1, %2;")
#define COMPARE_HALVES(sm, c, more, t)                                                                                 \
  N2(sm, 0, t, t, t, "set." #c more "." #t "." #t " %0, %1, %2;")                                                      \
  N2(sm, 0, u32, t, t, "{.reg .pred p, q; .reg .b32 x, y; setp." #c more "." #t " p|q, %1, %2; selp.b32 x, 1, 0, p; "  \
                       "selp.b32 y, 2, 0, q; or.b32 %0, x, y;}")                                                       \
  N3(sm, 0, u32, t, t, u32, "{.reg .pred p, q, c; .reg .b32 x, y; setp.lt.s32 c, %3, 0; setp." #c ".xor" more "." #t   \
                            " p|q, %1, %2, c; selp.b32 x, 1, 0, p; selp.b32 y, 2, 0, q; or.b32 %0, x, y;}")
#define COMPARE_ONE(c)                                                                                                 \
  COMPARE_FLOATS(75, c, "", f32, f32) COMPARE_FLOATS(75, c, ".ftz", f32, f32) COMPARE_FLOATS(75, c, "", f64, f64)      \
  COMPARE_SETS(75, c, "", f32, f32) COMPARE_SETS(75, c, ".ftz", f32, f32) COMPARE_SETS(75, c, "", f64, f64)            \
  COMPARE_FLOATS(75, c, "", f16, f16) COMPARE_FLOATS(75, c, ".ftz", f16, f16) COMPARE_FLOATS(90, c, "", bf16, bf16)    \
  COMPARE_HALVES(75, c, "", f16x2) COMPARE_HALVES(75, c, ".ftz", f16x2) COMPARE_HALVES(90, c, "", bf16x2)
COMPARE_ONE(eq)
COMPARE_ONE(ne)
COMPARE_ONE(lt)
COMPARE_ONE(le)
COMPARE_ONE(gt)
COMPARE_ONE(ge)
COMPARE_ONE(equ)
COMPARE_ONE(neu)
COMPARE_ONE(ltu)
COMPARE_ONE(leu)
COMPARE_ONE(gtu)
COMPARE_ONE(geu)
COMPARE_ONE(num)
COMPARE_ONE(nan)

#define KIND_OF_NUMBER(t)                                                                                              \
  I1(u32, t, "{.reg .pred p; testp.finite." #t " p, %1; selp.b32 %0, 1, 0, p;}")                                       \
  I1(u32, t, "{.reg .pred p; testp.infinite." #t " p, %1; selp.b32 %0, 1, 0, p;}")                                     \
  I1(u32, t, "{.reg .pred p; testp.number." #t " p, %1; selp.b32 %0, 1, 0, p;}")                                       \
  I1(u32, t, "{.reg .pred p; testp.notanumber." #t " p, %1; selp.b32 %0, 1, 0, p;}")                                   \
  I1(u32, t, "{.reg .pred p; testp.normal." #t " p, %1; selp.b32 %0, 1, 0, p;}")                                       \
  I1(u32, t, "{.reg .pred p; testp.subnormal." #t " p, %1; selp.b32 %0, 1, 0, p;}")                                    \
  I2(t, t, t, "copysign." #t " %0, %1, %2;")
EACH_F32_F64(KIND_OF_NUMBER)

// Approximations: PTX bounds their errors. The bounds here are the sums for two implementations.
#define APPROXIMATE(more)                                                                                              \
  N1(75, 2, f32, f32, "rcp.approx" more ".f32 %0, %1;") N1(75, 3, f32, f32, "sqrt.approx" more ".f32 %0, %1;")         \
  N1(75, 4, f32, f32, "rsqrt.approx" more ".f32 %0, %1;") N1(75, 4, f32, f32, "ex2.approx" more ".f32 %0, %1;")        \
  N2(75, 4, f32, f32, f32, "div.approx" more ".f32 %0, %1, %2;") N2(75, 4, f32, f32, f32,                              \
  "div.full" more ".f32 %0, %1, %2;")
APPROXIMATE("")
APPROXIMATE(".ftz")
N1(75, 1, f16, f16, "ex2.approx.f16 %0, %1;")
N1(75, 1, f16x2, f16x2, "ex2.approx.f16x2 %0, %1;")
N1(90, 1, bf16, bf16, "ex2.approx.ftz.bf16 %0, %1;")
N1(90, 1, bf16x2, bf16x2, "ex2.approx.ftz.bf16x2 %0, %1;")
N1(75, 1, f16, f16, "tanh.approx.f16 %0, %1;")
N1(75, 1, f16x2, f16x2, "tanh.approx.f16x2 %0, %1;")
N1(90, 1, bf16, bf16, "tanh.approx.bf16 %0, %1;")
N1(90, 1, bf16x2, bf16x2, "tanh.approx.bf16x2 %0, %1;")
N1(75, 8192, f32, f32, "tanh.approx.f32 %0, %1;") // 2^-11, relative
N1(75, 4, f64, f64, "rsqrt.approx.f64 %0, %1;")

#define EACH_PAIR(X) X("rn") X("rm") X("rp") X("rz")
#define PAIRS(r)                                                                                                       \
  N2(100, 0, u64, u64, u64, "add." r ".f32x2 %0, %1, %2;") N2(100, 0, u64, u64, u64, "mul." r ".f32x2 %0, %1, %2;")    \
  N3(100, 0, u64, u64, u64, u64, "fma." r ".f32x2 %0, %1, %2, %3;")
EACH_PAIR(PAIRS)
// clang-format on
} // namespace arithmetic
