// SPDX-License-Identifier: Apache-2.0
//
// litmus_generate: writes the CUDA sources of litmus programs.
//
//   litmus_generate FOLDER PARTS [--form library|ptx] [--placement NAME]... [--files LIST] FILE...
//
// Writes kernels_0.cu to kernels_<PARTS - 1>.cu and table.cpp into FOLDER. Prints what it leaves out,
// and why. LIST is a file with the name of a program's file in each line.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../litmus_model/parse.hpp"
#include "write_sources.hpp"

namespace {

using namespace litmus_runner;

int run(std::vector<std::string> const& arguments) {
  std::vector<std::string> plain, placements;
  std::optional<form> only;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    bool const last = i + 1 == arguments.size();
    if (arguments[i] == "--placement" && !last) placements.push_back(arguments[++i]);
    else if (arguments[i] == "--form" && !last && (arguments[i + 1] == "ptx" || arguments[i + 1] == "library"))
      only = arguments[++i] == "ptx" ? form::ptx : form::library;
    else if (arguments[i] == "--files" && !last) {
      std::ifstream list(arguments[++i]);
      if (!list) throw std::runtime_error(arguments[i] + ": cannot be read; name a file that lists programs");
      for (std::string line; std::getline(list, line);)
        if (!line.empty()) plain.push_back(line);
    } else plain.push_back(arguments[i]);
  }
  unsigned const parts = plain.size() < 2 ? 0 : unsigned(std::atoi(plain[1].c_str()));
  if (plain.size() < 3 || parts < 1 || parts > 1000) {
    std::cerr
        << "usage: litmus_generate FOLDER PARTS [--form library|ptx] [--placement NAME]... [--files LIST] FILE...\n"
           "PARTS is a number from 1 to 1000: of the sources with kernels\n";
    return 2;
  }
  std::vector<test_source> tests;
  for (std::size_t i = 2; i < plain.size(); ++i) {
    litmus::program const p = litmus::parse_file(plain[i]);
    for (std::size_t where = 0; where < p.placements.size(); ++where) {
      bool const wanted = placements.empty() ||
                          std::find(placements.begin(), placements.end(), p.placements[where].name) != placements.end();
      for (form const f : {form::library, form::ptx})
        if (wanted && (!only || *only == f)) tests.push_back({p, where, f, verdict::unknown, ""});
    }
  }
  auto const result = write_sources(plain[0], parts, tests);
  for (auto const& line : result.left_out) std::cout << "left out: " << line << "\n";
  std::cout << result.tests << " tests in " << result.kernels << " kernels; " << result.left_out.size()
            << " left out\n";
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (std::exception const& error) {
    std::cerr << "litmus_generate: " << error.what() << "\n";
    return 1;
  }
}
