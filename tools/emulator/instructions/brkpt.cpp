// SPDX-License-Identifier: Apache-2.0
//
// brkpt: ends the launch, as on a GPU without a debugger.
#include "../machine/decoder.hpp"
#include "../machine/thread.hpp"

namespace emulator {
namespace {

void brkpt(thread& t, std::uint64_t*, operation const&) { fail(t, 719, "brkpt: a breakpoint, and no debugger"); }

void decode(decoder& d) { d.emit(accesses<brkpt>); }

definition const brkpt_definition("brkpt", "", decode);

} // namespace
} // namespace emulator
