// SPDX-License-Identifier: Apache-2.0
//
// bar: barriers of a block and, as bar.warp.sync, of lanes of a warp.
#include "../machine/mode.hpp"
#include "../machine/observer.hpp"
#include "support/waiting/block_barrier.hpp"
#include "support/waiting/lanes.hpp"
#include "support/waiting/meeting_of_active.hpp"

namespace emulator {
namespace {

void nothing_more(warp& w, u32 lanes) {
  if (is_checked_run()) the_observer().lanes_meet(w, lanes);
}

void decode(decoder& d) {
  if (!d.take("warp")) return decode_block_barrier(d);
  require_sync(d);
  ptx::instruction const* const before = d.function().previous_instruction();
  if (before && is_meeting_of_active(*before, &d.instruction)) return void(d.source(0, ptx::scalar::u32)); // alone
  emit_meeting<nothing_more>(d, d.source(0, ptx::scalar::u32));
}

definition const
    bar_definition("bar", ".sync .arrive, .red .popc .and .or, .cta, with and without a number of threads; .warp .sync",
                   decode);

} // namespace
} // namespace emulator
