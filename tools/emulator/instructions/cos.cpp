// SPDX-License-Identifier: Apache-2.0
//
// cos: cosines.  [PTX ISA, "cos"]
#include "support/numbers/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::cos(a); }

definition const cos_("cos", ".approx{.ftz}.f32", decode_approximated_f32<exact>);

} // namespace
} // namespace emulator
