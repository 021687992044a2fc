// SPDX-License-Identifier: Apache-2.0
//
// bfi: inserts a field of bits into another register.  [PTX ISA, "bfi"]
//
// PTX uses the low 8 bits of position and length. An H100 does so for .b32; for .b64 it uses all 32 bits.
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <class T>
T inserted(T a, T b, u32 position, u32 length) {
  constexpr u32 bits = bits_in<T>, read = bits == 64 ? ~0u : 0xff;
  u32 const start = position & read, width = length & read;
  if (start >= bits || width == 0) return b;
  T const ones = width >= bits ? ~T(0) : T((T(1) << width) - 1);
  T const mask = T(ones << start);
  return T((b & ~mask) | (T(a << start) & mask));
}

void decode(decoder& d) {
  for_type<u32, u64>(d, d.take_type({scalar::b32, scalar::b64}), [&]<class T> { emit<inserted<T>>(d); });
}

definition const bfi("bfi", ".{b32,b64}", decode);

} // namespace
} // namespace emulator
