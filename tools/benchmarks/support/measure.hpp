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
  unsigned warm_up;           ///< samples before them
  double launch_milliseconds; ///< a launch takes about as long
  double sample_milliseconds;
};
inline constexpr effort full_effort{15, 2, 0.5, 10};
inline constexpr effort quick_effort{7, 1, 0.5, 3};

/// What was found of one library. Either `trouble` says why there is no number, or the samples' answers were
/// right.
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
/// Errors:   throws std::runtime_error where CUDA fails; the device is of no more use to this program then
comparison compare(row const& cudax, row const& libcuxx, effort const& effort);

} // namespace bench
