// SPDX-License-Identifier: Apache-2.0
//
// print: a program, or a part of it, as the text that parse reads.
#pragma once

#include <string>

#include "program.hpp"

namespace litmus {

std::string print(program const&);
std::string print(program const&, thread const&, instruction const&);
std::string print(program const&, condition const&);
std::string print(thread const&, expression const&);
/// Decimal below 2^64, hexadecimal from there.
std::string print(value);

} // namespace litmus
