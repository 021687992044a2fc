// SPDX-License-Identifier: Apache-2.0
//
// tuning: which launches a test gets. Rates of weak outcomes differ by factors of a thousand between arrangements, and
// the good ones differ from test to test.
//
// The seed of a launch determines its arrangement and its stress. A test first tries random seeds. As soon as the
// outcome was seen, three launches of four use the seed with the highest rate, and the fourth tries a new one. A
// program with a forbidden outcome has no rate. It uses the best seeds of its mutants, which differ from it in one
// order: what shows the mutant's outcome would show the program's. (R. Levine et al., "MC Mutants: Evaluating and
// Improving Testing for Memory Consistency Specifications", ASPLOS 2023, tune on mutants in this way.) Tests of one
// shape also begin with seeds that were good for others of that shape.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

namespace litmus_runner {

class tuning {
public:
  explicit tuning(unsigned seed) : random_(seed) {}

  /// Begins a test. `kin` is the same for a program and its mutants, `shape` for tests with equal layouts.
  void begin(std::string const& kin, std::string const& shape);
  /// The seed of the next launch.
  unsigned next();
  /// What a launch showed: outcomes per second.
  void note(unsigned seed, double rate);
  /// Ends the test: keeps its best seeds for the tests that follow.
  void end();

private:
  struct trial {
    unsigned seed;
    double rate; ///< mean
    unsigned launches;
  };
  trial* best();

  std::mt19937 random_;
  std::map<std::string, std::vector<unsigned>> known_; ///< the best seeds, latest last, by kin and by shape
  std::string kin_, shape_;
  std::vector<unsigned> suggested_; ///< not tried yet, best last
  std::vector<unsigned> of_kin_;
  std::vector<trial> trials_;
  unsigned launches_ = 0;
};

} // namespace litmus_runner
