// SPDX-License-Identifier: Apache-2.0
//
// sqrt: square roots.  [PTX ISA, "sqrt"]
#include "support/numbers/approximate.hpp"
#include "support/numbers/arithmetic.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::sqrt(a); }

void decode(decoder& d) {
  mode m;
  bool rounds = false;
  bool const approximate = d.take("approx");
  m.rounding = take_rounding(d, &rounds);
  if (approximate == rounds) d.reject("needs either .approx or a rounding modifier");
  scalar const type = d.take_type({scalar::f32, scalar::f64});
  if (type == scalar::f32) m.ftz = d.take("ftz");
  else if (approximate) d.reject(".f64 has no .approx");
  if (approximate) emit<approximated<exact, float>>(d, m);
  else for_type<float, double>(d, type, [&]<class T> { emit_arithmetic<square_root, 1, T>(d, m); });
}

definition const sqrt_("sqrt", ".approx{.ftz}.f32; .{rn,rz,rm,rp}{.ftz}.f32; .{rn,rz,rm,rp}.f64", decode);

} // namespace
} // namespace emulator
