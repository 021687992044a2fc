// SPDX-License-Identifier: Apache-2.0
//
// result: the numbers of one side of a row, in the row's unit.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The unit of a row's number. A rate counts the operations of all threads. A time is that of one operation: for rows
/// whose threads wait for each other, for operations of one thread, and on the host. A share is a part of one
/// processor's time.
enum class unit { operations_per_nanosecond, teraflops, nanoseconds, percent_of_processor };

/// A row's place on a curve: several rows with the same curve, at different values of its axis.
struct point {
  std::string curve; ///< empty: the row is on no curve
  std::string axis;  ///< what `at` counts: "threads"
  double at = 0;
};

/// Further figures of a sample, by name: the wait of a lock, for example.
using figures = std::vector<std::pair<std::string, double>>;

/// The result of one side: the samples, whose answers were correct; or `trouble`, which says why there is no number.
struct result {
  std::vector<double> samples; ///< in the order of measurement
  std::vector<figures> extras; ///< of each sample, if the row has any
  std::string trouble;
  bool needs_more = false; ///< the trouble is that the machine lacks something, not an error
};

} // namespace bench
