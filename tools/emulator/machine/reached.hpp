// SPDX-License-Identifier: Apache-2.0
//
// reached: which lines of PTX a run reached. With CUDAX_EMULATOR_REACHED=FILE an operation that notes the line is
// emitted before those of each instruction that accesses or orders memory, whether the instruction's guard is true or
// not. At the end of the process the lines are appended to FILE, one number each, in increasing order.
#pragma once

#include "../ptx/syntax.hpp"
#include "function_decoder.hpp"

namespace emulator {

/// Emits the operation, if the process notes lines.
void note_reached(function_decoder&, ptx::instruction const&);

} // namespace emulator
