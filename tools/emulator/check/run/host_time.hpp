// SPDX-License-Identifier: Apache-2.0
//
// host_time: how much time the host's threads have had. A host that is to write what the device waits for has a limit
// of real time. A thread of the host that computes, or is ready and gets no processor because the machine is busy, does
// not use it up; but a tenth of real time always counts, since that thread may wait in a loop for the device.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>

namespace emulator::check {

class host_time {
public:
  void begin();
  /// Since begin(): real time, less that in which the busiest thread ran or waited for a processor; at least a tenth.
  std::chrono::nanoseconds passed();

private:
  void read_busy_times();

  std::chrono::steady_clock::time_point began_, read_;
  std::map<int, std::uint64_t> first_; ///< nanoseconds that each thread had run or waited, by its number
  std::uint64_t longest_ = 0;
};

} // namespace emulator::check
