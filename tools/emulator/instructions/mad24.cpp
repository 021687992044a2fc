// SPDX-License-Identifier: Apache-2.0
//
// mad24: a product of the low 24 bits, its bits 0 to 31 or 16 to 47, plus a summand.  [PTX ISA, "mad24"]
#include "support/numbers/mul24.hpp"

namespace emulator {
namespace {

template <class T>
T low(T a, T b, T c) {
  return wrapping_sum(low_24(a, b), c);
}
template <class T>
T high(T a, T b, T c) {
  return wrapping_sum(high_24(a, b), c);
}
s32 saturated(s32 a, s32 b, s32 c) { return clamped<s32>(s64(high_24(a, b)) + c); }

void decode(decoder& d) {
  std::string_view const half = d.take_one_of({"lo", "hi"});
  if (half.empty()) d.reject("needs .lo or .hi");
  scalar const type = take_number_type(d);
  if (type == scalar::s32 && half == "hi" && d.take("sat")) {
    emit<saturated>(d);
    return;
  }
  for_type<u32, s32>(d, type, [&]<class T> { half == "lo" ? emit<low<T>>(d) : emit<high<T>>(d); });
}

definition const mad24("mad24", ".{lo,hi}.{u32,s32}; .hi.sat.s32", decode);

} // namespace
} // namespace emulator
