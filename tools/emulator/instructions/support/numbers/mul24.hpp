// SPDX-License-Identifier: Apache-2.0
//
// mul24: the product of the low 24 bits of two numbers, which has 48 bits.  [PTX ISA, "mul24"]
#pragma once

#include "integer.hpp"

namespace emulator {

template <class T>
twice<T> product_24(T a, T b) {
  return twice<T>(T(u32(a) << 8) >> 8) * twice<T>(T(u32(b) << 8) >> 8);
}
template <class T>
T low_24(T a, T b) {
  return T(product_24(a, b));
}
template <class T>
T high_24(T a, T b) {
  return T(product_24(a, b) >> 16);
}

} // namespace emulator
