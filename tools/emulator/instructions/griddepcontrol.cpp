// SPDX-License-Identifier: Apache-2.0
//
// griddepcontrol: dependent launches. A grid starts here only after the grids on which it depends have ended, so there
// is nothing to wait for, and no dependent grid to launch earlier. In a checked run, what the grid before it did
// happens before what the grid does only from .wait on.  [PTX ISA, "griddepcontrol"]
#include "../machine/observer.hpp"
#include "support/memory/access.hpp"

namespace emulator {
namespace {

void run_wait(thread& t, std::uint64_t*, operation const&) {
  if (is_checked_run()) the_observer().waits_for_prerequisites(t);
}

void decode(decoder& d) {
  std::string_view const what = d.take_one_of({"wait", "launch_dependents"});
  if (what.empty()) d.reject("it needs .wait or .launch_dependents");
  if (what == "wait") d.emit(interruptible_handler<run_wait>());
}

definition const griddepcontrol_definition("griddepcontrol", ".wait .launch_dependents", decode);

} // namespace
} // namespace emulator
