// SPDX-License-Identifier: Apache-2.0
//
// parse: turns text into the structures of syntax.hpp.
#pragma once

#include "syntax.hpp"

#include <stdexcept>

namespace emulator::ptx {

/// The error for text that is not PTX, or PTX that the emulator does not support: says where, what and what to do.
/// what() begins with "NAME:LINE:".
class rejected : public std::runtime_error {
public:
  rejected(module const&, source_location, std::string const& what);
};

/// Parses `text` as a module, but not the bodies of its functions. `name` is for error messages.
/// Errors: rejected
std::unique_ptr<module> parse(std::string text, std::string name);

/// Parses the body of `function`, if it is not parsed yet.
/// Errors: rejected
void parse_body(module&, function&);

/// Returns the module as text. Parsing that text and printing it again gives the same text, byte by byte.
std::string print(module&);
std::string print(module const&, instruction const&); ///< one instruction, without the `;`, for reports

} // namespace emulator::ptx
