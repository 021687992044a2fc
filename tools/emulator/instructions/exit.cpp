// SPDX-License-Identifier: Apache-2.0
//
// exit: the end of the thread, wherever it is.
#include "../machine/decoder.hpp"
#include "../machine/resident.hpp"

namespace emulator {
namespace {

operation const* exit_thread(thread& t, operation const*, std::uint64_t*) {
  finish(t);
  return nullptr;
}

void decode(decoder& d) { d.emit(returns_next<exit_thread>); }

definition const exit_definition("exit", "", decode);

} // namespace
} // namespace emulator
