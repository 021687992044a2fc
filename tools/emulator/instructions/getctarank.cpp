// SPDX-License-Identifier: Apache-2.0
//
// getctarank: the block of the cluster to which a shared address belongs.  [PTX ISA, "getctarank"]
#include "support/memory/cluster_address.hpp"

namespace emulator {
namespace {

void rank_of_shared(u64* registers, operation const& o) { put(registers, o.d, u32(registers[o.a] / shared_window)); }

/// Of what is no shared memory: a rank that no block has.
void rank_of_generic(thread& t, u64* registers, operation const& o) {
  u64 const rank = window_address(t, registers[o.a]) / shared_window;
  put(registers, o.d, rank < no_rank ? u32(rank) : ~u32(0));
}

void decode(decoder& d) {
  if (d.sm() < 90) d.reject("clusters need sm_90");
  bool const is_shared = d.take("shared::cluster");
  auto const type = d.take_type({ptx::scalar::u32, ptx::scalar::u64});
  if (!is_shared && type != ptx::scalar::u64) d.reject("a generic address has 64 bits");
  slot const a = d.source(1, type);
  d.emit(is_shared ? computes<rank_of_shared> : accesses<rank_of_generic>, d.destination(0), a);
}

definition const getctarank_definition("getctarank", "generic and .shared::cluster, .u32 .u64", decode);

} // namespace
} // namespace emulator
