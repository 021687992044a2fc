// SPDX-License-Identifier: Apache-2.0
//
// parse: from text to syntax.hpp.
#pragma once

#include "syntax.hpp"

#include <stdexcept>

namespace emulator::ptx {

/// Text that is no PTX, or PTX that the emulator does not know: says where, what and what to do. what() begins with
/// "NAME:LINE:".
class refused : public std::runtime_error {
public:
  refused(module const&, source_location, std::string const& what);
};

/// The module that `text` spells, its functions without their bodies. `name` is for reports.
/// Errors: refused
std::unique_ptr<module> parse(std::string text, std::string name);

/// Parses the body of `function`, once.
/// Errors: refused
void parse_body(module&, function&);

/// The module as text. Parsing it and printing again gives the same text, byte by byte.
std::string print(module&);
std::string print(module const&, instruction const&); ///< one instruction, without the `;`, for reports

} // namespace emulator::ptx
