// SPDX-License-Identifier: Apache-2.0
//
// min: the smallest of two or three numbers.  [PTX ISA, "min"]
#include "support/numbers/extremum.hpp"

namespace emulator {
namespace {

definition const min("min", extremum_forms, decode_extremum<false>);

} // namespace
} // namespace emulator
