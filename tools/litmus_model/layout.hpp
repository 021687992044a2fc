// SPDX-License-Identifier: Apache-2.0
//
// layout: the bytes of each location as cells. A cell is a range of bytes that every access covers as a whole or not at
// all, so a location without parts and vectors is one cell.
#pragma once

#include <vector>

#include "program.hpp"

namespace litmus {

struct cell {
  int offset, size; ///< in bytes, from the beginning of the root
};

/// A range of cells of a root, which is a location that is no part.
struct extent {
  int root, first, count;
};

class layout {
  std::vector<std::vector<cell>> cells_;
  std::vector<extent> extents_;

public:
  explicit layout(program const&);

  [[nodiscard]] int roots() const { return int(cells_.size()); }
  [[nodiscard]] std::vector<cell> const& cells(int root) const { return cells_[std::size_t(root)]; }
  /// The cells of a location.
  [[nodiscard]] extent const& of(int location) const { return extents_[std::size_t(location)]; }
  /// Those of one element of a vector access.
  [[nodiscard]] extent element(program const&, instruction const&, int number) const;
  /// The values of the cells of an extent as one value, and the opposite.
  [[nodiscard]] value join(extent const&, std::vector<value> const& cells) const;
  [[nodiscard]] std::vector<value> split(extent const&, value) const;
};

} // namespace litmus
