// SPDX-License-Identifier: Apache-2.0
//
// transactions: see the header.
#include "transactions.hpp"
#include "../../instructions/support/waiting/mbarrier.hpp"
#include "memory_events.hpp"

namespace emulator::check {
namespace {

std::uintptr_t number_of(std::byte const* where) { return reinterpret_cast<std::uintptr_t>(where); }

mbarrier word_of(std::byte const* where) { return mbarrier::unpacked(read<__ATOMIC_RELAXED, u64>(where)); }

void report_pair(std::string const& what, std::string const& name, place const* before, place const& copy) {
  finding f{"misuse", "misuse: " + what, {}};
  if (before) {
    f.parties.push_back(party_of(*before));
    f.text += "\n  " + name + text_of(f.parties.back());
  }
  f.parties.push_back(party_of(copy));
  f.text += "\n  copy:    " + text_of(f.parties.back());
  report(f);
}

} // namespace

place const* transactions::in(places const& all, std::uint64_t phase) {
  auto const& [of, who] = all[phase % all.size()];
  return who.at && of == phase ? &who : nullptr;
}

void transactions::set(places& all, std::uint64_t phase, place const& who) { all[phase % all.size()] = {phase, who}; }

void transactions::barrier_began(std::byte const* where) { barriers_[number_of(where)] = {}; }
void transactions::barrier_ended(std::byte const* where) { barriers_.erase(number_of(where)); }

void transactions::arrives(thread const& t, std::byte const* where, bool expects) {
  auto const found = barriers_.find(number_of(where));
  if (found == barriers_.end()) return;
  set(found->second.arrived, phase_of_mbarrier(where), place_of(t));
  if (expects) this->expects(t, where);
}

void transactions::expects(thread const& t, std::byte const* where) {
  auto const found = barriers_.find(number_of(where));
  if (found != barriers_.end()) set(found->second.expected, phase_of_mbarrier(where), place_of(t));
}

std::uint64_t transactions::issued(std::byte const* where) {
  return barriers_.contains(number_of(where)) ? phase_of_mbarrier(where) : 0;
}

void transactions::completes(place const& copy, std::byte const* where, std::uint64_t issued_in, std::uint32_t bytes) {
  auto const found = barriers_.find(number_of(where));
  if (found == barriers_.end()) return;
  barrier& b = found->second;
  std::uint64_t const phase = phase_of_mbarrier(where);
  set(b.completed, phase, copy);
  if (phase == issued_in || b.is_reported) return;
  b.is_reported = true;
  report_pair("a copy completes " + std::to_string(bytes) + " bytes in phase " + std::to_string(phase) +
                  " of an mbarrier, and was issued in phase " + std::to_string(issued_in) +
                  ", which ended without them; expect them (mbarrier.expect_tx) in that phase, before its last arrival",
              "arrival: ", in(b.arrived, issued_in), copy);
}

void transactions::check_sum(std::byte const* where) {
  auto const found = barriers_.find(number_of(where));
  if (found == barriers_.end() || found->second.is_reported) return;
  mbarrier const word = word_of(where);
  if (word.pending != 0 || word.bytes >= 0) return;
  barrier& b = found->second;
  std::uint64_t const phase = phase_of_mbarrier(where);
  place const* const copy = in(b.completed, phase);
  if (!copy) return;
  b.is_reported = true;
  place const* const expected = in(b.expected, phase);
  report_pair("all have arrived at an mbarrier, and its copies have completed " + std::to_string(-word.bytes) +
                  " bytes more than the phase expects, so that it never ends; " +
                  (expected ? "expect as many bytes as the copies bring"
                            : "expect them (mbarrier.expect_tx) before the last arrival"),
              expected ? "expects: " : "arrival: ", expected ? expected : in(b.arrived, phase), *copy);
}

std::vector<std::pair<finding::party, std::string>> transactions::lacking() const {
  std::vector<std::pair<finding::party, std::string>> all;
  for (auto const& [address, b] : barriers_) {
    auto const* const where = reinterpret_cast<std::byte const*>(address);
    mbarrier const word = word_of(where);
    place const* const expected = in(b.expected, phase_of_mbarrier(where));
    if (word.exists && word.pending == 0 && word.bytes > 0 && expected)
      all.emplace_back(party_of(*expected), std::to_string(word.bytes));
  }
  return all;
}

void transactions::end_block(block const& b) {
  auto const start = number_of(b.shared);
  barriers_.erase(barriers_.lower_bound(start), barriers_.lower_bound(start + b.shared_size));
}

} // namespace emulator::check
