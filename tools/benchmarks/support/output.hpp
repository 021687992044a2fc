// SPDX-License-Identifier: Apache-2.0
//
// output: writes the rows of a problem. A row is one JSON object on one line of standard output, and a readable line on
// standard error.
#pragma once

#include "result.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Returns the text as a JSON string.
std::string quoted(std::string const& text);

/// Fields of a JSON object: names, and values as JSON text.
using fields = std::vector<std::pair<std::string, std::string>>;

/// The name, the unit and the curve of a row: all but its measurements.
struct heading {
  std::string name;
  unit shown;
  point on;
  fields more;
};

/// One side of a row.
struct side {
  std::string name; ///< the first side is "cudax"
  result const& found;
  fields more; ///< their names get the side's name as a prefix
};

class output {
  std::string problem_, section_;
  bool answers_only_;
  std::size_t rows_ = 0, lacking_ = 0;
  bool failed_ = false;

public:
  /// With `answers_only` the output names only the sides without a correct answer.
  output(std::string problem, std::string section, bool answers_only);

  void write(heading const& row, std::vector<side> const& sides);

  /// Ends the output. Returns the program's exit status: 1 if a side has no number although the machine lacks nothing.
  int finish() const;
};

} // namespace bench
