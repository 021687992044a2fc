// SPDX-License-Identifier: Apache-2.0
//
// early_meetings: see the header.
#include "early_meetings.hpp"
#include "../../machine/early_meeting.hpp"
#include "../../machine/program.hpp"
#include "findings.hpp"
#include "observed.hpp"

#include <algorithm>
#include <bit>

namespace emulator::check {
namespace {

/// Whether the thread runs, and has read this memory in the loop in which it was watched last.
bool waits_for(thread const& t, std::byte const* where, std::size_t size) {
  if (t.state != state::ready && t.state != state::sleeping) return false;
  watched_loop const* const loop = t.observed->loop.get();
  if (!loop) return false;
  auto const first = reinterpret_cast<std::uintptr_t>(where);
  return std::ranges::any_of(
      loop->places.begin(), loop->places.begin() + std::ptrdiff_t(loop->count),
      [&](observed_read const& r) { return r.address < first + size && first < r.address + r.size; });
}

/// One of the lanes that waits for this memory; null where none does.
thread const* find_waiter(warp const& w, std::uint32_t lanes, std::byte const* where, std::size_t size) {
  for (; lanes; lanes &= lanes - 1)
    if (thread const* const t = w.threads[std::size_t(std::countr_zero(lanes))]; waits_for(*t, where, size)) return t;
  return nullptr;
}

/// Whether the thread is between the meeting and the instruction for which the lanes meet.
bool is_between(thread const& t, operation const* meeting) {
  return t.frame->function->holds(meeting) && meeting < t.pc && t.pc < cause_of_early_meeting(meeting);
}

/// What a thread that waits in a loop reads.
operation const* read_of(thread const& t) {
  return t.frame->function->holds(t.observed->last_access) ? t.observed->last_access : t.pc;
}

} // namespace

bool early_meetings::meets(thread const& t, operation const* meeting) {
  let_go_.erase(&t);
  return !reported_.contains(meeting) && !left_out_.contains(meeting);
}

bool early_meetings::has_waiters(block const& b) {
  return std::ranges::any_of(b.warps, [](warp const& w) { return !early_waits(w).empty(); });
}

void early_meetings::end(block& b, bool for_good) {
  for (warp& w : b.warps) {
    for (early_wait const& wait : early_waits(w)) {
      for (std::uint32_t lanes = wait.waiting; lanes; lanes &= lanes - 1) {
        thread const& t = *w.threads[std::size_t(std::countr_zero(lanes))];
        if (!reported_.contains(t.pc)) let_go_[&t] = {t.pc, wait.missing};
        if (for_good) left_out_.insert(t.pc);
      }
    }
    end_early_meetings(w);
  }
}

bool early_meetings::stores(thread const& t, std::byte const* where, std::size_t size) {
  auto const found = let_go_.find(&t);
  if (found == let_go_.end() || !is_between(t, found->second.meeting)) return false;
  thread const* const waiter = find_waiter(*t.warp, found->second.missing, where, size);
  if (!waiter) return false;
  operation const* const meeting = found->second.meeting;
  reported_.insert(meeting);
  let_go_.clear();
  operation const* const read = read_of(*waiter);
  finding f{"possible hang", {}, {party_of(t, meeting), party_of(t, cause_of_early_meeting(meeting))}};
  f.text =
      "possible hang because of early convergence: a lane may wait for its warp before it stores what another lane "
      "waits for, and then neither goes on. ptxas may let the lanes of a warp meet for a barrier or a collective "
      "before the stores that precede it; " +
      std::string(advice_on_early_meetings) + "\n  lanes meet before:  " + text_of(f.parties[0]) +
      "\n  because of:         " + text_of(f.parties[1]);
  if (f.parties.push_back(party_of(t, t.pc)); f.parties[2].ptx_line != f.parties[0].ptx_line)
    f.text += "\n  would end the wait: " + text_of(f.parties[2]);
  f.parties.push_back(party_of(*waiter, read));
  f.text += "\n  waits for that:     " + text_of(f.parties[3]);
  if (operation const* const loop = end_of_loop(*waiter->frame->function, read)) {
    f.parties.push_back(party_of(*waiter, loop));
    if (!f.parties[4].source.empty() && f.parties[4].source != f.parties[3].source)
      f.text += ", in the loop at " + f.parties[4].source;
  }
  report(f);
  return true;
}

void early_meetings::end_block(block const& b) {
  std::erase_if(let_go_, [&](auto const& entry) { return entry.first->block == &b; });
}

} // namespace emulator::check
