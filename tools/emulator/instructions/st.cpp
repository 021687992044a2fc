// SPDX-License-Identifier: Apache-2.0
//
// st: stores.  [PTX ISA, "st"]
#include "support/memory/qualifiers.hpp"
#include "support/memory/store.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  if (d.take("async")) return decode_st_async(d);
  ordering const order = take_access(d, semantics::release,
                                     {ptx::space::global, ptx::space::shared, ptx::space::local, ptx::space::param});
  bool const policy = take_cache_hints(d, {"wb", "cg", "cs", "wt"});
  int const count = take_vector(d);
  emit_store(d, order, count, d.take_type());
  if (policy) take_cache_policy(d, 2);
}

definition const st("st",
                    ".weak .volatile .relaxed .release .mmio, all scopes; generic .global .shared .shared::cta "
                    ".shared::cluster .local .param; .b8 to .b128, .u .s .f; .v2 .v4 .v8; cache hints; .async",
                    decode);

} // namespace

} // namespace emulator
