// SPDX-License-Identifier: Apache-2.0
//
// pmevent: triggers a profiler event; there is no profiler, so it has no effect.  [PTX ISA, "pmevent"]
#include "../machine/decoder.hpp"

namespace emulator {
namespace {

void decode(decoder& d) {
  bool const is_mask = d.take("mask");
  auto const event = d.constant(0);
  if (event < 0 || event > (is_mask ? 0xffff : 15))
    d.reject(is_mask ? "the mask has 16 bits" : "the event is one from 0 to 15");
}

definition const pmevent("pmevent", "{.mask}; without effect", decode);

} // namespace
} // namespace emulator
