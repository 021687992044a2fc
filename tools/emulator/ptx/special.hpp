// SPDX-License-Identifier: Apache-2.0
//
// special: which names are special registers.  [PTX ISA, "Special registers"]
#pragma once

#include <string_view>

namespace emulator::ptx {

/// Whether this name, with its % and with .x or nothing behind, is a special register's.
bool is_special(std::string_view name);

} // namespace emulator::ptx
