// SPDX-License-Identifier: Apache-2.0
//
// trap: ends the launch with cudaErrorLaunchFailure.
#include "../machine/decoder.hpp"
#include "../machine/thread.hpp"

namespace emulator {
namespace {

void trap(thread& t, std::uint64_t*, operation const&) { fail(t, 719, "trap: the kernel ended itself"); }

void decode(decoder& d) { d.emit(accesses<trap>); }

definition const trap_definition("trap", "", decode);

} // namespace
} // namespace emulator
