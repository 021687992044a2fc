// SPDX-License-Identifier: Apache-2.0
//
// tanh: hyperbolic tangents.  [PTX ISA, "tanh"]
#include "support/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::tanh(a); }

void decode(decoder& d) {
  if (!d.take("approx")) d.refuse("needs .approx");
  scalar const type = take_number_type(d);
  for_type<float, f16, bf16>(d,
                             type == scalar::f16x2    ? scalar::f16
                             : type == scalar::bf16x2 ? scalar::bf16
                                                      : type,
                             [&]<class T> {
                               if (type == scalar::f16x2 || type == scalar::bf16x2)
                                 emit<approximated_both<exact, T>>(d);
                               else emit<approximated<exact, T>>(d);
                             });
}

definition const tanh_("tanh", ".approx.{f32,f16,f16x2,bf16,bf16x2}", decode);

} // namespace
} // namespace emulator
