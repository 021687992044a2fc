// SPDX-License-Identifier: Apache-2.0
//
// mov: copies a register, constant, special register or address; packs and unpacks.  [PTX ISA, "mov"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class T>
T copied(T a) {
  return a;
}

// {a, b} and {a, b, c, d}: the first element is the lowest part.
template <class Whole, class Part>
Whole packed2(Part a, Part b) {
  return Whole(Whole(a) | Whole(b) << (8 * sizeof(Part)));
}
template <class Whole, class Part>
Whole packed4(Part a, Part b, Part c, Part d) {
  return Whole(packed2<Whole>(a, b) | packed2<Whole>(c, d) << (16 * sizeof(Part)));
}
/// Part number operation::extra of the whole.
template <class Whole, class Part>
void unpack_part(u64* registers, operation const& o) {
  put<Part>(registers, o.d, Part(get<Whole>(registers, o.a) >> (8 * sizeof(Part) * o.extra)));
}

template <class Whole, class Part>
void emit_vector(decoder& d, std::vector<ptx::operand> const& parts, bool packs) {
  if (parts.size() * sizeof(Part) != sizeof(Whole)) d.reject("the parts of the vector are not as wide as the whole");
  for (ptx::operand const& part : parts) {
    scalar const declared = d.declared(part);
    if (declared != scalar::none && ptx::size_of(declared) != int(sizeof(Part)))
      d.reject("the parts of the vector are not as wide as the whole");
  }
  if (packs) {
    slot s[4]{};
    for (std::size_t i = 0; i < parts.size(); ++i) s[i] = d.source(parts[i], scalar_of<Part>());
    if (parts.size() == 2) d.emit(function_handler<packed2<Whole, Part>>, d.destination(0), s[0], s[1]);
    else if constexpr (sizeof(Part) * 4 == sizeof(Whole))
      d.emit(function_handler<packed4<Whole, Part>>, d.destination(0), s[0], s[1], s[2]).e = s[3];
    return;
  }
  slot const whole = d.source(1, scalar_of<Whole>());
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].kind != ptx::operand_kind::sink)
      d.emit(computes<unpack_part<Whole, Part>>, d.destination(parts[i]), whole).extra = u32(i);
}

void decode_vector(decoder& d, int size, bool packs) {
  std::vector<ptx::operand> const& parts = d.operand(packs ? 1 : 0).parts;
  if (parts.size() != 2 && parts.size() != 4) d.reject("a vector of 2 or 4 is needed");
  bool const two = parts.size() == 2;
  if (size == 2 && two) return emit_vector<u16, u8>(d, parts, packs);
  if (size == 4) return two ? emit_vector<u32, u16>(d, parts, packs) : emit_vector<u32, u8>(d, parts, packs);
  if (size == 8) return two ? emit_vector<u64, u32>(d, parts, packs) : emit_vector<u64, u16>(d, parts, packs);
  if (size == 16) return two ? emit_vector<u128, u64>(d, parts, packs) : emit_vector<u128, u32>(d, parts, packs);
  d.reject("there is no vector of this type");
}

void decode(decoder& d) {
  scalar const type = d.take_type();
  if (d.operand(0).kind == ptx::operand_kind::vector) return decode_vector(d, ptx::size_of(type), false);
  if (d.operand(1).kind == ptx::operand_kind::vector) return decode_vector(d, ptx::size_of(type), true);
  slot const a = d.source(1, type);
  if (type == scalar::b128) d.emit(function_handler<copied<u128>>, d.destination(0), a);
  else if (type == scalar::b8 || type == scalar::none) d.reject("this instruction has no such type");
  else d.emit(function_handler<copied<u64>>, d.destination(0), a); // narrower values are zero-extended already
}

definition const mov("mov",
                     ".{pred,b16,b32,b64,b128,u16,u32,u64,s16,s32,s64,f16,bf16,f16x2,bf16x2,f32,f64} of registers, "
                     "constants, special registers, "
                     "symbols; to and from vectors of 2 and 4",
                     decode);

} // namespace
} // namespace emulator
