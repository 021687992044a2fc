// SPDX-License-Identifier: Apache-2.0
//
// initializer: what the text behind a variable's `=` says.  [PTX ISA, "Initializers"]
// Addresses are left to who knows where symbols lie.
#pragma once

#include "syntax.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace emulator::ptx {

/// A scalar of an initializer. Bytes that no value names are zero.
struct initial_value {
  std::uint64_t offset = 0; ///< bytes from where the variable begins
  int size = 0;             ///< bytes: that of the variable's type
  std::uint64_t bits =
      0; ///< the value, the lower half of a .b128, whose upper one is zero; with a symbol what is to be added to its address
  std::string_view symbol; ///< a variable's or function's; nothing: a number
  bool is_generic = false; ///< generic(symbol): not the offset in its space
  /// Of `0xFF00(symbol)` 0xFF00: the bits of the sum that count, to be shifted down to the lowest; else 0.
  std::uint64_t mask = 0;
};

/// In order of their offsets.
/// Errors: refused
std::vector<initial_value> initial_values(module const&, variable const&);

/// The bits of `value`, a number, as they lie in memory; `address` is that of `value.symbol`, where it has one.
std::uint64_t bits_in_memory(initial_value const& value, std::uint64_t address = 0);

} // namespace emulator::ptx
