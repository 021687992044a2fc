// SPDX-License-Identifier: Apache-2.0
//
// sin: sines.  [PTX ISA, "sin"]
#include "support/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::sin(a); }

void decode(decoder& d) {
  if (!d.take("approx")) d.refuse("needs .approx");
  mode m;
  m.ftz = d.take("ftz");
  d.take_type({scalar::f32});
  emit<approximated<exact, float>>(d, m);
}

definition const sin_("sin", ".approx{.ftz}.f32", decode);

} // namespace
} // namespace emulator
