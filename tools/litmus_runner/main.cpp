// SPDX-License-Identifier: Apache-2.0
//
// litmus_run: runs litmus tests on a GPU, or on the emulator.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "arguments.hpp"
#include "machine.hpp"
#include "machine_code.hpp"
#include "report.hpp"

namespace {

using namespace litmus_runner;

/// Set by SIGINT and SIGTERM: the run ends after the test that runs, and prints its summary. The second signal ends it.
std::sig_atomic_t volatile is_interrupted = 0;
void interrupt(int signal) {
  is_interrupted = 1;
  std::signal(signal, SIG_DFL);
}

/// Runs the tests after the first `done` ones in a new process, since this one cannot use the device any more.
void go_on(std::vector<char*> arguments, std::size_t done) {
  static std::string skip;
  skip = std::to_string(done);
  static char option[] = "--skip", failed[] = "--failed";
  arguments.insert(arguments.end(), {option, skip.data(), failed, nullptr});
  std::fflush(nullptr);
  execv("/proc/self/exe", arguments.data());
  std::fprintf(stderr, "litmus_run: the rest of the tests cannot run: exec: %s\n", std::strerror(errno));
}

/// A line at the end of the terminal.
void show_progress(std::size_t done, std::size_t all, row const& r) {
  constexpr std::size_t width = 24;
  std::size_t const full = done * width / std::max<std::size_t>(all, 1);
  std::fprintf(stderr, "\r\33[K[%s%s] %zu/%zu %s %s %s", std::string(full, '#').c_str(),
               std::string(width - full, '.').c_str(), done, all, r.test, r.placement, r.form);
}

/// What the mutants taught about good arrangements helps the program (tuning.hpp).
void put_programs_after_mutants(std::vector<row const*>& tests) {
  std::map<std::string, std::size_t> first;
  std::vector<std::tuple<std::size_t, bool, std::size_t, row const*>> keys;
  for (auto const* r : tests)
    keys.emplace_back(first.try_emplace(kin_of(*r), first.size()).first->second, !*r->mutant_of, keys.size(), r);
  std::sort(keys.begin(), keys.end());
  std::transform(keys.begin(), keys.end(), tests.begin(), [](auto const& key) { return std::get<3>(key); });
}

int run(arguments const& a, std::vector<char*> const& words) {
  std::vector<row const*> tests;
  std::size_t number = 0;
  for (auto const& r : rows())
    if (chosen(a, r) && number++ % a.shards == a.shard) tests.push_back(&r);
  put_programs_after_mutants(tests);
  tests.erase(tests.begin(), tests.begin() + std::ptrdiff_t(std::min<std::size_t>(a.skip, tests.size())));
  if (tests.empty() && a.skip) return a.failed;
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
  else if (!a.json.empty() && !(file = std::fopen(a.json.c_str(), a.failed ? "a" : "w"))) {
    std::fprintf(stderr, "litmus_run: --json is '%s', which cannot be written\n", a.json.c_str());
    return 2;
  }
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  machine gpu(a.seed);
  auto const codes = gpu.emulated() ? std::map<std::string, std::string>() : codes_of_tests();
  std::map<std::string, std::string> programs; // the code of each program, by name, placement and form
  for (auto const& r : rows())
    if (!*r.mutant_of)
      if (auto const code = codes.find(r.code); code != codes.end()) programs[kin_of(r)] = code->second;
  auto const has_code_of_program = [&](row const& r) {
    auto const code = codes.find(r.code);
    auto const of_program = programs.find(kin_of(r));
    return *r.mutant_of && code != codes.end() && of_program != programs.end() && code->second == of_program->second;
  };
  if (file != stdout) std::printf("%s, %u SMs; %zu tests\n\n", gpu.name().c_str(), gpu.sms(), tests.size());
  std::vector<finished> all;
  bool broken = false; // the device runs nothing more in this process
  bool bad = a.failed;
  for (auto const* r : tests) {
    if (is_interrupted) break;
    if (a.progress) show_progress(all.size(), tests.size(), *r);
    finished one{r, {}, {}, has_code_of_program(*r)};
    if (a.until_seen && *r->mutant_of && hidden_of(*r, one.same_code, !gpu.emulated()) != hidden::no) {
      all.push_back(one);
      continue;
    }
    try {
      one.result = gpu.run(*r, a, [&](launch const& l, result const& part) {
        if (a.trace)
          std::printf("%s %s %s: %llu of %llu in %.3f ms: %s\n", r->test, r->placement, r->form, positive(*r, part),
                      part.instances, part.seconds * 1e3, text_of(l).c_str());
      });
      if (a.progress) std::fputs("\r\33[K", stderr);
      if (file) std::fputs(json(one, gpu.name(), !gpu.emulated()).c_str(), file), std::fflush(file);
      if (file != stdout) std::fputs(histogram(*r, one.result).c_str(), stdout), std::fflush(stdout);
      if (failed(*r, one.result)) {
        bad = true;
        std::fprintf(stderr, "litmus_run: %s %s %s failed; kernel %s: %s\n", r->test, r->placement, r->form, r->kernel,
                     keep_machine_code(r->kernel).c_str());
      }
    } catch (machine_error const& error) {
      one.error = error.what();
      broken = bad = true;
    } catch (device_lacks const& error) {
      one.error = error.what();
    } catch (std::runtime_error const& error) {
      one.error = error.what();
      bad = true;
    }
    all.push_back(one);
    if (broken) break;
  }
  std::fputs(summary(all, !gpu.emulated()).c_str(), file == stdout ? stderr : stdout);
  if (file && file != stdout) std::fclose(file);
  if (is_interrupted) {
    std::fprintf(stderr, "litmus_run: ended by a signal; %zu tests have not run\n", tests.size() - all.size());
    return 1;
  }
  if (!all.empty() && broken) {
    std::fprintf(stderr, "litmus_run: %s %s %s: %s\nlitmus_run: %zu tests are left; they run in a new process\n",
                 all.back().test->test, all.back().test->placement, all.back().test->form, all.back().error.c_str(),
                 tests.size() - all.size());
    go_on(words, a.skip + all.size());
    return 1;
  }
  if (auto const mutants = mutation_of(all, !gpu.emulated());
      a.score && (mutants.total.percent() < a.score || !mutants.unguarded.empty())) {
    std::fprintf(
        stderr,
        "litmus_run: %.1f %% of the mutants were seen, and %zu tests had none of theirs seen; --score asks for %u %%\n",
        mutants.total.percent(), mutants.unguarded.size(), a.score);
    bad = true;
  }
  return bad;
}

} // namespace

int main(int argc, char** argv) {
  arguments const a = parse_arguments(argc, argv);
  try {
    return run(a, {argv, argv + argc});
  } catch (std::exception const& error) {
    std::fprintf(stderr, "litmus_run: %s\n", error.what());
    return 3;
  }
}
