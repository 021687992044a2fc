// SPDX-License-Identifier: Apache-2.0
//
// meeting_of_active: `activemask.b32 m; bar.warp.sync m;`, the meeting of the lanes that run together. Which lanes
// these are is the machine's choice, so the pair promises no order of memory, and a lane may be alone.
#pragma once

#include "../../../machine/function_decoder.hpp"

namespace emulator {

/// Whether the two instructions, one directly after the other, are that pair.
inline bool is_meeting_of_active(ptx::instruction const& first, ptx::instruction const* second) {
  return second && first.name == "activemask" && second->name == "bar" && !second->modifiers.empty() &&
         second->modifiers[0] == "warp" && first.operands.size() == 1 && second->operands.size() == 1 &&
         first.operands[0].kind != ptx::operand_kind::sink && first.operands[0].name == second->operands[0].name &&
         first.guard == second->guard && first.guard_negated == second->guard_negated;
}

} // namespace emulator
