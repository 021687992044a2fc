// SPDX-License-Identifier: Apache-2.0
//
// transactions: whether the bytes that asynchronous copies complete at an mbarrier are those that its phases expect.
// [PTX ISA, "Tracking asynchronous operations by the mbarrier object"] A phase ends when nothing is pending, neither
// arrivals nor bytes. So two sums are mistakes, whatever comes next:
//
//   a copy completes in another phase than the one in which it was issued: that phase ended without the bytes, and a
//   thread that waited for it does not know of them. They count in a later phase, which then ends too early;
//
//   all have arrived, and more bytes are complete than were expected. The phase cannot end. An expectation that is
//   still to come would have had to come before the last arrival, which could have ended the phase.
//
// Bytes that are expected and never complete are no such sum, since they may come at any time. Where threads get no
// further, `lacking` tells of them.
#pragma once

#include "findings.hpp"

#include <array>
#include <map>
#include <utility>

namespace emulator::check {

class transactions {
public:
  void barrier_began(std::byte const* where);
  void barrier_ended(std::byte const* where);
  void arrives(thread const&, std::byte const* where, bool expects);
  void expects(thread const&, std::byte const* where);
  /// A copy was issued. Returns: the phase that is to count its bytes
  std::uint64_t issued(std::byte const* where);
  /// Before its bytes are completed.
  void completes(place const& copy, std::byte const* where, std::uint64_t issued_in, std::uint32_t bytes);
  /// After that, and where a thread waits.
  void check_sum(std::byte const* where);

  /// The expectations of phases that lack nothing but bytes, each with what it lacks.
  std::vector<std::pair<finding::party, std::string>> lacking() const;

  void end_block(block const&);

private:
  /// The thread that did something last in a phase; of the last four phases.
  using places = std::array<std::pair<std::uint64_t, place>, 4>;
  struct barrier {
    places arrived, expected, completed;
    bool is_reported = false; ///< of this phase on, its sum is wrong
  };
  static place const* in(places const&, std::uint64_t phase);
  static void set(places&, std::uint64_t phase, place const&);

  std::map<std::uintptr_t, barrier> barriers_;
};

} // namespace emulator::check
