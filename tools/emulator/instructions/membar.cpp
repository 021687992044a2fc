// SPDX-License-Identifier: Apache-2.0
//
// membar: the old spelling of fence.sc.  [PTX ISA, "membar, fence"]
#include "support/memory/fence.hpp"

namespace emulator {

namespace {

void decode(decoder& d) {
  if (d.take("proxy")) {
    if (!d.take("alias")) d.reject("membar knows .proxy.alias only: write fence.proxy");
    return; // as fence.proxy.alias
  }
  std::string_view const level = d.take_one_of({"cta", "gl", "sys"});
  if (level.empty()) d.reject("needs a level: .cta, .gl or .sys");
  emit_fence(d, semantics::acq_rel, level == "cta" ? scope::cta : level == "gl" ? scope::gpu : scope::sys, true);
}

definition const membar("membar", ".cta .gl .sys; .proxy.alias", decode);

} // namespace

} // namespace emulator
