// SPDX-License-Identifier: Apache-2.0
//
// experiment: what becomes of operations that host and device do at the same time, counted.
#pragma once

#include <string>
#include <vector>

namespace machine_info {

enum class participants { host_and_device, device, host, host_and_devices, devices };

struct trial {
  std::string memory;    // a memory_type's name
  std::string operation; // an atomic_operation's, or "neighbour"
  unsigned size;         // of the objects, in bytes
  participants who;
  unsigned long long by_host; // read-modify-writes done, or values read, or stores beside the object
  unsigned long long by_device;
  unsigned long long wrong; // updates or stores lost, or values that nobody wrote
  std::string answer;       // of atomicity(); for a neighbour its word_neighbours
  bool promised;            // that nothing is wrong
  std::string skipped;      // why it was not tried
};

/// Tries each for `seconds` with the first device, and what the first two do to each other. Throws std::runtime_error where CUDA fails.
std::vector<trial> run_experiment(double seconds);

std::string name(participants who);

/// Whether the table agrees with the trial: a word for people.
std::string verdict(trial const& t);
inline bool contradicts(trial const& t) { return t.skipped.empty() && t.promised && t.wrong != 0; }

} // namespace machine_info
