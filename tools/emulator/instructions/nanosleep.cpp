// SPDX-License-Identifier: Apache-2.0
//
// nanosleep: the thread leaves its turn to others and comes back when the time is over. At most a millisecond, as on a
// GPU; so a longer time is cut, as its result, between none and twice the time, allows.
#include "../machine/decoder.hpp"
#include "../machine/mode.hpp"
#include "../machine/observer.hpp"
#include "../machine/special.hpp"

#include <algorithm>

namespace emulator {
namespace {

operation const* nanosleep(thread& t, operation const* o, std::uint64_t* registers) {
  u32 const duration = std::min(get<u32>(registers, o->a), 1'000'000u);
  t.pc = o + 1;
  t.state = state::sleeping;
  t.wake = global_timer() + (is_checked_run() ? the_observer().choose_below(2 * duration + 1) : duration);
  return nullptr;
}

void decode(decoder& d) {
  d.take_type({ptx::scalar::u32});
  d.emit(returns_next<nanosleep>, 0, d.source(0, ptx::scalar::u32));
}

definition const nanosleep_definition("nanosleep", ".u32", decode);

} // namespace
} // namespace emulator
