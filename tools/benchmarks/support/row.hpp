// SPDX-License-Identifier: Apache-2.0
//
// row: the description of one row of one library. A problem is compiled once for each library and returns a list of
// rows, in the same order; the measuring code (measure.cpp) names no library.
#pragma once

#include <cstddef>
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

/// The unit of a row's number. A rate counts the operations of all threads. A time is that of one operation, for rows
/// whose threads wait for each other.
enum class unit { operations_per_nanosecond, nanoseconds };

struct row {
  char const* name;
  unsigned blocks_per_sm;
  unsigned threads_per_block;
  unsigned minimum_sm; ///< 90: sm_90; the row is reported as missing on older GPUs
  int initial_byte;    ///< every byte of the objects at the start of a sample; results start at 0
  std::size_t (*object_bytes)(unsigned threads);
  std::size_t (*result_bytes)(unsigned threads);
  /// Launches the kernel once; its first round is the `first`-th of the sample.
  void (*launch)(work const&, void* objects, void* results, unsigned first);
  /// Checks what all launches of a sample left, copied to the host. Returns a sentence, or an empty string if the
  /// answer is correct.
  std::string (*check)(work const&, void* objects, void* results);

  unit shown = unit::operations_per_nanosecond;
  double (*operations)(work const&) = [](work const& work) { return work.operations(); };
  unsigned blocks = 0;               ///< the total number; 0: blocks_per_sm on each SM
  unsigned most_rounds = 31'999'999; ///< odd; smaller if a launch needs memory for each of its rounds
  /// Prepares the objects for a sample, after initial_byte is set and before the clock starts. May be null.
  void (*prepare)(work const&, void* objects, void* results) = nullptr;
  /// The objects are input only, up to a GiB: check gets null in their place.
  bool objects_are_input = false;
};

using rows = std::vector<row>;

} // namespace bench
