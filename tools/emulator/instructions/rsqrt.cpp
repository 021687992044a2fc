// SPDX-License-Identifier: Apache-2.0
//
// rsqrt: reciprocals of square roots.  [PTX ISA, "rsqrt", "rsqrt.approx.ftz.f64"]
#include "support/numbers/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return 1 / std::sqrt(a); }

void decode(decoder& d) {
  if (!d.take("approx")) d.reject("needs .approx");
  mode m;
  m.ftz = d.take("ftz");
  scalar const type = d.take_type({scalar::f32, scalar::f64});
  if (type == scalar::f32) emit<approximated<exact, float>>(d, m);
  else if (m.ftz) emit<approximated_upper<exact>>(d, m);
  else emit<approximated<exact, double>>(d, m);
}

definition const rsqrt("rsqrt", ".approx{.ftz}.{f32,f64}", decode);

} // namespace
} // namespace emulator
