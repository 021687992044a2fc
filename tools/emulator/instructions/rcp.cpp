// SPDX-License-Identifier: Apache-2.0
//
// rcp: reciprocals.  [PTX ISA, "rcp", "rcp.approx.ftz.f64"]
#include "support/numbers/approximate.hpp"
#include "support/numbers/arithmetic.hpp"

namespace emulator {
namespace {

double exact(double a) { return 1 / a; }

void decode(decoder& d) {
  mode m;
  bool rounds = false;
  bool const approximate = d.take("approx");
  m.rounding = take_rounding(d, &rounds);
  if (approximate == rounds) d.reject("needs either .approx or a rounding modifier");
  m.ftz = d.take("ftz");
  scalar const type = d.take_type({scalar::f32, scalar::f64});
  if (type == scalar::f64 && approximate != m.ftz) d.reject(".f64 has .approx and .ftz together, or neither");
  if (approximate) type == scalar::f32 ? emit<approximated<exact, float>>(d, m) : emit<approximated_upper<exact>>(d, m);
  else for_type<float, double>(d, type, [&]<class T> { emit_arithmetic<reciprocal, 1, T>(d, m); });
}

definition const rcp("rcp", ".approx{.ftz}.f32; .approx.ftz.f64; .{rn,rz,rm,rp}{.ftz}.f32; .{rn,rz,rm,rp}.f64", decode);

} // namespace
} // namespace emulator
