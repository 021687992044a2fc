// SPDX-License-Identifier: Apache-2.0
//
// row: what the measuring code knows of one row of one library. A problem is compiled once for each library
// and gives a list of these, in the same order; the measuring code (measure.cpp) names no library.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// How often a row's operation is done: `rounds` times by each thread in a launch. Rounds and launches are
/// odd, so an operand that alternates between 1 and -1 leaves 1 in the end.
struct work {
  unsigned blocks;
  unsigned threads_per_block;
  unsigned rounds;
  unsigned launches;

  unsigned threads() const { return blocks * threads_per_block; }
  unsigned steps() const { return rounds * launches; }
  double operations() const { return double(threads()) * steps(); }
};

/// How a row's number is printed. A rate counts the operations of all threads; a time is that of one operation, where
/// threads wait for each other.
enum class unit { operations_per_nanosecond, nanoseconds };

struct row {
  char const* name;
  unsigned blocks_per_sm;
  unsigned threads_per_block;
  unsigned minimum_sm; ///< 90: sm_90; the row is reported as missing on older GPUs
  int initial_byte;    ///< every byte of the objects at the start of a sample; results start at 0
  std::size_t (*object_bytes)(unsigned threads);
  std::size_t (*result_bytes)(unsigned threads);
  /// One launch whose first round is the `first`-th of the sample.
  void (*launch)(work const&, void* objects, void* results, unsigned first);
  /// Looks at what all launches of a sample left, copied to the host. Empty: the answer is right; else a
  /// sentence.
  std::string (*check)(work const&, void* objects, void* results);

  unit shown = unit::operations_per_nanosecond;
  double (*operations)(work const&) = [](work const& work) { return work.operations(); };
  unsigned blocks = 0;               ///< altogether; 0: blocks_per_sm on each SM
  unsigned most_rounds = 31'999'999; ///< odd; where a launch needs memory for each of its rounds
  /// Makes the objects ready for a sample, behind initial_byte and before the clock starts. May be null.
  void (*prepare)(work const&, void* objects, void* results) = nullptr;
  /// The objects are what is read, up to a GiB of it: check gets null in their place.
  bool objects_are_input = false;
};

using rows = std::vector<row>;

} // namespace bench
