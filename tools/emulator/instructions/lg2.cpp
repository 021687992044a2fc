// SPDX-License-Identifier: Apache-2.0
//
// lg2: base-2 logarithms.  [PTX ISA, "lg2"]
#include "support/numbers/approximate.hpp"

namespace emulator {
namespace {

double exact(double a) { return std::log2(a); }

definition const lg2_("lg2", ".approx{.ftz}.f32", decode_approximated_f32<exact>);

} // namespace
} // namespace emulator
