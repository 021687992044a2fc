// SPDX-License-Identifier: Apache-2.0
//
// expression: constants and constant expressions.  [PTX ISA, "Constants", "Constant expressions"]
#pragma once

#include "scanner.hpp"

namespace emulator::ptx {

/// Parses a number without a sign.
/// Errors: rejected
operand number(scanner&);

/// Parses and evaluates a constant expression; returns an operand of kind integer or real.
/// Errors: rejected
operand constant(scanner&);

/// Parses the offset after the name in `a+8`, `a+-8`, `a+4*2`; returns 0 if there is none.
/// Errors: rejected
std::int64_t offset(scanner&);

} // namespace emulator::ptx
