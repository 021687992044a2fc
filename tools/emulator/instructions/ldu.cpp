// SPDX-License-Identifier: Apache-2.0
//
// ldu: loads from an address that is the same for all threads of a warp, which is a guarantee by the program and
// changes no result. [PTX ISA, "ldu"]
#include "support/memory/load.hpp"
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  ordering order;
  order.space = take_space(d, {ptx::space::global});
  int const count = take_vector(d);
  emit_load(d, order, count, d.take_type());
}

definition const ldu("ldu", "generic .global; .b8 to .b128, .u .s .f; .v2 .v4", decode);

} // namespace

} // namespace emulator
