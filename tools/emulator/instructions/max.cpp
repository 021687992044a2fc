// SPDX-License-Identifier: Apache-2.0
//
// max: the largest of two or three numbers.  [PTX ISA, "max"]
#include "support/numbers/extremum.hpp"

namespace emulator {
namespace {

definition const max("max", extremum_forms, decode_extremum<true>);

} // namespace
} // namespace emulator
