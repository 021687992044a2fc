// SPDX-License-Identifier: Apache-2.0
//
// setmaxnreg: changes a thread's number of hardware registers. A thread of the emulator has all registers that its code
// names, so this has no effect.
#include "../machine/decoder.hpp"

namespace emulator {
namespace {

void decode(decoder& d) {
  if (d.sm() < 90) d.refuse("it needs sm_90a");
  if (d.take_one_of({"inc", "dec"}).empty()) d.refuse("it needs .inc or .dec");
  d.take("sync");
  d.take("aligned");
  d.take_type({ptx::scalar::u32});
  if (auto const n = d.constant(0); n < 24 || n > 256 || n % 8)
    d.refuse("the number is one from 24 to 256, in steps of 8");
}

definition const setmaxnreg_definition("setmaxnreg", ".inc .dec .sync .aligned .u32; without effect", decode);

} // namespace
} // namespace emulator
