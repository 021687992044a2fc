// SPDX-License-Identifier: Apache-2.0
//
// barrier: of a block, which it shares with `bar`, and of a cluster.  [PTX ISA, "barrier.cluster"]
// The cluster's barrier is a release and an acquire whatever its modifiers say; .relaxed allows that.
#include "../machine/resident.hpp"
#include "support/block_barrier.hpp"

namespace emulator {
namespace {

void arrive_at(thread& t, u64*, operation const&) { arrive_at_cluster(t); }

operation const* wait(thread& t, operation const* o, u64*) {
  if (!waits_at_cluster(t)) return o + 1;
  t.state = state::at_cluster; // and tries this operation again
  return nullptr;
}

void decode(decoder& d) {
  if (!d.take("cluster")) return decode_block_barrier(d);
  if (d.sm() < 90) d.refuse("clusters need sm_90");
  d.take("aligned");
  auto const what = d.take_one_of({"arrive", "wait"});
  if (what == "arrive") {
    d.take_one_of({"release", "relaxed"});
    d.emit(accesses<arrive_at>);
  } else if (what == "wait") {
    d.take("acquire");
    d.emit(goes_on<wait>);
  } else d.refuse("it needs .arrive or .wait");
}

definition const
    barrier_definition("barrier",
                       ".cta .sync .arrive .red as `bar`, .aligned; .cluster .arrive .release .relaxed, .wait "
                       ".acquire",
                       decode);

} // namespace
} // namespace emulator
