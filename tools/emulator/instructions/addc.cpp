// SPDX-License-Identifier: Apache-2.0
//
// addc: sums with a carry, for integers that span several registers.  [PTX ISA, "addc"]
#include "support/numbers/carry.hpp"

namespace emulator {
namespace {

void decode(decoder& d) { decode_carry<false>(d, true); }

definition const addc("addc", "{.cc}.{u32,s32,u64,s64}", decode);

} // namespace
} // namespace emulator
