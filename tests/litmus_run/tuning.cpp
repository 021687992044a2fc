// SPDX-License-Identifier: Apache-2.0
//
// tuning: which seeds the launches of a test get.
#include "../../tools/litmus_runner/tuning.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

namespace {

using litmus_runner::tuning;

/// Runs a test of some launches. `good`, if it is a seed that the test gets, has the rate 1, and all others have 0.
std::vector<unsigned> run(tuning& t, char const* kin, unsigned launches, unsigned good = 0) {
  std::vector<unsigned> seeds;
  t.begin(kin, "two blocks");
  for (unsigned i = 0; i < launches; ++i) {
    seeds.push_back(t.next());
    t.note(seeds.back(), seeds.back() == good);
  }
  t.end();
  return seeds;
}

} // namespace

BOOST_AUTO_TEST_CASE(without_a_success_each_launch_gets_a_new_seed) {
  tuning t(1);
  auto seeds = run(t, "MP", 50);
  std::sort(seeds.begin(), seeds.end());
  BOOST_TEST((std::adjacent_find(seeds.begin(), seeds.end()) == seeds.end()));
}

BOOST_AUTO_TEST_CASE(the_best_seed_gets_three_launches_of_four) {
  tuning probe(1);
  unsigned const good = run(probe, "MP", 4)[2];
  tuning t(1);
  auto const seeds = run(t, "MP", 43, good);
  BOOST_TEST(std::count(seeds.begin(), seeds.end(), good) == 31); // the third one, then 30 of 40
}

BOOST_AUTO_TEST_CASE(a_program_gets_the_best_seed_of_its_mutants) {
  tuning probe(1);
  unsigned const good = run(probe, "MP", 4)[2];
  tuning t(1);
  run(t, "MP", 8, good);
  auto const seeds = run(t, "MP", 41);
  BOOST_TEST(seeds[0] == good);
  BOOST_TEST(std::count(seeds.begin(), seeds.end(), good) == 31);
}

BOOST_AUTO_TEST_CASE(a_test_begins_with_seeds_that_were_good_for_its_shape) {
  tuning probe(1);
  unsigned const good = run(probe, "MP", 4)[2];
  tuning t(1);
  run(t, "MP", 8, good);
  BOOST_TEST(run(t, "SB", 2)[0] == good);
}
