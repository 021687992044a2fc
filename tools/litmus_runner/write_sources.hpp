// SPDX-License-Identifier: Apache-2.0
//
// write_sources: the generated sources: kernels in a number of CUDA sources, and a table of tests in plain C++.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "table.hpp"
#include "write_cuda.hpp"

namespace litmus_runner {

/// A test to generate: a program at one of its placements, in one form.
struct test_source {
  litmus::program program;
  std::size_t placement = 0;
  litmus_runner::form form = litmus_runner::form::library;
  litmus_runner::verdict verdict = litmus_runner::verdict::unknown;
  bool observable = true, raced = false;
  std::string mutant_of, mutation; ///< as in a row
  std::set<std::string> states;    ///< all ends of executions, as the oracle prints them; empty: not known
};

/// A test that has no kernel.
struct left_out {
  std::string test;   ///< its name, placement and form
  std::string reason; ///< of not_runnable
};

struct written {
  std::size_t tests = 0, kernels = 0;
  std::vector<litmus_runner::left_out> left_out;
};

/// Writes kernels_0.cu to kernels_<parts - 1>.cu and table.cpp into a folder. Files that would not change are not
/// written. With `code` each test has a kernel for its code alone. Throws std::runtime_error if a file cannot be
/// written.
written write_sources(std::string const& folder, unsigned parts, std::vector<test_source> const&, bool code);

} // namespace litmus_runner
