// SPDX-License-Identifier: Apache-2.0
//
// createpolicy: creates a cache policy, which is opaque and changes no result: here 0.  [PTX ISA, "createpolicy"]
#include "support/memory/qualifiers.hpp"

namespace emulator {

namespace {

void run(std::uint64_t* r, operation const& o) { r[o.d] = 0; }

void decode(decoder& d) {
  needs_sm(d, 80, "createpolicy");
  d.take_type({ptx::scalar::b64});
  std::string_view const kind = d.take_one_of({"fractional", "range", "cvt"});
  if (kind == "cvt") {
    if (!d.take("L2")) d.reject("needs .L2");
    d.source(1, ptx::scalar::b64);
  } else {
    if (kind.empty()) d.reject("needs .fractional, .range or .cvt");
    // There may be two priorities, also the same twice: one for the fraction or range, and one for the rest.
    for (std::string_view const priority :
         {"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"})
      for (int i = 0; i < 2; ++i) d.take(priority);
  }
  if (kind == "fractional" && d.operands() > 1) d.source(1, ptx::scalar::f32);
  if (kind == "range") {
    take_space(d, {ptx::space::global});
    d.address(1);
    d.source(2, ptx::scalar::u32);
    d.source(3, ptx::scalar::u32);
  }
  d.emit(computes<run>, d.destination(0));
}

definition const definition_of_createpolicy("createpolicy", ".fractional .range .cvt", decode);

} // namespace

} // namespace emulator
