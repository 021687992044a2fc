// SPDX-License-Identifier: Apache-2.0
//
// row: the description of one row of one side (a library, or code that is written without one). A problem is compiled
// once for each side and returns a list of rows; rows of the same name are compared. The measuring code (measure.cpp)
// names no library.
#pragma once

#include "result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// How often the operation of a row is performed: in each launch, `rounds` times by each thread. Rounds and launches
/// are odd, so an operand that alternates between 1 and -1 leaves 1 at the end.
struct work {
  unsigned blocks;
  unsigned threads_per_block;
  unsigned rounds;
  unsigned launches;

  unsigned threads() const { return blocks * threads_per_block; }
  unsigned steps() const { return rounds * launches; }
  double operations() const { return double(threads()) * steps(); }
};

struct row {
  std::string name;
  unsigned blocks_per_sm;
  unsigned threads_per_block;
  unsigned minimum_sm; ///< 90: sm_90; the row is reported as missing on older GPUs
  int initial_byte;    ///< every byte of the objects at the start of a sample; results start at 0
  std::function<std::size_t(unsigned threads)> object_bytes;
  std::function<std::size_t(unsigned threads)> result_bytes;
  /// Launches the kernel once; its first round is the `first`-th of the sample.
  std::function<void(work const&, void* objects, void* results, unsigned first)> launch;
  /// Checks what all launches of a sample left, copied to the host. Returns a sentence, or an empty string if the
  /// answer is correct.
  std::function<std::string(work const&, void* objects, void* results)> check;

  unit shown = unit::operations_per_nanosecond;
  std::function<double(work const&)> operations = [](work const& work) { return work.operations(); };
  unsigned blocks = 0;               ///< the total number; 0: blocks_per_sm on each SM
  unsigned most_rounds = 31'999'999; ///< odd; smaller if a launch needs memory for each of its rounds
  /// Prepares the objects for a sample, after initial_byte is set and before the clock starts. May be empty.
  std::function<void(work const&, void* objects, void* results)> prepare = nullptr;
  /// The objects are input only, up to a GiB: check gets null in their place.
  bool objects_are_input = false;
  point on = {};
  /// Returns more figures of a sample whose answer is correct. May be empty.
  std::function<figures(work const&, void* objects, void* results)> extras = nullptr;
  /// All blocks must run at once: the row is reported as missing if `blocks` is more than the number of SMs.
  bool together = false;
  /// Returns what the build or the machine lacks for the row, which is then reported as missing. May be empty.
  std::function<std::string()> lacks = nullptr;
};

using rows = std::vector<row>;

} // namespace bench
