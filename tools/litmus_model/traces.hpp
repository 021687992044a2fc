// SPDX-License-Identifier: Apache-2.0
//
// traces: what one thread can do if its reads return any values that the locations can have.
#pragma once

#include <set>
#include <vector>

#include "event.hpp"

namespace litmus {

/// How operations become events.
enum class lowering {
  ptx, ///< as the library maps them: a seq_cst access is fence.sc and an access that acquires, if it reads
  cpp, ///< one event for each operation, with its order
};

struct trace {
  std::vector<event> events;    ///< in program order; `depends` counts within this vector
  std::vector<value> registers; ///< at the end
};

/// The traces of each thread of a program. The values that a read can return are those that some trace writes, the
/// initial ones, and those for which the condition asks: these may turn out to come from nowhere.
std::vector<std::vector<trace>> traces_of(program const&, placement const&, layout const&, lowering);

} // namespace litmus
