// SPDX-License-Identifier: Apache-2.0
//
// placements: where the threads of a program run. A placement is a word such as same_block, or a tree of scopes.
#pragma once

#include "lexer.hpp"
#include "program.hpp"

namespace litmus {

/// `placements a, b@SCOPE, c:MEMORY, d = TREE, ...;` after the word `placements`. Throws parse_error.
void parse_placements(lexer&, program&);

} // namespace litmus
