// SPDX-License-Identifier: Apache-2.0
//
// special: a sorted table. A check of the first characters avoids most look-ups: %r1, %rd12, %p3.
#include "special.hpp"

#include <algorithm>

namespace emulator::ptx {
namespace {

constexpr std::string_view names[] = {
    "%aggr_smem_size",
    "%clock",
    "%clock64",
    "%clock_hi",
    "%cluster_ctaid",
    "%cluster_ctarank",
    "%cluster_nctaid",
    "%cluster_nctarank",
    "%clusterid",
    "%ctaid",
    "%current_graph_exec",
    "%dynamic_smem_size",
    "%globaltimer",
    "%globaltimer_hi",
    "%globaltimer_lo",
    "%gridid",
    "%is_explicit_cluster",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_ge",
    "%lanemask_gt",
    "%lanemask_le",
    "%lanemask_lt",
    "%nclusterid",
    "%nctaid",
    "%nsmid",
    "%ntid",
    "%nwarpid",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_end",
    "%smid",
    "%tid",
    "%total_smem_size",
    "%warpid",
};
static_assert(std::ranges::is_sorted(names));

/// %envreg0 to %envreg31, %pm0 to %pm7, %pm0_64.
bool is_numbered(std::string_view name) {
  auto const number_below = [](std::string_view digits, int limit) {
    int number = 0;
    if (digits.empty() || digits.size() > 2) return false;
    for (char c : digits) {
      if (c < '0' || c > '9') return false;
      number = number * 10 + (c - '0');
    }
    return number < limit;
  };
  if (name.starts_with("%envreg")) return number_below(name.substr(7), 32);
  if (!name.starts_with("%pm")) return false;
  if (name.ends_with("_64")) name.remove_suffix(3);
  return number_below(name.substr(3), 8);
}

} // namespace

bool is_special(std::string_view name) {
  auto const is_digit = [&](std::size_t i) { return name[i] >= '0' && name[i] <= '9'; };
  if (name.size() < 4 || is_digit(2) || (is_digit(3) && !name.starts_with("%pm"))) return false;
  name = name.substr(0, name.find('.'));
  return std::ranges::binary_search(names, name) || is_numbered(name);
}

} // namespace emulator::ptx
