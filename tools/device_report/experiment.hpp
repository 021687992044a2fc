// SPDX-License-Identifier: Apache-2.0
//
// experiment: counts the effects of operations that host and device perform at the same time.
#pragma once

#include <string>
#include <vector>

namespace device_report {

enum class participants { host_and_device, device, host, host_and_devices, devices };

struct trial {
  std::string memory;    // a memory_type's name
  std::string operation; // an atomic_operation's, or "neighbour"
  unsigned size;         // of the objects, in bytes
  participants who;
  unsigned long long by_host; // the number of read-modify-writes, of values read, or of stores beside the object
  unsigned long long by_device;
  unsigned long long wrong; // updates or stores that were lost, or values that no side wrote
  std::string answer;       // the result of atomicity(); for a neighbour its word_neighbours
  bool promised;            // the table says that `wrong` is 0
  std::string skipped;      // why the trial was not run
};

/// Runs every trial for `seconds` with the first device, and those with two devices if there are two. Throws
/// std::runtime_error if CUDA fails.
std::vector<trial> run_experiment(double seconds);

std::string name(participants who);

/// Returns, in words, whether the table agrees with the trial.
std::string verdict(trial const& t);
inline bool contradicts(trial const& t) { return t.skipped.empty() && t.promised && t.wrong != 0; }

} // namespace device_report
