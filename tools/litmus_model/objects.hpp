// SPDX-License-Identifier: Apache-2.0
//
// objects: which members each primitive has, with their arguments and results.
#pragma once

#include <vector>

#include "program.hpp"

namespace litmus {

struct signature {
  litmus::member member;
  int arguments = 0;
  bool has_result = false;
  bool has_order = false;
};

std::vector<signature> const& members_of(object_kind);
/// Whether an object of this kind is declared with a count.
bool has_count(object_kind);

} // namespace litmus
