// SPDX-License-Identifier: Apache-2.0
//
// measure: times one row of both libraries.
#pragma once

#include "row.hpp"

#include <string>
#include <vector>

namespace bench {

struct effort {
  unsigned samples;           ///< timed samples of each library; the median counts
  unsigned warm_up;           ///< samples before them, which do not count
  double launch_milliseconds; ///< the approximate duration of a launch
  double sample_milliseconds;
};
inline constexpr effort full_effort{15, 2, 0.5, 10};
inline constexpr effort quick_effort{7, 1, 0.5, 3};

/// The result of one library: the samples, whose answers were correct; or `trouble`, which says why there is no number.
struct result {
  work work{};
  std::vector<double> samples; ///< operations per nanosecond, in the order of measurement
  std::string trouble;

  double median() const;
  double minimum() const;
  double maximum() const;
};

struct comparison {
  result cudax;
  result libcuxx;
};

/// Measures the two alternately: cudax, libcu++, cudax, libcu++, ...
/// Errors:   throws std::runtime_error if CUDA fails; the program cannot use the device after that
comparison compare(row const& cudax, row const& libcuxx, effort const& effort);

} // namespace bench
