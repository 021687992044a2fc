// SPDX-License-Identifier: Apache-2.0
//
// conversions: the conversions of arithmetic.cu.
//
// Included there, once. If a type is narrower than the smallest register, or signed, the result's register is wider, so
// that the extension is visible.
#pragma once

#include "arithmetic.hpp"

namespace arithmetic {
// clang-format off: a list, whose lines have no semicolons

// Between integers. X(to, register of the result, from, register of the operand)
#define TO_INTEGERS(X, from, k)                                                                                        \
  X(u8, u16, from, k) X(s8, u16, from, k) X(s8, u32, from, k) X(s8, u64, from, k) X(u16, u16, from, k)                 \
  X(s16, u16, from, k)                                                                                                 \
  X(s16, u32, from, k) X(u32, u32, from, k) X(s32, u32, from, k) X(s32, u64, from, k) X(u64, u64, from, k)             \
  X(s64, u64, from, k)
#define CONVERT_INTEGER(to, d, from, k) I1(d, k, "cvt." #to "." #from " %0, %1;")
TO_INTEGERS(CONVERT_INTEGER, u8, u16)
TO_INTEGERS(CONVERT_INTEGER, u16, u16)
TO_INTEGERS(CONVERT_INTEGER, u32, u32)
TO_INTEGERS(CONVERT_INTEGER, u64, u64)
TO_INTEGERS(CONVERT_INTEGER, s8, u16)
TO_INTEGERS(CONVERT_INTEGER, s16, u16)
TO_INTEGERS(CONVERT_INTEGER, s32, u32)
TO_INTEGERS(CONVERT_INTEGER, s64, u64)

// .sat is included if a number can be out of range.
#define CLAMP_INTEGER(to, d, from, k) I1(d, k, "cvt.sat." #to "." #from " %0, %1;")
CLAMP_INTEGER(s8, u32, u8, u16)
CLAMP_INTEGER(u8, u16, u16, u16)
CLAMP_INTEGER(s8, u32, u16, u16)
CLAMP_INTEGER(s16, u32, u16, u16)
CLAMP_INTEGER(u8, u16, u32, u32)
CLAMP_INTEGER(u16, u16, u32, u32)
CLAMP_INTEGER(s8, u32, u32, u32)
CLAMP_INTEGER(s16, u32, u32, u32)
CLAMP_INTEGER(s32, u32, u32, u32)
CLAMP_INTEGER(u8, u16, u64, u64)
CLAMP_INTEGER(u16, u16, u64, u64)
CLAMP_INTEGER(u32, u32, u64, u64)
CLAMP_INTEGER(s8, u32, u64, u64)
CLAMP_INTEGER(s16, u32, u64, u64)
CLAMP_INTEGER(s32, u32, u64, u64)
CLAMP_INTEGER(s64, u64, u64, u64)
CLAMP_INTEGER(u8, u16, s8, u16)
CLAMP_INTEGER(u16, u16, s8, u16)
CLAMP_INTEGER(u32, u32, s8, u16)
CLAMP_INTEGER(u64, u64, s8, u16)
CLAMP_INTEGER(u8, u16, s16, u16)
CLAMP_INTEGER(u16, u16, s16, u16)
CLAMP_INTEGER(u32, u32, s16, u16)
CLAMP_INTEGER(u64, u64, s16, u16)
CLAMP_INTEGER(s8, u32, s16, u16)
CLAMP_INTEGER(u8, u16, s32, u32)
CLAMP_INTEGER(u16, u16, s32, u32)
CLAMP_INTEGER(u32, u32, s32, u32)
CLAMP_INTEGER(u64, u64, s32, u32)
CLAMP_INTEGER(s8, u32, s32, u32)
CLAMP_INTEGER(s16, u32, s32, u32)
CLAMP_INTEGER(u8, u16, s64, u64)
CLAMP_INTEGER(u16, u16, s64, u64)
CLAMP_INTEGER(u32, u32, s64, u64)
CLAMP_INTEGER(u64, u64, s64, u64)
CLAMP_INTEGER(s8, u32, s64, u64)
CLAMP_INTEGER(s16, u32, s64, u64)
CLAMP_INTEGER(s32, u32, s64, u64)

// From integers to floating-point numbers.
#define TO_FLOAT(sm, to, from, k)                                                                                      \
  N1(sm, 0, to, k, "cvt.rn." #to "." #from " %0, %1;") N1(sm, 0, to, k, "cvt.rz." #to "." #from " %0, %1;")            \
  N1(sm, 0, to, k, "cvt.rm." #to "." #from " %0, %1;") N1(sm, 0, to, k, "cvt.rp." #to "." #from " %0, %1;")
#define TO_FLOATS(from, k) TO_FLOAT(75, f16, from, k) TO_FLOAT(75, f32, from, k) TO_FLOAT(75, f64, from, k)
TO_FLOATS(u8, u16)
TO_FLOATS(s8, u16)
TO_FLOATS(u16, u16)
TO_FLOATS(s16, u16)
TO_FLOATS(u32, u32)
TO_FLOATS(s32, u32)
TO_FLOATS(u64, u64)
TO_FLOATS(s64, u64)
TO_FLOAT(90, bf16, u16, u16) // there is no form for 8 bits
TO_FLOAT(90, bf16, s16, u16)
TO_FLOAT(90, bf16, u32, u32)
TO_FLOAT(90, bf16, s32, u32)
TO_FLOAT(90, bf16, u64, u64)
TO_FLOAT(90, bf16, s64, u64)
I1(f32, u32, "cvt.rn.sat.f32.s32 %0, %1;")
I1(f64, u32, "cvt.rn.sat.f64.s32 %0, %1;")

// From floating-point numbers to integers.
#define TO_INTEGER(sm, more, to, d, from)                                                                              \
  N1(sm, 0, d, from, "cvt.rni" more "." #to "." #from " %0, %1;") N1(sm, 0, d, from,                                   \
  "cvt.rzi" more "." #to "." #from " %0, %1;")                                                                         \
  N1(sm, 0, d, from, "cvt.rmi" more "." #to "." #from " %0, %1;") N1(sm, 0, d, from,                                   \
  "cvt.rpi" more "." #to "." #from " %0, %1;")
#define TO_EVERY_INTEGER(sm, more, from)                                                                               \
  TO_INTEGER(sm, more, u8, u16, from) TO_INTEGER(sm, more, s8, u32, from) TO_INTEGER(sm, more, u16, u16, from)         \
  TO_INTEGER(sm, more, s16, u32, from) TO_INTEGER(sm, more, u32, u32, from) TO_INTEGER(sm, more, s32, u64, from)       \
  TO_INTEGER(sm, more, u64, u64, from) TO_INTEGER(sm, more, s64, u64, from)
TO_EVERY_INTEGER(75, "", f16)
TO_INTEGER(90, "", u16, u16, bf16) // only into registers of their own width
TO_INTEGER(90, "", s16, u16, bf16)
TO_INTEGER(90, "", u32, u32, bf16)
TO_INTEGER(90, "", s32, u32, bf16)
TO_INTEGER(90, "", u64, u64, bf16)
TO_INTEGER(90, "", s64, u64, bf16)
TO_EVERY_INTEGER(75, "", f32)
TO_EVERY_INTEGER(75, ".ftz", f32)
TO_EVERY_INTEGER(75, "", f64)

// Between floating-point numbers.
#define ROUND_TO(sm, more, to, from)                                                                                   \
  N1(sm, 0, to, from, "cvt.rn" more "." #to "." #from " %0, %1;") N1(sm, 0, to, from,                                  \
  "cvt.rz" more "." #to "." #from " %0, %1;")                                                                          \
  N1(sm, 0, to, from, "cvt.rm" more "." #to "." #from " %0, %1;") N1(sm, 0, to, from,                                  \
  "cvt.rp" more "." #to "." #from " %0, %1;")
ROUND_TO(75, "", f16, f32)
ROUND_TO(75, ".ftz", f16, f32)
ROUND_TO(75, ".sat", f16, f32)
ROUND_TO(75, "", f16, f64)
ROUND_TO(75, "", f32, f64)
ROUND_TO(75, ".ftz", f32, f64)
ROUND_TO(75, ".sat", f32, f64)
ROUND_TO(75, ".ftz.sat", f32, f64)
ROUND_TO(90, "", bf16, f64)
ROUND_TO(90, "", bf16, f16)
ROUND_TO(90, "", f16, bf16)
I1(f32, f16, "cvt.f32.f16 %0, %1;")
I1(f32, f16, "cvt.ftz.f32.f16 %0, %1;")
I1(f32, f16, "cvt.sat.f32.f16 %0, %1;")
I1(f64, f16, "cvt.f64.f16 %0, %1;")
I1(f64, f32, "cvt.f64.f32 %0, %1;")
I1(f64, f32, "cvt.ftz.f64.f32 %0, %1;")
I1(f64, f32, "cvt.sat.f64.f32 %0, %1;")
I1(f32, f32, "cvt.sat.f32.f32 %0, %1;")
I1(f32, f32, "cvt.ftz.sat.f32.f32 %0, %1;")
I1(f64, f64, "cvt.sat.f64.f64 %0, %1;")
I1(f16, f16, "cvt.sat.f16.f16 %0, %1;")
N1(90, 0, f32, bf16, "cvt.f32.bf16 %0, %1;")
N1(90, 0, f64, bf16, "cvt.f64.bf16 %0, %1;")
#define INTEGRAL(more, t)                                                                                              \
  I1(t, t, "cvt.rni" more "." #t "." #t " %0, %1;") I1(t, t, "cvt.rzi" more "." #t "." #t " %0, %1;")                  \
  I1(t, t, "cvt.rmi" more "." #t "." #t " %0, %1;") I1(t, t, "cvt.rpi" more "." #t "." #t " %0, %1;")
INTEGRAL("", f16)
INTEGRAL("", f32)
INTEGRAL(".ftz", f32)
INTEGRAL(".sat", f32)
INTEGRAL("", f64)

#define TO_HALVES(sm, r, t)                                                                                            \
  N2(sm, 0, t, f32, f32, "cvt." r "." #t ".f32 %0, %1, %2;") N2(sm, 0, t, f32, f32,                                    \
  "cvt." r ".relu." #t ".f32 %0, %1, %2;")
TO_HALVES(80, "rn", f16x2)
TO_HALVES(80, "rz", f16x2)
TO_HALVES(80, "rn", bf16x2)
TO_HALVES(80, "rz", bf16x2)
N1(80, 0, f16, f32, "cvt.rn.relu.f16.f32 %0, %1;") // the forms of f16 without .relu are above
N1(80, 0, f16, f32, "cvt.rz.relu.f16.f32 %0, %1;")
N1(80, 0, bf16, f32, "cvt.rn.bf16.f32 %0, %1;")
N1(80, 0, bf16, f32, "cvt.rz.bf16.f32 %0, %1;")
N1(80, 0, bf16, f32, "cvt.rn.relu.bf16.f32 %0, %1;")
N1(80, 0, bf16, f32, "cvt.rz.relu.bf16.f32 %0, %1;")

N1(80, 0, f32, f32, "cvt.rna.tf32.f32 %0, %1;")
N1(90, 0, f32, f32, "cvt.rn.tf32.f32 %0, %1;")
N1(90, 0, f32, f32, "cvt.rz.tf32.f32 %0, %1;")
N1(90, 0, f32, f32, "cvt.rn.relu.tf32.f32 %0, %1;")
N1(90, 0, f32, f32, "cvt.rz.relu.tf32.f32 %0, %1;")

#define NARROW(t)                                                                                                      \
  N2(89, 0, u16, f32, f32, "cvt.rn.satfinite." #t ".f32 %0, %1, %2;")                                                  \
  N2(89, 0, u16, f32, f32, "cvt.rn.satfinite.relu." #t ".f32 %0, %1, %2;")                                             \
  N1(89, 0, u16, f16x2, "cvt.rn.satfinite." #t ".f16x2 %0, %1;")                                                       \
  N1(89, 0, u16, f16x2, "cvt.rn.satfinite.relu." #t ".f16x2 %0, %1;")                                                  \
  N1(89, 0, f16x2, narrow, "cvt.rn.f16x2." #t " %0, %1;") N1(89, 0, f16x2, narrow, "cvt.rn.relu.f16x2." #t " %0, %1;")
NARROW(e4m3x2)
NARROW(e5m2x2)
// clang-format on
} // namespace arithmetic
