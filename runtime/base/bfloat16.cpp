// SPDX-License-Identifier: Apache-2.0
//
// bfloat16: the conversion that clang calls and libgcc 12 does not have.
//
// clang 22 keeps a __bf16 that lives across branches as a float and narrows it with a call of __truncsfbf2, which
// libgcc provides from version 13. Without this definition, a program does not link if the compiler inlines its
// atomic<__bf16>. The definition is weak, so that a compiler library that has the function takes precedence. It handles
// bits only: a conversion in here would call the function itself.
extern "C" __attribute__((weak)) __bf16 __truncsfbf2(float value) {
  unsigned const bits = __builtin_bit_cast(unsigned, value);
  bool const nan = (bits & 0x7fffffff) > 0x7f800000;
  unsigned const rounded = bits + 0x7fff + (bits >> 16 & 1); // to nearest, ties to even
  return __builtin_bit_cast(__bf16, static_cast<unsigned short>((nan ? bits | 0x400000 : rounded) >> 16));
}
