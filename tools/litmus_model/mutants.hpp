// SPDX-License-Identifier: Apache-2.0
//
// mutants: the programs that differ from a program in one order that is weaker, one scope that is narrower, or one
// fence or barrier that is missing.
#pragma once

#include <string>
#include <vector>

#include "program.hpp"

namespace litmus {

struct mutant {
  litmus::program program; ///< with the one placement; its name is PROGRAM~CHANGE
  std::string change;      ///< P0.2.relaxed: in P0, the instruction 2, counted from 1, is relaxed instead
};

std::vector<mutant> mutants_of(program const&, placement const&);

} // namespace litmus
