// SPDX-License-Identifier: Apache-2.0
//
// red: read-modify-writes without a result.  [PTX ISA, "red"]
#include "support/memory/read_modify_write.hpp"
#include "support/memory/store.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  if (d.take("async")) return decode_red_async(d);
  ordering const order =
      take_atomic(d, {semantics::relaxed, semantics::release}, {ptx::space::global, ptx::space::shared});
  bool const policy = take_cache_hints(d);
  emit_read_modify_write(d, order, 0);
  if (policy) take_cache_policy(d, 2);
}

definition const
    red("red",
        ".relaxed .release, all scopes; generic .global .shared .shared::cta .shared::cluster; operations and "
        "types of atom without .exch .cas; .L2::cache_hint; .async",
        decode);

} // namespace

} // namespace emulator
