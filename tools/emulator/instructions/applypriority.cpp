// SPDX-License-Identifier: Apache-2.0
//
// applypriority: sets how long the cache keeps memory, which changes no result.  [PTX ISA, "applypriority"]
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  take_space(d, {ptx::space::global});
  if (!d.take("L2::evict_normal")) d.reject("needs .L2::evict_normal");
  d.address(0);
  if (d.constant(1) != 128) d.reject("the size is 128");
}

definition const definition_of_applypriority("applypriority", "generic .global; .L2::evict_normal", decode);

} // namespace

} // namespace emulator
