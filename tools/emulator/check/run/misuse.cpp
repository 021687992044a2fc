// SPDX-License-Identifier: Apache-2.0
//
// misuse: see the header.
#include "misuse.hpp"
#include "findings.hpp"

namespace emulator::check {
namespace {

constexpr std::size_t barrier_bytes = 8;

std::uintptr_t number_of(std::byte const* where) { return reinterpret_cast<std::uintptr_t>(where); }

finding pair_of(finding::party const& before, thread const& t, operation const* o, std::string const& what,
                std::string const& first) {
  finding f{"misuse", {}, {before, party_of(t, o)}};
  f.text = "misuse: " + what + "\n  " + first + text_of(before) + "\n  now:    " + text_of(f.parties[1]);
  return f;
}

void report_pair(finding::party const& before, thread const& t, std::string const& what, std::string const& first) {
  report(pair_of(before, t, t.pc, what, first));
}

} // namespace

void misuse::barrier_began(thread const& t, std::byte const* where) {
  auto const [at, is_new] = barriers_.try_emplace(number_of(where));
  barrier& b = at->second;
  if (!is_new && b.is_alive)
    report_pair(b.began_by, t,
                "mbarrier.init where an mbarrier is alive, which is undefined; end that one with mbarrier.inval first",
                "alive since: ");
  b.began_by = party_of(t, t.pc);
  if (is_new) return;
  ++b.number;
  b.is_alive = true;
  b.ended_by = party_of(t, t.pc);
}

void misuse::barrier_ended(thread const& t, std::byte const* where) {
  auto const found = barriers_.find(number_of(where));
  if (found == barriers_.end()) return;
  found->second.is_alive = false;
  found->second.ended_by = party_of(t, t.pc);
}

void misuse::stored(thread const& t, std::byte const* where, std::size_t size) {
  if (barriers_.empty()) return;
  for (auto at = barriers_.lower_bound(number_of(where) - (barrier_bytes - 1));
       at != barriers_.end() && at->first < number_of(where) + size; ++at) {
    barrier& b = at->second;
    if (!b.is_alive) continue;
    report_pair(b.began_by, t,
                "a store of " + std::to_string(size) +
                    " bytes into a live mbarrier, which is undefined; end it with mbarrier.inval first",
                "alive since: ");
    b.is_alive = false;
    b.ended_by = party_of(t, t.pc);
  }
}

void misuse::arrives(thread const& t, std::byte const* where) {
  auto const found = barriers_.find(number_of(where));
  if (found == barriers_.end()) return;
  uses(t, t.pc, where, "an arrival at");
  found->second.arrived[&t] = found->second.number;
}

void misuse::uses(thread const& t, operation const* o, std::byte const* where, char const* what) {
  auto const found = barriers_.find(number_of(where));
  if (found == barriers_.end() || found->second.is_alive) return;
  report_and_fail(pair_of(found->second.ended_by, t, o,
                          std::string(what) + " a barrier that is no more; initialise it again first, or end it later",
                          "ended:  "),
                  t);
}

void misuse::waits(thread const& t, std::byte const* where, bool is_parity) {
  auto const found = barriers_.find(number_of(where));
  if (found == barriers_.end()) return;
  barrier const& b = found->second;
  if (!b.is_alive)
    return report_pair(b.ended_by, t,
                       "a wait for a phase of a barrier that is no more; keep its memory until all have waited",
                       "ended:  ");
  if (is_parity) return;
  auto const arrived = b.arrived.find(&t);
  if (arrived != b.arrived.end() && arrived->second != b.number)
    report_pair(
        b.ended_by, t,
        "a wait for a phase of a barrier in whose place there is another one; its phases say nothing of those before",
        "another: ");
}

void misuse::is_late(thread const& t, std::byte const* where, unsigned parity, std::uint64_t phase,
                     std::uint64_t known) {
  auto const found = barriers_.find(number_of(where));
  if (found == barriers_.end()) return;
  report_pair(found->second.began_by, t,
              "a wait for parity " + std::to_string(parity) + " of an mbarrier that is in phase " +
                  std::to_string(phase) + ", of which the thread knows only that phase " + std::to_string(known) +
                  " has begun; parity cannot tell phase " + std::to_string(known) + " from phase " +
                  std::to_string(known + 2) +
                  ". Wait for each phase, or let the phase's end depend on an arrival of the thread that waits (after "
                  "__syncwarp(), if another lane arrives for it)",
              "barrier: ");
}

void misuse::requests(thread const& t, bool found) {
  requests_of_cluster& r = requests_[t.block->cluster];
  if (r.is_known)
    report_pair(r.failed, t,
                "try_cancel after an earlier one of this cluster failed and its answer was read; stop asking then",
                "failed: ");
  if (found || r.has_failed) return;
  r.has_failed = true;
  r.failed = party_of(t, t.pc);
}

void misuse::told_none(thread const& t) {
  auto const found = requests_.find(t.block->cluster);
  if (found != requests_.end()) found->second.is_known = found->second.has_failed;
}

void misuse::end_block(block const& b) {
  requests_.erase(b.cluster);
  auto const start = number_of(b.shared);
  barriers_.erase(barriers_.lower_bound(start), barriers_.lower_bound(start + b.shared_size));
}

} // namespace emulator::check
