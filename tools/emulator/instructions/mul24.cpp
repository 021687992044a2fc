// SPDX-License-Identifier: Apache-2.0
//
// mul24: a product of the low 24 bits: its bits 0 to 31 or 16 to 47.  [PTX ISA, "mul24"]
#include "support/numbers/mul24.hpp"

namespace emulator {
namespace {

void decode(decoder& d) {
  std::string_view const half = d.take_one_of({"lo", "hi"});
  if (half.empty()) d.reject("needs .lo or .hi");
  for_type<u32, s32>(d, take_number_type(d), [&]<class T> { half == "lo" ? emit<low_24<T>>(d) : emit<high_24<T>>(d); });
}

definition const mul24("mul24", ".{lo,hi}.{u32,s32}", decode);

} // namespace
} // namespace emulator
