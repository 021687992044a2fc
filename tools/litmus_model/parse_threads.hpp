// SPDX-License-Identifier: Apache-2.0
//
// parse_threads: the columns of a program.
#pragma once

#include "lexer.hpp"
#include "program.hpp"

namespace litmus {

/// The row of names, and the rows of instructions up to the word `placements`. Throws parse_error.
void parse_threads(lexer&, program&);

} // namespace litmus
