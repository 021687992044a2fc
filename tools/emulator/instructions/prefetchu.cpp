// SPDX-License-Identifier: Apache-2.0
//
// prefetchu: loads memory into the cache for uniform addresses, which changes no result.  [PTX ISA, "prefetchu"]
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  if (!d.take("L1")) d.reject("needs .L1");
  d.address(0);
}

definition const definition_of_prefetchu("prefetchu", ".L1", decode);

} // namespace

} // namespace emulator
