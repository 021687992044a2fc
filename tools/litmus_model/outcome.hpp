// SPDX-License-Identifier: Apache-2.0
//
// outcome: how an execution ends, and whether that is what `exists` asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "execution.hpp"

namespace litmus {

/// By root the values of its cells at the end. A root without cells is a part.
using final_values = std::vector<std::vector<value>>;

/// Whether the condition holds; none if that depends on final values, which are not known yet.
std::optional<bool> holds(condition const&, execution const&, final_values const* finals);

/// The ways in which a root can end: its cells have values of writes that no other write follows in coherence order.
std::vector<std::vector<value>> final_values_of(execution const&, int root);

/// P0:r0=1 x=2
std::string print_state(execution const&, final_values const&);

} // namespace litmus
