// SPDX-License-Identifier: Apache-2.0
//
// ret: back to the caller; from a kernel, the end of the thread.
#include "../machine/decoder.hpp"
#include "../machine/frames.hpp"
#include "../machine/resident.hpp"

namespace emulator {
namespace {

operation const* ret(thread& t, operation const*, std::uint64_t*) {
  operation const* const next = t.frame->return_to;
  if (!t.frame->caller) {
    finish(t);
    return nullptr;
  }
  leave_function(t);
  return next;
}

void decode(decoder& d) {
  d.take("uni");
  d.emit(returns_next<ret>);
}

definition const ret_definition("ret", ".uni", decode);

} // namespace
} // namespace emulator
