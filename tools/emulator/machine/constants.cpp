// SPDX-License-Identifier: Apache-2.0
//
// constants: what a literal means as an operand of a type.  [PTX ISA, "Constants"]
// An integer literal becomes the low bits of an integer or untyped operand; a float literal becomes a float, or the
// bits of an untyped operand as wide as it is. A literal that would need a conversion between the two is rejected, as
// by ptxas.
#include "function_decoder.hpp"

namespace emulator {
namespace {

std::uint64_t from_integer(decoder const& d, std::uint64_t bits, ptx::scalar type) {
  using enum ptx::scalar;
  switch (type) {
  case pred: return bits != 0;
  case f32:
  case f64: d.reject("an integer literal stands where a float is needed");
  case none: d.reject("a literal stands where no type is known");
  default: break;
  }
  int const size = ptx::size_of(type);
  return size >= 8 ? bits : bits & ((std::uint64_t(1) << (8 * size)) - 1);
}

} // namespace

std::uint64_t convert_constant(decoder const& d, ptx::operand const& o, ptx::scalar type) {
  using enum ptx::scalar;
  if (o.negated) d.reject("! before a literal");
  if (o.kind == ptx::operand_kind::integer) return from_integer(d, o.bits, type);
  double const wide = o.is_single ? double(std::bit_cast<float>(std::uint32_t(o.bits))) : std::bit_cast<double>(o.bits);
  switch (type) {
  case f32: return o.is_single ? o.bits : std::bit_cast<std::uint32_t>(float(wide));
  case f64: return o.is_single ? std::bit_cast<std::uint64_t>(wide) : o.bits;
  case b32:
    if (o.is_single) return o.bits;
    break;
  case b64:
    if (!o.is_single) return o.bits;
    break;
  default: break;
  }
  d.reject("a float literal stands where ." + std::string(name_of(type)) + " is needed");
}

} // namespace emulator
