// SPDX-License-Identifier: Apache-2.0
//
// szext: extends a number with a given number of bits.  [PTX ISA, "szext"]
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

template <bool Wraps, class T>
T extended(T a, u32 width) {
  if (Wraps) width &= 31;
  if (width == 0) return 0;
  if (width > 31) return a;
  u32 const up = 32 - width;
  return T(T(u32(a) << up) >> up);
}

void decode(decoder& d) {
  std::string_view const excess = d.take_one_of({"clamp", "wrap"});
  if (excess.empty()) d.reject("needs .clamp or .wrap");
  for_type<u32, s32>(d, take_number_type(d),
                     [&]<class T> { excess == "wrap" ? emit<extended<true, T>>(d) : emit<extended<false, T>>(d); });
}

definition const szext("szext", ".{clamp,wrap}.{u32,s32}", decode);

} // namespace
} // namespace emulator
