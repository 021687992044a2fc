// SPDX-License-Identifier: Apache-2.0
//
// special: the names of the special registers.  [PTX ISA, "Special registers"]
#pragma once

#include <string_view>

namespace emulator::ptx {

/// Whether this name, with its % and optionally with .x, is that of a special register.
bool is_special(std::string_view name);

} // namespace emulator::ptx
