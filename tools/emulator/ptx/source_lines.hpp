// SPDX-License-Identifier: Apache-2.0
//
// source_lines: the lines of the source that an instruction comes from, as text for reports.  [PTX ISA, ".loc"]
// A line of a header says little of a mistake without the calls by which it was inlined. nvcc writes them into the PTX;
// clang 22 does not.
#pragma once

#include "syntax.hpp"

namespace emulator::ptx {

/// "file:line"; nothing if it is not known, or if the compiler says that the instruction is of no line.
std::string source_of(module const&, source_location const&);
/// The same of the calls by which this line was inlined, the innermost first.
std::vector<std::string> callers_of(module const&, source_location const&);
/// ", inlined at file:line" for each of these.
std::string text_of_callers(std::vector<std::string> const&);
/// The line and its callers: "file:line, inlined at file:line".
std::string source_with_callers(module const&, source_location const&);

} // namespace emulator::ptx
