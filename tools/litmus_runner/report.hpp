// SPDX-License-Identifier: Apache-2.0
//
// report: the results of tests as herd's histograms, as JSON, and their summary.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "machine.hpp"
#include "table.hpp"

namespace litmus_runner {

/// How many instances had the outcome of `exists`.
unsigned long long positive(row const&, result const&);

/// Whether a result is an error: a forbidden outcome, a value that the program cannot make, a thread without a result,
/// or an await that gave up although it must end.
bool failed(row const&, result const&);

/// Whether a mutant was noticed: by its outcome, or by an await that never ended. The models let the await poll
/// indefinitely (write_cuda.cpp), and the await of the program must end.
bool noticed(row const&, result const&);

/// herd's text.
std::string histogram(row const&, result const&);

/// Why no run of a mutant can show that it is weaker. Where threads are and what changed matter on a GPU alone:
///
/// In order: all threads are in one block. A warp issues its accesses in order, and all warps of a block access memory
/// through one L1 cache, or one shared memory, in the order in which their accesses are issued. A store changes the
/// line in the cache for the next load of the block before it leaves for the L2 cache. So the block sees all accesses
/// of its threads in one order.
///
/// Through: the mutant differs in the scope of a relaxed store or read-modify-write. The L1 cache writes through, and
/// read-modify-writes are executed in the L2 cache, whatever the scope is. It differs only for loads, which may hit the
/// L1 cache, and for fences.
enum class hidden { no, same_code, in_order, through };

hidden hidden_of(row const&, bool same_code, bool on_gpu);

/// A test that ran, or the reason why it did not.
struct finished {
  row const* test = nullptr;
  litmus_runner::result result;
  std::string error;
  bool same_code = false; ///< a mutant whose machine code is that of its program
};

/// One line.
std::string json(finished const&, std::string const& machine, bool on_gpu);

/// Counts of mutants of which the memory model of PTX allows the outcome.
struct mutants {
  unsigned long long all = 0;
  unsigned long long same_code = 0, in_order = 0, through = 0; ///< hidden
  unsigned long long seen = 0;                                 ///< of the others

  unsigned long long observable() const { return all - same_code - in_order - through; }
  double percent() const { return observable() ? 100.0 * double(seen) / double(observable()) : 100; }
  mutants& operator+=(mutants const&);
};

struct mutation {
  mutants total;
  std::map<std::pair<std::string, std::string>, mutants> parts; ///< by the placement and by what was changed
  std::vector<std::string> unguarded;                           ///< tests of which all observable mutants survived
};
/// A hidden mutant counts as observable only if it was seen.
mutation mutation_of(std::vector<finished> const&, bool on_gpu);

/// What the results say together: forbidden outcomes, allowed ones that were never seen, mutants that survived.
std::string summary(std::vector<finished> const&, bool on_gpu);

} // namespace litmus_runner
