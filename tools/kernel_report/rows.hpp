// SPDX-License-Identifier: Apache-2.0
//
// rows: what is measured of each kernel, and of the machine.
#pragma once

#include <string>
#include <vector>

namespace execution_model {

struct branch {
  double lanes;     ///< of a warp that takes it, on average
  double divergent; ///< the share of these warps in which other lanes do not
};

struct row {
  std::string name, says;
  std::vector<branch> branches;
  int threads = 0, blocks = 0; ///< of a block; of the launch that was timed
  int registers = 0, blocks_per_sm = 0;
  long long shared = 0; ///< bytes of a block
  std::string limit;    ///< what allows no more blocks
  double occupancy = 0;
  double microseconds = 0; ///< 0: not measured
  double gigabytes_per_second = 0;
  bool right = false; ///< the answer
};

struct machine {
  std::string name;
  bool is_emulator = false;
  int multiprocessors = 0, warps_per_sm = 0;
  double peak = 0;    ///< GB/s, by clock and width of the memory; 0: not known
  double latency = 0; ///< nanoseconds of a load from memory; 0: not measured
  unsigned elements = 0;
};

struct report {
  execution_model::machine machine;
  std::vector<row> rows;
};

/// Runs every kernel of the chapter over so many elements; 0: as many as suit the machine. In measure.cu.
report measure(unsigned elements, unsigned threads);

std::string table_of(report const&); ///< table.cpp
std::string json_of(report const&);
std::string plot_of(report const&); ///< plot.cpp: SVG

} // namespace execution_model
