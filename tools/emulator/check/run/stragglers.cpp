// SPDX-License-Identifier: Apache-2.0
//
// stragglers: see the header.
#include "stragglers.hpp"

#include <algorithm>

namespace emulator::check {

bool stragglers::falls_behind(random& chance, thread& t, std::byte const* where, u64 phase, u64 until) {
  barrier& b = barriers_[where];
  auto const is_near = [&](held const& h) { return h.who->block->cluster == t.block->cluster; };
  if (b.phase == phase || std::ranges::any_of(held_, is_near) || !chance.once_in(2 + b.times)) return false;
  b.phase = phase;
  ++b.times;
  held_.push_back({&t, where, phase, until});
  return true;
}

void stragglers::end_block(block const& b) {
  std::erase_if(held_, [&](held const& h) { return h.who->block == &b; });
  std::erase_if(barriers_, [&](auto const& each) {
    return std::size_t(static_cast<std::byte const*>(each.first) - b.shared) < b.shared_size;
  });
}

} // namespace emulator::check
