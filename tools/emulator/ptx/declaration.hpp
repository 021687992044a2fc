// SPDX-License-Identifier: Apache-2.0
//
// declaration: variables, registers and parameters, which have the same syntax in modules, bodies and parameter lists.
#pragma once

#include "scanner.hpp"

#include <string_view>
#include <vector>

namespace emulator::ptx {

/// Takes the word of a space, like ".global", if it is next, and returns the space; none if it is not next.
space take_space(scanner&);

/// Parses `.align 8 .b8 name[4] = {...}, other`: the text after the space, without the `;`. Appends to `result`.
/// Errors: rejected
void declare(scanner&, space, std::string_view linkage, std::vector<variable>& result);

/// Parses `(.param .b32 a, .reg .f32 b)`.
/// Errors: rejected
std::vector<variable> parameter_list(scanner&);

} // namespace emulator::ptx
