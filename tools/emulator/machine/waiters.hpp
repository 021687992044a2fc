// SPDX-License-Identifier: Apache-2.0
//
// waiters: what threads wait for, as text. Every report of kernels that do not end has this form, in fast and in
// checked runs: deadlocks, livelocks, kernels that run for long, and those that the end of the program drops. Threads
// that wait at the same place for the same are one line, with the first of them:
//
//   kernel k, block (0, 0, 0): 96 threads, (32, 0, 0) first, wait at barrier 1, where 96 of 256 threads have arrived:
//   bar.sync 1, 256 (k.cu:12; k.ptx:40)
#pragma once

#include "resident.hpp"

#include <functional>

namespace emulator {

/// What a thread that runs reads again and again.
struct poll {
  operation const* at = nullptr; ///< of the innermost function; null: not known
  std::string what;              ///< "4 bytes of flag, which are 0"
};

/// Threads that wait at the same place for the same.
struct waiters {
  thread const* first;
  operation const* at; ///< of the function that `first` is in
  std::size_t threads = 0, blocks = 0;
  std::string wait; ///< as a sentence with as many threads as its subject: "wait at barrier 1"
};

/// `poll_of`: what is known of threads that run.
/// Requires: the threads do not run now, and have not exited
std::vector<waiters> group_waiters(std::vector<thread const*> threads,
                                   std::function<poll(thread const&)> const& poll_of);

/// A line for each, after a line break and indented by two; the last may say how many more there are.
std::string lines_of(std::vector<waiters> const&);

/// The same of all threads of these blocks that have not exited.
std::string describe_waiters(std::vector<block const*> const&, std::function<poll(thread const&)> const& poll_of = {});

inline constexpr char const* deadlock_title =
    "a deadlock: every thread waits, and no thread is left that could let one of them continue:";

/// "(0, 0, 0)"
std::string three(std::array<std::uint32_t, 3> const&);

/// Of the phase of an mbarrier: "of parity 0 lacks 1 of 2 arrivals and 512 bytes". An instruction provides it; null: no
/// mbarrier.
inline std::string (*describe_mbarrier)(std::byte const* where) = nullptr;

} // namespace emulator
