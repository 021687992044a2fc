// SPDX-License-Identifier: Apache-2.0
//
// measure: times one row of all its sides.
#pragma once

#include "row.hpp"

#include <vector>

namespace bench {

struct effort {
  unsigned samples;           ///< timed samples of each side; the median counts
  unsigned warm_up;           ///< samples before them, which do not count
  double launch_milliseconds; ///< the approximate duration of a launch
  double sample_milliseconds;
  bool answers = false; ///< checks the answers of a few rounds, and measures nothing
};
inline constexpr effort full_effort{11, 1, 0.5, 6};
inline constexpr effort quick_effort{5, 1, 0.5, 2};
inline constexpr effort answers_effort{1, 0, 0, 0, true};

/// An estimate of the seconds that one side of a row takes: the samples, 2 ms with each for its memory and its check,
/// and 30 ms for the trials that find the number of rounds. A row whose input is written anew for each sample takes
/// longer.
constexpr double estimated_seconds(effort const& effort) {
  return (30 + (effort.warm_up + effort.samples) * (effort.sample_milliseconds + 2)) / 1000;
}

/// The result of one side, and the work that it did.
struct measured : result {
  bench::work work{};
};

/// Measures the sides alternately: first, second, ..., second, first, first, ...
/// Errors:   throws std::runtime_error if CUDA fails; the program cannot use the device after that
std::vector<measured> compare(std::vector<row const*> const& sides, effort const& effort);

} // namespace bench
