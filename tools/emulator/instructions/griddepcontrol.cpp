// SPDX-License-Identifier: Apache-2.0
//
// griddepcontrol: a grid starts here after those it depends on have ended, so that there is nothing to wait for and nobody to
// let go earlier.
#include "../machine/decoder.hpp"

namespace emulator {
namespace {

void decode(decoder& d) {
  if (d.take_one_of({"wait", "launch_dependents"}).empty()) d.refuse("it needs .wait or .launch_dependents");
}

definition const griddepcontrol_definition("griddepcontrol", ".wait .launch_dependents", decode);

} // namespace
} // namespace emulator
