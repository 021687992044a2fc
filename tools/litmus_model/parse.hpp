// SPDX-License-Identifier: Apache-2.0
//
// parse: from the text of a file to a program. README.md describes the format.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "program.hpp"

namespace litmus {

/// what(): FILE:LINE: what is wrong; what to do.
struct parse_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws parse_error. `file` is for messages.
program parse(std::string_view text, std::string file);
/// The same for a file. Throws parse_error if it cannot be read.
program parse_file(std::string const& path);

} // namespace litmus
