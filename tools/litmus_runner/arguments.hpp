// SPDX-License-Identifier: Apache-2.0
//
// arguments: what the user asks for.
#pragma once

#include <string>

#include "table.hpp"

namespace litmus_runner {

struct arguments {
  double seconds = 1;     ///< for each test
  unsigned launches = 0;  ///< for each test; 0: as many as fit into the seconds
  unsigned rounds = 0;    ///< of each launch; 0: as many as take some milliseconds
  unsigned blocks = 0;    ///< at most; 0: as many as the device holds at once
  unsigned threads = 512; ///< of a block, at most
  unsigned patience = 20; ///< seconds after which a launch whose threads wait for each other ends; 0: none
  unsigned seed = 1;
  unsigned shard = 0, shards = 1; ///< run every shards-th test, from `shard`
  bool plain = false;             ///< no stress: one arrangement
  bool trace = false;             ///< print each launch
  bool list = false;
  unsigned skip = 0;       ///< tests before the first one that runs
  bool failed = false;     ///< a run that this one continues has failed
  bool no_races = false;   ///< only tests that C++ defines
  bool no_host = false;    ///< only tests whose threads are all on the device
  bool mutants = false;    ///< only mutants
  bool until_seen = false; ///< each mutant only until it is seen, and none that cannot be
  unsigned score = 0;      ///< the least mutation score, in percent
  bool progress = false;
  std::string test, placement, form; ///< parts of names; empty: all
  std::string json;                  ///< file, or - for the standard output
};

/// Exits with 2 after a message if an argument is wrong, and with 0 after --help.
arguments parse_arguments(int argc, char** argv);

bool chosen(arguments const&, row const&);

} // namespace litmus_runner
