// SPDX-License-Identifier: Apache-2.0
//
// phases: see the header.
#include "phases.hpp"
#include "../../instructions/support/waiting/mbarrier.hpp"
#include "run.hpp"

#include <algorithm>
#include <cstring>

namespace emulator::check {

void phases::barrier_began(thread const& t, std::byte const* where) { barriers_[where] = {.arrived_last = &t}; }

void phases::barrier_ended(std::byte const* where) { barriers_.erase(where); }

u64 phases::phase_of(barrier& b, std::byte const* where) {
  u64 word;
  std::memcpy(&word, where, 8);
  std::uint32_t const phase = mbarrier::unpacked(word).phase;
  b.phase += (phase - b.last) & 3;
  b.last = phase;
  return b.phase;
}

u64 phases::of(std::byte const* where) { return phase_of(barriers_[where], where); }

/// The thread knows that this phase has begun.
void phases::learns(thread const& t, barrier& b, std::byte const* where, u64 phase) {
  u64& known = b.known[t.warp][t.lane];
  if (known >= phase) return;
  known = phase;
  auto& news = news_[t.warp];
  if (std::ranges::find(news, where) == news.end()) news.push_back(where);
}

void phases::arrives(thread const& t, std::byte const* where) {
  barrier& b = barriers_[where];
  learns(t, b, where, phase_of(b, where));
  b.arrived_last = &t;
}

void phases::sees_end(thread const& t, std::byte const* where, u64 phase) {
  barrier& b = barriers_[where];
  learns(t, b, where, phase + 1);
  b.awaited = std::max(b.awaited, phase + 1);
}

u64 phases::awaited(void const* where) const {
  auto const found = barriers_.find(where);
  return found != barriers_.end() ? found->second.awaited : 0;
}

bool phases::knows(thread const& t, std::byte const* where, u64 phase) const {
  auto const found = barriers_.find(where);
  if (found == barriers_.end()) return false;
  barrier const& b = found->second;
  if (b.arrived_last == &t) return true;
  auto const known = b.known.find(t.warp);
  return known != b.known.end() && known->second[t.lane] >= phase;
}

void phases::lanes_met(warp const& w, std::uint32_t met) {
  auto const found = news_.find(&w);
  if (found == news_.end()) return;
  std::erase_if(found->second, [&](std::byte const* where) {
    auto const b = barriers_.find(where);
    if (b == barriers_.end()) return true;
    lanes& each = b->second.known[&w];
    u64 most = 0;
    for (std::uint32_t l = 0; l < 32; ++l)
      if (met >> l & 1) most = std::max(most, each[l]);
    for (std::uint32_t l = 0; l < 32; ++l)
      if (met >> l & 1) each[l] = most;
    return (met | w.finished) == ~0u;
  });
  if (found->second.empty()) news_.erase(found);
}

void phases::check_parity(run& r, thread& t, std::byte const* where, std::uint32_t parity) {
  barrier& b = barriers_[where];
  u64 const phase = phase_of(b, where);
  u64& known = b.known[t.warp][t.lane];
  if (phase < known + 2) return;
  for (u64 back : {1, 2})
    if (known < phase + 1 - back && r.model.knows_phase({t, t.pc}, where, phase - back)) known = phase + 1 - back;
  if (phase < known + 2) return;
  r.misuse.is_late(t, where, parity & 1, phase, known);
  known = phase; // once
}

void phases::end_block(block const& b) {
  std::erase_if(barriers_, [&](auto const& each) {
    return std::size_t(static_cast<std::byte const*>(each.first) - b.shared) < b.shared_size;
  });
  for (warp const& w : b.warps) news_.erase(&w);
}

} // namespace emulator::check
