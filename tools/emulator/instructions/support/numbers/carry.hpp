// SPDX-License-Identifier: Apache-2.0
//
// carry: extended-precision arithmetic.  [PTX ISA, "Extended-Precision Integer Arithmetic Instructions"]
// The condition code is one slot of each function, decoder::carry(). Neither PTX nor the emulator keeps it across
// calls. For a subtraction it is the borrow.
#pragma once

#include "integer.hpp"

namespace emulator {

/// operand d = a + b (+ carry), or a - b (- carry); the carry's slot is operand e.
template <class T, bool Subtracts, bool Reads, bool Writes>
void add_with_carry(std::uint64_t* registers, operation const& o) {
  u128 const carry = Reads ? registers[o.e] & 1 : 0;
  u128 const a = get<T>(registers, o.a), b = get<T>(registers, o.b);
  u128 const result = Subtracts ? a - b - carry : a + b + carry;
  if (Writes) registers[o.e] = u64(result >> bits_in<T>) & 1;
  put<T>(registers, o.d, T(result));
}

template <class T, bool Subtracts>
handler carry_handler(bool reads, bool writes) {
  if (!reads) return computes<add_with_carry<T, Subtracts, false, true>>;
  return writes ? computes<add_with_carry<T, Subtracts, true, true>>
                : computes<add_with_carry<T, Subtracts, true, false>>;
}

/// The body of add.cc, addc, sub.cc and subc.
template <bool Subtracts>
void decode_carry(decoder& d, bool reads) {
  bool const writes = d.take("cc");
  scalar const type = d.take_type({scalar::u32, scalar::s32, scalar::u64, scalar::s64});
  slot const a = d.source(1, type), b = d.source(2, type);
  bool const wide = type == scalar::u64 || type == scalar::s64;
  handler const run =
      wide ? carry_handler<u64, Subtracts>(reads, writes) : carry_handler<u32, Subtracts>(reads, writes);
  d.emit(run, d.destination(0), a, b).e = d.carry();
}

/// The body of mad.cc and madc: half of the product goes to its own slot, the rest is an addition.
inline void decode_multiply_add_carry(decoder& d, bool reads) {
  bool const writes = d.take("cc");
  std::string_view const half = d.take_one_of({"lo", "hi"});
  if (half.empty()) d.reject("needs .lo or .hi");
  scalar const type = d.take_type({scalar::u32, scalar::s32, scalar::u64, scalar::s64});
  slot const a = d.source(1, type), b = d.source(2, type), c = d.source(3, type);
  slot const product = d.scratch();
  for_type<u32, s32, u64, s64>(d, type, [&]<class T> {
    d.emit(half == "lo" ? function_handler<low_product<T>> : function_handler<high_product<T>>, product, a, b);
    d.emit(carry_handler<unsigned_of<T>, false>(reads, writes), d.destination(0), product, c).e = d.carry();
  });
}

} // namespace emulator
