// SPDX-License-Identifier: Apache-2.0
//
// barrier: of a block, which it shares with `bar`, and of a cluster.  [PTX ISA, "barrier.cluster"]
// The cluster's barrier is a release and an acquire whatever its modifiers say; .relaxed allows that.
#include "../machine/mode.hpp"
#include "../machine/observer.hpp"
#include "../machine/resident.hpp"
#include "support/waiting/block_barrier.hpp"

namespace emulator {
namespace {

void arrive_at(thread& t, u64*, operation const& o) { arrive_at_cluster(t, o.extra != 0, o.a != 0); }

operation const* wait(thread& t, operation const* o, u64*) {
  if (!waits_at_cluster(t)) {
    if (is_checked_run()) the_observer().leaves_cluster(t, t.cluster_phase - 1);
    return o + 1;
  }
  t.state = state::at_cluster; // and tries this operation again
  return nullptr;
}

void decode(decoder& d) {
  if (!d.take("cluster")) return decode_block_barrier(d);
  if (d.sm() < 90) d.reject("clusters need sm_90");
  bool const is_aligned = d.take("aligned");
  auto const what = d.take_one_of({"arrive", "wait"});
  if (what == "arrive") {
    d.emit(accesses<arrive_at>, 0, is_aligned).extra = d.take_one_of({"release", "relaxed"}) != "relaxed";
  } else if (what == "wait") {
    d.take("acquire");
    d.emit(returns_next<wait>);
  } else d.reject("it needs .arrive or .wait");
}

definition const
    barrier_definition("barrier",
                       ".cta .sync .arrive .red as `bar`, .aligned; .cluster .arrive .release .relaxed, .wait "
                       ".acquire",
                       decode);

} // namespace
} // namespace emulator
