// SPDX-License-Identifier: Apache-2.0
//
// mode: the modifiers of an instruction on floating-point numbers.  [PTX ISA, "Rounding Modifiers"]
#pragma once

#include "../../../machine/decoder.hpp"

namespace emulator {

enum class rounding : std::uint8_t {
  nearest,      ///< .rn: ties to even
  zero,         ///< .rz
  down,         ///< .rm: towards minus infinity
  up,           ///< .rp
  nearest_away, ///< .rna: ties away from zero
};

struct mode {
  emulator::rounding rounding = emulator::rounding::nearest;
  bool ftz = false;       ///< subnormal operands and results become zeros of their sign
  bool sat = false;       ///< the result is clamped to [0, 1]; NaN becomes +0
  bool relu = false;      ///< negative results become +0; NaN the canonical NaN
  bool satfinite = false; ///< values beyond the largest finite number become that number

  constexpr std::uint32_t bits() const {
    return std::uint32_t(rounding) | ftz << 8 | sat << 9 | relu << 10 | satfinite << 11;
  }
  static constexpr mode of(std::uint32_t bits) {
    return {emulator::rounding(bits & 0xff), (bits >> 8 & 1) != 0, (bits >> 9 & 1) != 0, (bits >> 10 & 1) != 0,
            (bits >> 11 & 1) != 0};
  }
  /// Whether the instruction neither flushes nor clamps, and rounds as the host does.
  constexpr bool is_plain() const { return bits() == 0; }
};

/// Takes .rn .rz .rm .rp; sets `present` to whether there was one.
inline rounding take_rounding(decoder& d, bool* present = nullptr) {
  std::string_view const r = d.take_one_of({"rn", "rz", "rm", "rp"});
  if (present) *present = !r.empty();
  return r == "rz" ? rounding::zero : r == "rm" ? rounding::down : r == "rp" ? rounding::up : rounding::nearest;
}

} // namespace emulator
