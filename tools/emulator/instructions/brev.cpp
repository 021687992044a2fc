// SPDX-License-Identifier: Apache-2.0
//
// brev: the bits in reverse order.  [PTX ISA, "brev"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

u32 reversed32(u32 a) { return __builtin_bitreverse32(a); }
u64 reversed64(u64 a) { return __builtin_bitreverse64(a); }

void decode(decoder& d) {
  if (d.take_type({scalar::b32, scalar::b64}) == scalar::b32) emit<reversed32>(d);
  else emit<reversed64>(d);
}

definition const brev("brev", ".{b32,b64}", decode);

} // namespace
} // namespace emulator
