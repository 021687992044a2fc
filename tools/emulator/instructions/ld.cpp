// SPDX-License-Identifier: Apache-2.0
//
// ld: loads.  [PTX ISA, "ld", "ld.global.nc"]
#include "support/memory/load.hpp"
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  ordering order =
      take_access(d, semantics::acquire,
                  {ptx::space::global, ptx::space::shared, ptx::space::local, ptx::space::constant, ptx::space::param});
  order.is_read_only = d.take("nc");
  if (order.is_read_only && (order.space != ptx::space::global || order.semantics != semantics::weak))
    d.reject(".nc is for weak loads of .global");
  d.take("unified");
  bool const policy = take_cache_hints(d, {"ca", "cg", "cs", "lu", "cv"});
  int const count = take_vector(d);
  emit_load(d, order, count, d.take_type());
  if (policy) take_cache_policy(d, 2);
}

definition const ld("ld",
                    ".weak .volatile .relaxed .acquire .mmio, all scopes; generic .global .shared .shared::cta "
                    ".shared::cluster .local .const .param; .b8 to .b128, .u .s .f; .v2 .v4 .v8; .nc; cache hints",
                    decode);

} // namespace

} // namespace emulator
