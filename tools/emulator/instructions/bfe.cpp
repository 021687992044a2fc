// SPDX-License-Identifier: Apache-2.0
//
// bfe: extracts a field of bits; in signed types its highest bit is extended.  [PTX ISA, "bfe"]
//
// PTX uses the low 8 bits of position and length. An H100 does so for 32-bit types; for 64-bit types it uses all 32
// bits.
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <class T>
T field(T a, u32 position, u32 length) {
  constexpr u32 bits = bits_in<T>, read = bits == 64 ? ~0u : 0xff;
  u32 const start = position & read, width = length & read;
  if (width == 0) return 0;
  if (start >= bits) return is_signed_integer<T> ? T(a >> (bits - 1)) : T(0);
  T const down = T(a >> start); // arithmetic for signed types: the bits beyond the top are the sign
  if (width >= bits - start) return down;
  u32 const up = bits - width;
  return T(T(unsigned_of<T>(down) << up) >> up);
}

void decode(decoder& d) {
  for_type<u32, u64, s32, s64>(d, d.take_type({scalar::u32, scalar::u64, scalar::s32, scalar::s64}),
                               [&]<class T> { emit<field<T>>(d); });
}

definition const bfe("bfe", ".{u32,u64,s32,s64}", decode);

} // namespace
} // namespace emulator
