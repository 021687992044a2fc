// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

namespace litmus_runner {

namespace {
std::vector<row>& all() {
  static std::vector<row> table;
  return table;
}
} // namespace

std::vector<row> const& rows() { return all(); }

registered_rows::registered_rows(std::vector<row> (*make)()) {
  for (auto& r : make()) all().push_back(std::move(r));
}

} // namespace litmus_runner
