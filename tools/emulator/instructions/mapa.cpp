// SPDX-License-Identifier: Apache-2.0
//
// mapa: the corresponding address in the shared memory of another block of the cluster.  [PTX ISA, "mapa"]
#include "support/memory/cluster_address.hpp"

namespace emulator {
namespace {

void map_shared(u64* registers, operation const& o) {
  registers[o.d] = in_block(registers[o.a], get<u32>(registers, o.b));
}

/// The same in 32 bits, which have 8 for the rank; no cluster has a block of rank 255.
void map_shared_u32(u64* registers, operation const& o) {
  put(registers, o.d, u32(in_block(get<u32>(registers, o.a), std::min(get<u32>(registers, o.b), 255u))));
}

void map_generic(thread& t, u64* registers, operation const& o) {
  registers[o.d] = generic_address(t, in_block(window_address(t, registers[o.a]), get<u32>(registers, o.b)));
}

void decode(decoder& d) {
  if (d.sm() < 90) d.reject("clusters need sm_90");
  bool const is_shared = d.take("shared::cluster");
  auto const type = d.take_type({ptx::scalar::u32, ptx::scalar::u64});
  if (!is_shared && type != ptx::scalar::u64) d.reject("a generic address has 64 bits");
  slot const a = d.source(1, type), rank = d.source(2, ptx::scalar::u32);
  d.emit(!is_shared                 ? accesses<map_generic>
         : type == ptx::scalar::u32 ? computes<map_shared_u32>
                                    : computes<map_shared>,
         d.destination(0), a, rank);
}

definition const mapa_definition("mapa", "generic and .shared::cluster, .u32 .u64", decode);

} // namespace
} // namespace emulator
