// SPDX-License-Identifier: Apache-2.0
//
// memory_limit: how much memory this process may still take, as the kernel says.
#pragma once

#include <cstddef>

namespace cudax::runtime {

struct memory_limit {
  std::size_t bytes = 0;
  char const* of = ""; // who says so, as "... bytes that <of>"
};

/// The least of: what the machine can still give (MemAvailable), what every control group of the process leaves (version 2
/// and version 1). What cannot be read sets no limit; the machine's memory always does.
memory_limit find_memory_limit() noexcept;

/// The same, with `root` before every path. For tests.
memory_limit find_memory_limit(char const* root) noexcept;

} // namespace cudax::runtime
