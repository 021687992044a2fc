// SPDX-License-Identifier: Apache-2.0
//
// explain: a verdict for readers: as text, as a graph, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "search.hpp"

namespace litmus {

std::string_view name(verdict);

/// The verdict with the execution that shows it, or with the axioms that reject the others.
std::string explain(program const&, placement const&, std::string_view model, answer const&);
/// The execution as a graph for Graphviz; empty if there is none.
std::string dot(program const&, placement const&, std::string_view model, answer const&);
/// One object on one line.
std::string json(program const&, placement const&, std::string_view model, answer const&);
/// A string of JSON.
std::string quoted(std::string_view);

} // namespace litmus
