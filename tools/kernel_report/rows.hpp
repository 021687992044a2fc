// SPDX-License-Identifier: Apache-2.0
//
// rows: the data that are measured for each kernel, and for the machine.
#pragma once

#include <string>
#include <vector>

namespace kernel_report {

struct branch {
  double lanes;     ///< the lanes that take it, of a warp in which at least one does, on average
  double divergent; ///< the share of these warps in which other lanes do not take it
};

struct row {
  std::string name, says;
  std::vector<branch> branches;
  int threads = 0, blocks = 0; ///< threads of a block; blocks of the timed launch
  int registers = 0, blocks_per_sm = 0;
  long long shared = 0; ///< bytes per block
  std::string limit;    ///< the resource that limits the number of blocks
  double occupancy = 0;
  double microseconds = 0; ///< 0: not measured
  double gigabytes_per_second = 0;
  bool right = false; ///< whether the answer is correct
};

struct machine {
  std::string name;
  bool is_emulator = false;
  int multiprocessors = 0, warps_per_sm = 0;
  double peak = 0;    ///< GB/s, from clock and width of the memory; 0: unknown
  double latency = 0; ///< nanoseconds of a load from memory; 0: not measured
  unsigned elements = 0;
};

struct report {
  kernel_report::machine machine;
  std::vector<row> rows;
};

/// Runs every kernel of the chapter on `elements` elements; 0: a number that suits the machine. Defined in measure.cu.
report measure(unsigned elements, unsigned threads);

std::string table_of(report const&); ///< table.cpp
std::string json_of(report const&);
std::string plot_of(report const&); ///< plot.cpp: SVG

} // namespace kernel_report
