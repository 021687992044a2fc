// SPDX-License-Identifier: Apache-2.0
//
// discard: destroys memory without writing it back. A read before the next write is undefined; here it returns the old
// value. [PTX ISA, "discard"]
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  take_space(d, {ptx::space::global});
  if (!d.take("L2")) d.reject("needs .L2");
  d.address(0);
  if (d.constant(1) != 128) d.reject("the size is 128");
}

definition const definition_of_discard("discard", "generic .global; .L2", decode);

} // namespace

} // namespace emulator
