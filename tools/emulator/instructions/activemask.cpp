// SPDX-License-Identifier: Apache-2.0
//
// activemask: lanes that run together with this one. Lanes of the emulator run one after the other, so each is alone, which
// is a legal answer.
#include "../machine/decoder.hpp"
#include "../machine/thread.hpp"

namespace emulator {
namespace {

u32 active_lanes(thread const& t) { return 1u << t.lane; }

void activemask(thread& t, std::uint64_t* registers, operation const& o) { put(registers, o.d, active_lanes(t)); }

void decode(decoder& d) {
  d.take_type({ptx::scalar::b32});
  d.emit(accesses<activemask>, d.destination(0));
}

definition const activemask_definition("activemask", ".b32; the lane alone", decode);

} // namespace
} // namespace emulator
