// SPDX-License-Identifier: Apache-2.0
//
// ex2: powers of 2.  [PTX ISA, "ex2"]
#include "support/numbers/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::exp2(a); }

void decode(decoder& d) {
  if (!d.take("approx")) d.reject("needs .approx");
  mode m;
  m.ftz = d.take("ftz");
  scalar const type = take_number_type(d);
  bool const brain = type == scalar::bf16 || type == scalar::bf16x2;
  if (brain != m.ftz && type != scalar::f32) d.reject(".ftz belongs to .bf16 and .bf16x2, and not to .f16 and .f16x2");
  emit_approximated<exact>(d, type, m);
}

definition const ex2("ex2", ".approx{.ftz}.f32; .approx.{f16,f16x2}; .approx.ftz.{bf16,bf16x2}", decode);

} // namespace
} // namespace emulator
