// SPDX-License-Identifier: Apache-2.0
//
// cases: the kernels as the host knows them.
#pragma once

#include <string>
#include <vector>

namespace lanes {

inline constexpr unsigned most_objects = 256;
inline constexpr unsigned rounds = 3; // of the kernels that repeat

/// Device memory of a launch, all zero.
struct memory {
  unsigned char objects[64 * 1024];
  unsigned counts[most_objects];
};

/// One kernel and how it is launched. After it, the counts of the first `objects` elements must add up to
/// `visits` for each thread.
struct test_case {
  std::string name;
  void (*kernel)(memory*, unsigned objects);
  unsigned threads, objects, visits;
};
std::vector<test_case>& all_cases();

} // namespace lanes
