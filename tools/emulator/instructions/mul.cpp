// SPDX-License-Identifier: Apache-2.0
//
// mul: products.  [PTX ISA, "mul"]
#include "support/numbers/arithmetic.hpp"
#include "support/numbers/integer.hpp"

namespace emulator {
namespace {

void decode(decoder& d) {
  if (decode_f32x2<multiplication, 2>(d)) return;
  scalar const type = take_number_type(d);
  if (is_floating(type)) return decode_arithmetic<multiplication, 2>(d, type, take_arithmetic_mode(d, type));
  std::string_view const part = d.take_one_of({"lo", "hi", "wide"});
  if (part.empty()) d.reject("needs .lo, .hi or .wide");
  for_type<u16, u32, u64, s16, s32, s64>(d, type, [&]<class T> {
    if (part == "lo") emit<low_product<T>>(d);
    else if (part == "hi") emit<high_product<T>>(d);
    else if constexpr (sizeof(T) < 8) emit<full_product<T>>(d);
    else d.reject("there is no .wide of 64 bits");
  });
}

definition const mul("mul",
                     ".{lo,hi}.{u16,u32,u64,s16,s32,s64}; .wide.{u16,u32,s16,s32}; {.rn,.rz,.rm,.rp}{.ftz}{.sat}.f32; "
                     "{.rnd}.f64; {.rn}{.ftz}{.sat}.{f16,f16x2}; {.rn}.{bf16,bf16x2}; {.rnd}{.ftz}.f32x2",
                     decode);

} // namespace
} // namespace emulator
