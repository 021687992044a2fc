// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <algorithm>
#include <cstring>

namespace litmus_runner {

namespace {
std::vector<row>& all() {
  static std::vector<row> table;
  return table;
}
} // namespace

std::string kin_of(row const& r) {
  return std::string(*r.mutant_of ? r.mutant_of : r.test) + " " + r.placement + " " + r.form;
}

bool within_block(row const& r) {
  return std::all_of(r.threads.begin(), r.threads.end(), [&](position const& p) {
    return p.device == r.threads[0].device && p.block == r.threads[0].block;
  });
}

bool is_write_scope(row const& r) { return std::strcmp(r.mutation, "write") == 0; }

std::vector<row> const& rows() { return all(); }

registered_rows::registered_rows(std::vector<row> (*make)()) {
  for (auto& r : make()) all().push_back(std::move(r));
}

} // namespace litmus_runner
