// SPDX-License-Identifier: Apache-2.0
//
// special: special registers.  [PTX ISA, "Special Registers"]
#pragma once

#include "thread.hpp"

#include <optional>
#include <string_view>

namespace emulator {

struct special_register {
  std::string_view name; ///< "%tid.x"
  std::uint64_t (*read)(thread const&);
  bool changes; ///< while the thread runs: to be read by an operation each time
};

/// The number of the special register of this name, for special_registers(); nothing where there is none.
std::optional<std::uint32_t> find_special(std::string_view name);
special_register const& special(std::uint32_t number);

/// The clock of %globaltimer: nanoseconds since 1970, never backwards.
std::uint64_t global_timer();

} // namespace emulator
