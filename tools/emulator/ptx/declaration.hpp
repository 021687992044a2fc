// SPDX-License-Identifier: Apache-2.0
//
// declaration: variables, registers and parameters, which modules, bodies and parameter lists spell alike.
#pragma once

#include "scanner.hpp"

#include <string_view>
#include <vector>

namespace emulator::ptx {

/// The space of ".global" and its kin where that is next, and goes behind it; none where it is not.
space take_space(scanner&);

/// `.align 8 .b8 name[4] = {...}, other`: what stands behind the space, without the `;`. Adds to `result`.
/// Errors: refused
void declare(scanner&, space, std::string_view linkage, std::vector<variable>& result);

/// `(.param .b32 a, .reg .f32 b)`.
/// Errors: refused
std::vector<variable> parameter_list(scanner&);

} // namespace emulator::ptx
