// SPDX-License-Identifier: Apache-2.0
//
// memory_limit: how much more memory this process may take, according to the kernel.
#pragma once

#include <cstddef>

namespace cudax::runtime {

struct memory_limit {
  std::size_t bytes = 0;
  char const* of = ""; // the source of the limit, to complete the phrase "... bytes that <of>"
};

/// Returns the smallest of these: the memory that the machine can still provide (MemAvailable), and the memory that
/// each control group of the process has left (version 2 and version 1). A file that cannot be read sets no limit. The
/// machine's physical memory always does.
memory_limit find_memory_limit() noexcept;

/// As above, with `root` before every path. For tests.
memory_limit find_memory_limit(char const* root) noexcept;

} // namespace cudax::runtime
