// SPDX-License-Identifier: Apache-2.0
//
// main: measures primitives among host threads, and the C++ standard library's in the same program, or describes the
// host. ../run calls this program once for each problem. The samples of the two sides are taken alternately, so other
// load on the machine affects both. Needs no device.
#include "../support/command_line.hpp"
#include "../support/output.hpp"
#include "row.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace {

using bench::host::row;

struct {
  char const* name;
  bench::host::rows (*rows)();
} const problems[] = {
#define CUDAX_BENCH_HOST(problem) {"host_" #problem, bench::host::problem},
#include "host_problems.inc"
#undef CUDAX_BENCH_HOST
};
char const section[] = "host";

int samples(bench::command_line const& asked) { return asked.answers ? 1 : asked.quick ? 3 : 7; }

unsigned cores() { return std::thread::hardware_concurrency(); }

/// Returns "1 thread", "4 threads".
std::string counted(unsigned number, std::string const& things) {
  return std::to_string(number) + " " + (number == 1 ? things.substr(0, things.size() - 1) : things);
}

std::string full_name(row const& row) {
  return row.name + ", " + counted(unsigned(row.threads), row.threads_are) + " on " + counted(cores(), "cores") +
         ", against " + row.against;
}

void print_list(bench::command_line const& asked) {
  for (auto const& problem : problems) {
    bench::host::rows const rows = problem.rows();
    double seconds = 0;
    for (row const& row : rows) seconds += 2 * samples(asked) * row.seconds;
    std::printf("%-18s %-12s %4zu rows %6.1f s\n", problem.name, section, rows.size(), seconds);
  }
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (auto const at = line.find(": "); at != line.npos) return line.substr(at + 2);
  return "unknown processor";
}

/// The load is the number of threads that ran or wanted to run in the last minute, those of other programs included.
void print_machine() {
  double load = 0;
  (void)getloadavg(&load, 1);
  std::printf("{\"host\": %s, \"cores\": %u, \"load\": %.2f}\n", bench::quoted(processor_name()).c_str(), cores(),
              load);
}

void take(bench::result& to, std::function<double()> const& sample) {
  if (!to.trouble.empty()) return;
  try {
    to.samples.push_back(sample());
  } catch (bench::host::wrong_answer const& wrong) {
    to.trouble = std::string("wrong answer: ") + wrong.what();
  }
}

int measure(char const* problem, bench::host::rows const& rows, bench::command_line const& asked) {
  bench::output output(problem, section, asked.answers);
  for (row const& row : rows) {
    std::string const name = full_name(row);
    if (name.find(asked.only) == std::string::npos) continue;
    bench::result cudax, standard;
    for (int i = 0; i < samples(asked); ++i) {
      if (i % 2) take(standard, row.standard);
      take(cudax, row.cudax);
      if (i % 2 == 0) take(standard, row.standard);
    }
    output.write({name,
                  row.shown,
                  {row.name, row.threads_are, double(row.threads)},
                  {{"against", bench::quoted(row.against)},
                   {"threads", std::to_string(row.threads)},
                   {"cores", std::to_string(cores())}}},
                 {{"cudax", cudax, {}}, {"std", standard, {}}});
  }
  return output.finish();
}

} // namespace

int main(int count, char** arguments) {
  bench::command_line asked;
  if (int const status = asked.read(count, arguments); status != -1) return status;
  if (asked.list) {
    print_list(asked);
    return 0;
  }
  if (asked.machine) {
    print_machine();
    return 0;
  }
  bool found = false;
  int status = 0;
  for (auto const& each : problems)
    if (asked.names(each.name)) {
      found = true;
      status |= measure(each.name, each.rows(), asked);
    }
  if (found) return status;
  std::fprintf(stderr, "bench_host: no problem '%s'; --list prints their names\n", asked.problem ? asked.problem : "");
  return 2;
}
