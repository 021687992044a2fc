// SPDX-License-Identifier: Apache-2.0
//
// lg2: logarithms to the base 2.  [PTX ISA, "lg2"]
#include "support/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::log2(a); }

void decode(decoder& d) {
  if (!d.take("approx")) d.refuse("needs .approx");
  mode m;
  m.ftz = d.take("ftz");
  d.take_type({scalar::f32});
  emit<approximated<exact, float>>(d, m);
}

definition const lg2_("lg2", ".approx{.ftz}.f32", decode);

} // namespace
} // namespace emulator
