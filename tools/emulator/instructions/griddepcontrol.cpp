// SPDX-License-Identifier: Apache-2.0
//
// griddepcontrol: has no effect. A grid starts here only after the grids on which it depends have ended, so there is
// nothing to wait for, and no dependent grid to launch earlier. So a missing .wait is not detected.
#include "../machine/decoder.hpp"

namespace emulator {
namespace {

void decode(decoder& d) {
  if (d.take_one_of({"wait", "launch_dependents"}).empty()) d.refuse("it needs .wait or .launch_dependents");
}

definition const griddepcontrol_definition("griddepcontrol", ".wait .launch_dependents", decode);

} // namespace
} // namespace emulator
