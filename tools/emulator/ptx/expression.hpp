// SPDX-License-Identifier: Apache-2.0
//
// expression: constants and what may be calculated from them.  [PTX ISA, "Constants", "Constant expressions"]
#pragma once

#include "scanner.hpp"

namespace emulator::ptx {

/// A number without a sign.
/// Errors: refused
operand number(scanner&);

/// A constant expression: an operand of kind integer or real, with all operators calculated.
/// Errors: refused
operand constant(scanner&);

/// What stands behind the name in `a+8`, `a+-8`, `a+4*2`; 0 where nothing does.
/// Errors: refused
std::int64_t offset(scanner&);

} // namespace emulator::ptx
