// SPDX-License-Identifier: Apache-2.0
//
// subc: differences with a borrow, for integers that span several registers.  [PTX ISA, "subc"]
#include "support/numbers/carry.hpp"

namespace emulator {
namespace {

void decode(decoder& d) { decode_carry<true>(d, true); }

definition const subc("subc", "{.cc}.{u32,s32,u64,s64}", decode);

} // namespace
} // namespace emulator
