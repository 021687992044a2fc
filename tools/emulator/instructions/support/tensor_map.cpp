// SPDX-License-Identifier: Apache-2.0
//
// tensor_map: what elements become on the way.
#include "tensor_map.hpp"

#include <cstring>

namespace emulator {

namespace {

template <bool Rounds, bool Flushes>
void convert(std::byte* elements, u32 size) {
  for (u32 i = 0; i < size; i += 4) {
    u32 bits;
    std::memcpy(&bits, elements + i, 4);
    if (Flushes && !(bits & 0x7f800000)) bits &= 0x80000000;
    if (Rounds) bits &= 0xffffe000;
    std::memcpy(elements + i, &bits, 4);
  }
}

} // namespace

char const* name_of(tensor_type t) {
  constexpr char const* names[] = {"u8",  "u16", "u32",  "s32",     "u64",  "s64",     "f16",
                                   "f32", "f64", "bf16", "f32_ftz", "tf32", "tf32_ftz"};
  return names[u8(t)];
}

u64 fill_of(tensor_map const& m) {
  if (!m.fills_with_nan) return 0;
  switch (m.type) {
  case tensor_type::f16:
  case tensor_type::bf16: return 0x7fff7fff7fff7fff;
  case tensor_type::f64: return 0x7fffffffffffffff;
  default: return 0x7fffffff7fffffff;
  }
}

tensor_conversion conversion_of(tensor_map const& m) {
  switch (m.type) {
  case tensor_type::f32_ftz: return convert<false, true>;
  case tensor_type::tf32: return convert<true, false>;
  case tensor_type::tf32_ftz: return convert<true, true>;
  default: return nullptr;
  }
}

} // namespace emulator
