// SPDX-License-Identifier: Apache-2.0
//
// prefetch: loads memory into a cache, which changes no result.  [PTX ISA, "prefetch"]
#include "support/qualifiers.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  bool const tensormap = d.take("tensormap");
  std::string_view const level = d.take_one_of({"L1", "L2", "L2::evict_last", "L2::evict_normal"});
  if (level.empty() != tensormap)
    d.refuse("needs a level: .L1, .L2, .L2::evict_last, .L2::evict_normal, or .tensormap");
  if (tensormap) take_space(d, {ptx::space::constant, ptx::space::param});
  else take_space(d, {ptx::space::global, ptx::space::local});
  d.address(0);
}

definition const definition_of_prefetch(
    "prefetch", "generic .global .local .L1 .L2, .L2::evict_last .L2::evict_normal; .tensormap, .const .param", decode);

} // namespace

} // namespace emulator
