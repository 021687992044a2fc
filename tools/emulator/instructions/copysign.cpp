// SPDX-License-Identifier: Apache-2.0
//
// copysign: the second number with the sign of the first.  [PTX ISA, "copysign"]
#include "support/numbers/floating.hpp"

namespace emulator {
namespace {

template <class T>
T signed_as(T a, T b) {
  return from_bits<T>(magnitude_of(b) | (bits_of(a) & sign_bit<T>));
}

void decode(decoder& d) {
  for_type<float, double>(d, take_number_type(d), [&]<class T> { emit<signed_as<T>>(d); });
}

definition const copysign_("copysign", ".{f32,f64}", decode);

} // namespace
} // namespace emulator
