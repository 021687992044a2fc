// SPDX-License-Identifier: Apache-2.0
//
// litmus_run: runs litmus tests on a GPU, or on the emulator.
#include <algorithm>
#include <cstdio>
#include <exception>

#include "arguments.hpp"
#include "machine.hpp"
#include "report.hpp"

namespace {

using namespace litmus_runner;

/// A line at the end of the terminal.
void show_progress(std::size_t done, std::size_t all, row const& r) {
  constexpr std::size_t width = 24;
  std::size_t const full = done * width / std::max<std::size_t>(all, 1);
  std::fprintf(stderr, "\r\33[K[%s%s] %zu/%zu %s %s %s", std::string(full, '#').c_str(),
               std::string(width - full, '.').c_str(), done, all, r.test, r.placement, r.form);
}

int run(arguments const& a) {
  std::vector<row const*> tests;
  std::size_t number = 0;
  for (auto const& r : rows())
    if (chosen(a, r) && number++ % a.shards == a.shard) tests.push_back(&r);
  if (tests.empty()) {
    std::fprintf(stderr, "litmus_run: no test has this name, placement and form; --list prints the tests\n");
    return 2;
  }
  if (a.list) {
    for (auto const* r : tests) std::printf("%s %s %s\n", r->test, r->placement, r->form);
    return 0;
  }
  std::FILE* file = nullptr;
  if (a.json == "-") file = stdout;
  else if (!a.json.empty() && !(file = std::fopen(a.json.c_str(), "w"))) {
    std::fprintf(stderr, "litmus_run: --json is '%s', which cannot be written\n", a.json.c_str());
    return 2;
  }
  machine gpu;
  if (file != stdout) std::printf("%s, %u SMs; %zu tests\n\n", gpu.name().c_str(), gpu.sms(), tests.size());
  std::vector<finished> all;
  bool bad = false;
  for (auto const* r : tests) {
    if (a.progress) show_progress(all.size(), tests.size(), *r);
    finished one{r, {}, {}};
    bool broken = false;
    try {
      one.result = gpu.run(*r, a, [&](launch const& l, result const& part) {
        if (a.trace)
          std::printf("%s %s %s: %llu of %llu in %.3f ms: %s\n", r->test, r->placement, r->form, positive(*r, part),
                      part.instances, part.seconds * 1e3, text_of(l).c_str());
      });
      if (a.progress) std::fputs("\r\33[K", stderr);
      if (file) std::fputs(json(*r, one.result, gpu.name()).c_str(), file), std::fflush(file);
      if (file != stdout) std::fputs(histogram(*r, one.result).c_str(), stdout), std::fflush(stdout);
      bad |= failed(*r, one.result);
    } catch (machine_error const& error) {
      one.error = error.what();
      broken = bad = true;
    } catch (std::runtime_error const& error) {
      one.error = error.what();
    }
    all.push_back(one);
    if (broken) break; // the device runs nothing more in this process
  }
  std::fputs(summary(all).c_str(), file == stdout ? stderr : stdout);
  if (all.size() < tests.size())
    std::fprintf(stderr, "litmus_run: stopped after %zu of %zu tests, since the device failed\n", all.size(),
                 tests.size());
  if (file && file != stdout) std::fclose(file);
  if (auto const mutants = mutation_of(all); a.score && (mutants.percent() < a.score || !mutants.unguarded.empty())) {
    std::fprintf(
        stderr,
        "litmus_run: %.1f %% of the mutants were seen, and %zu tests had none of theirs seen; --score asks for %u %%\n",
        mutants.percent(), mutants.unguarded.size(), a.score);
    bad = true;
  }
  return bad;
}

} // namespace

int main(int argc, char** argv) {
  arguments const a = parse_arguments(argc, argv);
  try {
    return run(a);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "litmus_run: %s\n", error.what());
    return 3;
  }
}
