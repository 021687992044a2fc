// SPDX-License-Identifier: Apache-2.0
//
// madc: half of a product plus a summand plus the carry.  [PTX ISA, "madc"]
#include "support/numbers/carry.hpp"

namespace emulator {
namespace {

void decode(decoder& d) { decode_multiply_add_carry(d, true); }

definition const madc("madc", ".{lo,hi}{.cc}.{u32,s32,u64,s64}", decode);

} // namespace
} // namespace emulator
