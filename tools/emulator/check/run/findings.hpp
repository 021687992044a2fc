// SPDX-License-Identifier: Apache-2.0
//
// findings: writes findings.
// Each goes to the standard error output, after a first line with its kind and the command that reproduces it, and as a
// line of JSON to the file that CUDAX_EMULATOR_JSON names.
#pragma once

#include "../../machine/waiters.hpp"
#include "../model/model.hpp"

#include <array>

namespace emulator::check {

/// Opens the file of JSON, so that it exists also where nothing is found.
void begin_report();

/// Reports it, once for the places of its parties.
void report(finding const&);

/// For tests: gets the findings instead; null: as above.
void set_report_sink(std::function<void(finding const&)>);

/// A thread and its instruction, in a form that is cheap to keep.
struct place {
  function const* kernel = nullptr;
  std::array<std::uint32_t, 3> block{}, thread{};
  function const* in = nullptr;
  operation const* at = nullptr; ///< null: no thread
};
/// Of the operation that the thread executes, or of this one of the function that it is in.
place place_of(thread const&);
place place_of(thread const&, operation const*);
finding::party party_of(place const&);

/// A thread and its operation, which is of the function that the thread is in.
finding::party party_of(thread const&, operation const*);
/// The same for an operation of this function.
finding::party party_of(thread const&, function const&, operation const*);
/// "kernel k, block (0, 0, 0), thread (5, 0, 0), file.ptx:12 (file.cu:3): instruction"
std::string text_of(finding::party const&);

/// Reports a finding whose thread cannot continue, and ends the launch.
[[noreturn]] void report_and_fail(finding const&, thread const&);
/// Reports a finding of two threads of which the second cannot continue, and ends the launch.
[[noreturn]] void fail_pair(char const* kind, thread const& first, operation const* of_first, thread const& second,
                            std::string const& what);

/// Reports the fault that ended a launch. Also a trap or an assertion, whose error the program may ignore.
void report_fault(thread const&, fault const&);

/// All threads of these blocks wait: where. `to_begin`: lines about blocks that have not begun.
fault report_deadlock(std::vector<block*> const&, std::string const& to_begin);
/// `lacking`: expectations of bytes that did not come, and how many.
fault report_livelock(std::vector<block*> const&, std::string const& to_begin,
                      std::function<poll(thread const&)> const& poll_of,
                      std::vector<std::pair<finding::party, std::string>> const& lacking = {});

} // namespace emulator::check
