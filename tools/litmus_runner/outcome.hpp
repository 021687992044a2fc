// SPDX-License-Identifier: Apache-2.0
//
// outcome: which registers and locations of a program make its outcome, and with how many bits.
//
// Those are the ones that `exists` names. An item has a code for each value that the program can give it, or that
// `exists` names. Any other value sets one bit of the whole outcome.
#pragma once

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../litmus_model/program.hpp"

namespace litmus_runner {

/// A program that the runner cannot run, and why.
struct not_runnable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct outcome_item {
  int thread = -1, reg = -1; ///< a register
  int location = -1;         ///< or a location
  unsigned shift = 0, width = 0;
  std::vector<litmus::value> values; ///< code c stands for values[c]; ascending
  bool counting = true;              ///< values are 0, 1, 2, ...
};

struct outcome {
  std::vector<outcome_item> items;
  unsigned bits = 0;
};

/// The values of a state that the oracle printed, by the names of the registers and locations.
std::map<std::string, litmus::value> values_of(std::string const& state);

/// `states` are ends of executions: their values have codes, too. Throws not_runnable if the outcome needs too many
/// bits.
outcome outcome_of(litmus::program const&, std::set<std::string> const& states);

/// The name of an item: P1:r0 or x.
std::string name_of(litmus::program const&, outcome_item const&);
std::string decimal(litmus::value);

} // namespace litmus_runner
