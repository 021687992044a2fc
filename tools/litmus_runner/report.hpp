// SPDX-License-Identifier: Apache-2.0
//
// report: the results of tests as herd's histograms, as JSON, and their summary.
#pragma once

#include <string>
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
/// One line.
std::string json(row const&, result const&, std::string const& machine);

/// A test that ran, or the reason why it did not.
struct finished {
  row const* test = nullptr;
  litmus_runner::result result;
  std::string error;
};

/// The mutants of the tests that ran, and those of which the outcome was seen. Only mutants count of which the memory
/// model of PTX allows the outcome.
struct mutation {
  unsigned long long mutants = 0, seen = 0;
  std::vector<std::string> unguarded; ///< tests of which all mutants survived

  double percent() const { return mutants ? 100.0 * double(seen) / double(mutants) : 100; }
};
mutation mutation_of(std::vector<finished> const&);

/// What the results say together: forbidden outcomes, allowed ones that were never seen, mutants that survived.
std::string summary(std::vector<finished> const&);

} // namespace litmus_runner
