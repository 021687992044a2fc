// SPDX-License-Identifier: Apache-2.0
//
// tensor_map: what elements become on the way, as an H100 does it (tests/emulator/device/h100_tensor.record).
#include "tensor_map.hpp"

#include <cstring>

namespace emulator {

namespace {

/// To the nearest tf32, of two the even one; NaN becomes one NaN. Subnormal numbers are kept.
void round_to_tf32(std::byte* elements, u32 size) {
  for (u32 i = 0; i < size; i += 4) {
    u32 bits;
    std::memcpy(&bits, elements + i, 4);
    u32 const magnitude = bits & 0x7fffffff;
    bits = magnitude > 0x7f800000 ? 0x7fffe000 : (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
    std::memcpy(elements + i, &bits, 4);
  }
}

} // namespace

char const* name_of(tensor_type t) {
  constexpr char const* names[] = {"u8",  "u16", "u32",  "s32",     "u64",  "s64",     "f16",
                                   "f32", "f64", "bf16", "f32_ftz", "tf32", "tf32_ftz"};
  return names[u8(t)];
}

u64 fill_of(tensor_map const& m) { return m.fills_with_nan ? 0x7ff77ff77ff77ff7 : 0; }

tensor_conversion conversion_of(tensor_map const& m) {
  return m.type == tensor_type::tf32 || m.type == tensor_type::tf32_ftz ? round_to_tf32 : nullptr;
}

} // namespace emulator
