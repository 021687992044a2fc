// SPDX-License-Identifier: Apache-2.0
//
// mapa: the corresponding address in the shared memory of another block of the cluster.  [PTX ISA, "mapa"]
#include "support/cluster_address.hpp"

namespace emulator {
namespace {

block const& target(thread const& t, u32 rank) {
  auto const& blocks = t.block->cluster->blocks;
  if (rank < blocks.size()) return *blocks[rank];
  fail(t, 719, "mapa: block " + std::to_string(rank) + " of a cluster of " + std::to_string(blocks.size()));
}

void map_shared(thread& t, u64* registers, operation const& o) {
  registers[o.d] = target(t, get<u32>(registers, o.b)).rank * shared_window + registers[o.a] % shared_window;
}

void map_generic(thread& t, u64* registers, operation const& o) {
  block const& to = target(t, get<u32>(registers, o.b));
  block const& from = block_of_address(t, registers[o.a]);
  registers[o.d] = u64(to.shared) + (registers[o.a] - u64(from.shared));
}

void decode(decoder& d) {
  if (d.sm() < 90) d.refuse("clusters need sm_90");
  bool const is_shared = d.take("shared::cluster");
  auto const type = d.take_type({ptx::scalar::u32, ptx::scalar::u64});
  if (!is_shared && type != ptx::scalar::u64) d.refuse("a generic address has 64 bits");
  slot const a = d.source(1, type), rank = d.source(2, ptx::scalar::u32);
  d.emit(is_shared ? accesses<map_shared> : accesses<map_generic>, d.destination(0), a, rank);
}

definition const mapa_definition("mapa", "generic and .shared::cluster, .u32 .u64", decode);

} // namespace
} // namespace emulator
