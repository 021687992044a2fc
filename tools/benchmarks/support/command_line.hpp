// SPDX-License-Identifier: Apache-2.0
//
// command_line: the arguments of the programs that ../run starts.
#pragma once

#include <cstdio>
#include <cstring>

namespace bench {

struct command_line {
  char const* problem = nullptr;
  char const* only = ""; ///< a part of the names of the rows
  bool list = false, machine = false, quick = false, answers = false;

  /// Reads the arguments. Returns -1; or the program's exit status, after --help or an unknown argument.
  int read(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
      auto is = [&](char const* option) { return std::strcmp(arguments[i], option) == 0; };
      if (is("--list")) list = true;
      else if (is("--machine")) machine = true;
      else if (is("--quick")) quick = true;
      else if (is("--answers")) answers = true;
      else if (is("--problem") && i + 1 < count) problem = arguments[++i];
      else if (is("--only") && i + 1 < count) only = arguments[++i];
      else {
        bool const helps = is("--help") || is("-h");
        std::fprintf(helps ? stdout : stderr, usage, arguments[0], arguments[0]);
        return helps ? 0 : 2;
      }
    }
    return -1;
  }

  /// Whether the argument of --problem names the problem.
  bool names(char const* each) const {
    return problem && (std::strcmp(problem, each) == 0 || std::strcmp(problem, "all") == 0);
  }

private:
  static constexpr char usage[] =
      "usage: %s --list [--quick] | --machine | --problem NAME [--quick] [--only TEXT]\n"
      "       %s --problem NAME|all --answers [--only TEXT]\n"
      "  --list          the problems: name, section, number of rows, estimated seconds\n"
      "  --machine       describes what runs the rows as a JSON object; if it is missing, prints why and exits with 3\n"
      "  --problem NAME  measures its rows, one JSON object per line\n"
      "  --quick         fewer and shorter samples\n"
      "  --answers       checks the answers of a few rounds, and measures nothing\n"
      "  --only TEXT     only rows whose name contains TEXT\n";
};

} // namespace bench
