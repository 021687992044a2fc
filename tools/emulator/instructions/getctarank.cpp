// SPDX-License-Identifier: Apache-2.0
//
// getctarank: the block of the cluster to which a shared address belongs.  [PTX ISA, "getctarank"]
#include "support/cluster_address.hpp"

namespace emulator {
namespace {

void rank_of_shared(u64* registers, operation const& o) { registers[o.d] = registers[o.a] / shared_window; }

void rank_of_generic(thread& t, u64* registers, operation const& o) {
  registers[o.d] = block_of_address(t, registers[o.a]).rank;
}

void decode(decoder& d) {
  if (d.sm() < 90) d.refuse("clusters need sm_90");
  bool const is_shared = d.take("shared::cluster");
  auto const type = d.take_type({ptx::scalar::u32, ptx::scalar::u64});
  if (!is_shared && type != ptx::scalar::u64) d.refuse("a generic address has 64 bits");
  slot const a = d.source(1, type);
  d.emit(is_shared ? computes<rank_of_shared> : accesses<rank_of_generic>, d.destination(0), a);
}

definition const getctarank_definition("getctarank", "generic and .shared::cluster, .u32 .u64", decode);

} // namespace
} // namespace emulator
