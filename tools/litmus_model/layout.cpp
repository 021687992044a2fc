// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include <set>

namespace litmus {

namespace {

value truncated(value v, int bytes) { return bytes == 16 ? v : v & ((value(1) << (8 * bytes)) - 1); }

int root_of(program const& p, int location) {
  auto const& part = p.locations[std::size_t(location)].part_of;
  return part ? part->parent : location;
}
int offset_of(program const& p, int location) {
  auto const& part = p.locations[std::size_t(location)].part_of;
  return part ? part->offset : 0;
}

} // namespace

layout::layout(program const& p) {
  std::size_t const count = p.locations.size();
  std::vector<std::set<int>> bounds(count);
  for (std::size_t l = 0; l < count; ++l) {
    auto& of_root = bounds[std::size_t(root_of(p, int(l)))];
    of_root.insert(offset_of(p, int(l)));
    of_root.insert(offset_of(p, int(l)) + p.locations[l].size);
  }
  for (auto const& t : p.threads)
    for (auto const& i : t.instructions)
      for (int e = 1; e < i.elements; ++e)
        bounds[std::size_t(root_of(p, i.location))].insert(offset_of(p, i.location) +
                                                           e * p.locations[std::size_t(i.location)].size / i.elements);
  cells_.resize(count);
  for (std::size_t l = 0; l < count; ++l) {
    int previous = -1;
    if (root_of(p, int(l)) != int(l)) continue;
    for (int const bound : bounds[l]) {
      if (previous >= 0) cells_[l].push_back({previous, bound - previous});
      previous = bound;
    }
  }
  for (std::size_t l = 0; l < count; ++l) {
    extent e{root_of(p, int(l)), -1, 0};
    int const from = offset_of(p, int(l)), to = from + p.locations[l].size;
    auto const& all = cells_[std::size_t(e.root)];
    for (std::size_t c = 0; c < all.size(); ++c)
      if (all[c].offset >= from && all[c].offset < to) {
        if (e.first < 0) e.first = int(c);
        ++e.count;
      }
    extents_.push_back(e);
  }
}

extent layout::element(program const& p, instruction const& i, int number) const {
  extent const all = of(i.location);
  int const size = p.locations[std::size_t(i.location)].size / i.elements;
  int const from = cells(all.root)[std::size_t(all.first)].offset + number * size;
  extent result{all.root, -1, 0};
  for (int c = all.first; c < all.first + all.count; ++c) {
    int const offset = cells(all.root)[std::size_t(c)].offset;
    if (offset < from || offset >= from + size) continue;
    if (result.first < 0) result.first = c;
    ++result.count;
  }
  return result;
}

value layout::join(extent const& e, std::vector<value> const& values) const {
  value result = 0;
  auto const& all = cells(e.root);
  int const base = all[std::size_t(e.first)].offset;
  for (int c = 0; c < e.count; ++c)
    result |= values[std::size_t(c)] << (8 * (all[std::size_t(e.first + c)].offset - base));
  return result;
}

std::vector<value> layout::split(extent const& e, value v) const {
  std::vector<value> result;
  auto const& all = cells(e.root);
  int const base = all[std::size_t(e.first)].offset;
  for (int c = e.first; c < e.first + e.count; ++c) {
    auto const& one = all[std::size_t(c)];
    result.push_back(truncated(v >> (8 * (one.offset - base)), one.size));
  }
  return result;
}

} // namespace litmus
