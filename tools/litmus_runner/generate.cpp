// SPDX-License-Identifier: Apache-2.0
//
// litmus_generate: writes the CUDA sources of litmus programs.
//
//   litmus_generate FOLDER PARTS [--form library|ptx] [--placement NAME]... [--mutants [--mutants-without-races]]
//                   [--code] [--files LIST] FILE...
//
// Writes kernels_0.cu to kernels_<PARTS - 1>.cu and table.cpp into FOLDER. Prints what it leaves out,
// and why. LIST is a file with the name of a program's file in each line. With --mutants, each
// mutant of a forbidden outcome that the memory model of PTX allows is a test, too; with
// --mutants-without-races, only if C++ defines it. With --code, each test has a kernel for its code
// alone: machine_code.hpp compares them.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../litmus_model/model.hpp"
#include "../litmus_model/mutants.hpp"
#include "../litmus_model/parse.hpp"
#include "../litmus_model/search.hpp"
#include "write_sources.hpp"

namespace {

using namespace litmus_runner;

/// The memory models.
class oracle {
public:
  /// A test with its verdict. PTX says what a machine may do. The library promises what C++ with scopes says, and
  /// nothing for a program with a race.
  test_source decided(litmus::program const& p, std::size_t where, form f) const {
    test_source t{p, where, f, verdict::unknown, true, false, "", "", {}};
    auto const& place = p.placements[where];
    auto const machine = litmus::decide(p, place, *ptx_);
    t.observable = machine.verdict != litmus::verdict::forbidden;
    auto const language = litmus::decide(p, place, *rc11_);
    t.raced = language.verdict == litmus::verdict::undefined;
    auto const& answer = f == form::ptx ? machine : language;
    t.verdict = answer.verdict == litmus::verdict::allowed     ? verdict::allowed
                : answer.verdict == litmus::verdict::forbidden ? verdict::forbidden
                                                               : verdict::undefined;
    if (answer.verdict != litmus::verdict::undefined && answer.states.size() < 1000) t.states = answer.states;
    return t;
  }

private:
  std::unique_ptr<litmus::model const> ptx_ = litmus::make_ptx_model(), rc11_ = litmus::make_rc11_model();
};

/// Each reason once, with the number of tests that it leaves out.
void print_reasons(std::vector<left_out> const& all) {
  std::map<std::string, std::vector<std::string>> tests_of;
  for (auto const& one : all) tests_of[one.reason].push_back(one.test);
  for (auto const& [reason, tests] : tests_of)
    std::cout << "left out: " << tests[0]
              << (tests.size() > 1 ? ", and " + std::to_string(tests.size() - 1) + " more" : "") << ": " << reason
              << "\n";
}

/// What a mutant changed: the order of an access, a fence (weaker or missing), a barrier (missing), the scope of a
/// relaxed store or read-modify-write ("write"), or another scope.
std::string mutation_of(litmus::program const& p, litmus::program const& mutant) {
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    auto const &before = p.threads[t].instructions, &after = mutant.threads[t].instructions;
    for (std::size_t i = 0; i < before.size(); ++i) {
      bool const dropped = i == after.size() || after[i].operation != before[i].operation;
      bool const changed = dropped || after[i].order != before[i].order || after[i].failure != before[i].failure ||
                           after[i].scope != before[i].scope;
      if (!changed) continue;
      if (before[i].operation == litmus::operation::sync) return "barrier";
      bool const writes = before[i].operation != litmus::operation::load &&
                          before[i].operation != litmus::operation::wait && before[i].location >= 0;
      bool const orders = before[i].order != litmus::order::relaxed || before[i].failure != litmus::order::relaxed;
      if (!dropped && after[i].scope != before[i].scope) return writes && !orders ? "write" : "scope";
      return before[i].operation == litmus::operation::fence ? "fence" : "order";
    }
  }
  return "";
}

int run(std::vector<std::string> const& arguments) {
  std::vector<std::string> plain, placements;
  std::optional<form> only;
  bool mutants = false, races = true, code = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    bool const last = i + 1 == arguments.size();
    if (arguments[i] == "--placement" && !last) placements.push_back(arguments[++i]);
    else if (arguments[i] == "--form" && !last && (arguments[i + 1] == "ptx" || arguments[i + 1] == "library"))
      only = arguments[++i] == "ptx" ? form::ptx : form::library;
    else if (arguments[i] == "--mutants") mutants = true;
    else if (arguments[i] == "--mutants-without-races") races = false;
    else if (arguments[i] == "--code") code = true;
    else if (arguments[i] == "--files" && !last) {
      std::ifstream list(arguments[++i]);
      if (!list) throw std::runtime_error(arguments[i] + ": cannot be read; name a file that lists programs");
      for (std::string line; std::getline(list, line);)
        if (!line.empty()) plain.push_back(line);
    } else plain.push_back(arguments[i]);
  }
  unsigned const parts = plain.size() < 2 ? 0 : unsigned(std::atoi(plain[1].c_str()));
  if (plain.size() < 3 || parts < 1 || parts > 1000) {
    std::cerr << "usage: litmus_generate FOLDER PARTS [--form library|ptx] [--placement NAME]... [--mutants "
                 "[--mutants-without-races]] [--code] [--files LIST] FILE...\n"
                 "PARTS is a number from 1 to 1000: of the sources with kernels\n";
    return 2;
  }
  oracle const models;
  std::vector<test_source> tests;
  for (std::size_t i = 2; i < plain.size(); ++i) {
    litmus::program const p = litmus::parse_file(plain[i]);
    for (std::size_t where = 0; where < p.placements.size(); ++where) {
      auto const& place = p.placements[where];
      if (!placements.empty() && std::find(placements.begin(), placements.end(), place.name) == placements.end())
        continue;
      std::vector<form> forms{form::library};
      if (p.objects.empty()) forms.push_back(form::ptx); // primitives have no form in PTX
      if (only) std::erase_if(forms, [&](form f) { return f != *only; });
      bool forbidden = true;
      for (form const f : forms) {
        tests.push_back(models.decided(p, where, f));
        forbidden &= !tests.back().observable;
      }
      if (!mutants || !forbidden) continue;
      for (auto const& m : litmus::mutants_of(p, place))
        for (form const f : forms) {
          test_source t = models.decided(m.program, 0, f);
          t.mutant_of = p.name;
          t.mutation = mutation_of(p, m.program);
          if (t.observable && (races || !t.raced)) tests.push_back(std::move(t));
        }
    }
  }
  auto const result = write_sources(plain[0], parts, tests, code);
  print_reasons(result.left_out);
  std::cout << result.tests << " tests in " << result.kernels << " different ones; " << result.left_out.size()
            << " left out\n";
  if (result.tests == 0) throw std::runtime_error("no test is left: name other programs or other placements");
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
