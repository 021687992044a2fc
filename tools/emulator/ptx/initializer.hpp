// SPDX-License-Identifier: Apache-2.0
//
// initializer: parses the text after a variable's `=`.  [PTX ISA, "Initializers"]
//
// The caller, which knows where symbols are placed, computes the addresses.
#pragma once

#include "syntax.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace emulator::ptx {

/// A scalar of an initializer. Bytes without a value are zero.
struct initial_value {
  std::uint64_t offset = 0; ///< in bytes, from the start of the variable
  int size = 0;             ///< in bytes: the size of the variable's type
  std::uint64_t bits = 0;   ///< the value, or the lower half of a .b128, whose upper half is zero; with a symbol, the
                            ///< offset from its address
  std::string_view symbol;  ///< the name of a variable or function; empty: a number
  bool is_generic = false;  ///< generic(symbol): not the offset in its space
  /// For `0xFF00(symbol)`, 0xFF00: the bits of the sum that are used, to be shifted down to bit 0. Otherwise 0.
  std::uint64_t mask = 0;
};

/// Returns the values in the order of their offsets.
/// Errors: rejected
std::vector<initial_value> initial_values(module const&, variable const&);

/// Returns the bits of `value`, a number, as stored in memory; `address` is that of `value.symbol`, if there is one.
std::uint64_t bits_in_memory(initial_value const& value, std::uint64_t address = 0);

} // namespace emulator::ptx
