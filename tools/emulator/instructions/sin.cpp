// SPDX-License-Identifier: Apache-2.0
//
// sin: sines.  [PTX ISA, "sin"]
#include "support/numbers/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::sin(a); }

definition const sin_("sin", ".approx{.ftz}.f32", decode_approximated_f32<exact>);

} // namespace
} // namespace emulator
