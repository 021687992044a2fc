// SPDX-License-Identifier: Apache-2.0
//
// search: all executions of a program in one placement, judged by a model.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "execution.hpp"
#include "model.hpp"

namespace litmus {

enum class verdict { allowed, forbidden, undefined };

struct answer {
  litmus::verdict verdict = verdict::forbidden;
  std::optional<execution>
      witness; ///< allowed: an execution that ends as the condition says; undefined: one with a race
  std::optional<std::pair<int, int>> race; ///< undefined: two events of the witness ...
  std::string reason;                      ///< ... or why no execution was searched
  /// How many executions that would end as the condition says each axiom rejects. What is rejected before all of its
  /// orders are chosen counts once.
  std::map<std::string, long> rejected;
  long consistent = 0; ///< executions that violate no axiom, whatever their end; some that end alike are left out
  std::set<std::string> states; ///< in which they end: registers and final values
  bool more_states = false;     ///< there are more than `states` has room for
};

/// Throws std::length_error if the program is too large, std::invalid_argument if it contains what the models lack.
answer decide(program const&, placement const&, model const&);

} // namespace litmus
