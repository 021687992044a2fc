// SPDX-License-Identifier: Apache-2.0
//
// tanh: hyperbolic tangents.  [PTX ISA, "tanh"]
#include "support/numbers/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::tanh(a); }

void decode(decoder& d) {
  if (!d.take("approx")) d.reject("needs .approx");
  emit_approximated<exact>(d, take_number_type(d));
}

definition const tanh_("tanh", ".approx.{f32,f16,f16x2,bf16,bf16x2}", decode);

} // namespace
} // namespace emulator
