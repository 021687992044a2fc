// SPDX-License-Identifier: Apache-2.0
//
// host_timing: what the programs that measure host code share.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace bench {

using clock_type = std::chrono::steady_clock;

inline double nanoseconds_since(clock_type::time_point start) {
  return std::chrono::duration<double, std::nano>(clock_type::now() - start).count();
}

inline double median(std::vector<double> all) {
  auto const middle = all.begin() + std::ptrdiff_t(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

} // namespace bench
