// SPDX-License-Identifier: Apache-2.0
//
// main: runs the examples in environments that reduce concurrency, and checks how they end.
//
// Each example runs in a process of its own (support/child.hpp), which reports when CUDA is initialized. From then on
// it has the time that its expected outcome allows; after that it is killed. Its exit status tells how it ended
// (example.hpp), so a crash is detected, too.
#include "../support/child.hpp"
#include "example.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <vector>

namespace cudax_test {
char const* device_missing(); // support/device.cpp
}

namespace execution_model {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr char usage[] = R"(usage: execution_model [--environment NAME]... [--limit SECONDS] [EXAMPLE...]
       execution_model --child EXAMPLE   (as it is, without a watchdog)
       execution_model --list

Runs EXAMPLEs of the execution model and the memory model (default: all) and compares how they end with what the models
allow.
  --environment NAME  as_is, blocking, serial, lazy or eager; default: as_is, and all for examples that depend on when grids
                      start
  --limit SECONDS     how long an example that may make no progress is watched; default 2
The exit status is 0; 1 if an outcome is not allowed; 77 if there is no device.
)";

bool is_watched = false;
constexpr auto start_limit = milliseconds(300'000);   // for creating a context
constexpr auto end_grace = milliseconds(1000);        // for a child that has closed its descriptor, to end
constexpr auto end_limit = std::chrono::seconds(300); // for an example that must end: ample on any working machine
auto watch = milliseconds(2000);                      // for an example that may make no progress

struct environment {
  char const* name;
  bool blocking;
  std::vector<char const*> variables;
};
environment const environments[] = {
    {"as_is", false, {}},
    {"blocking", true, {"CUDA_DEVICE_MAX_CONNECTIONS=1", "CUDA_LAUNCH_BLOCKING=1"}},
    {"serial", false, {"CUDA_DEVICE_MAX_CONNECTIONS=1"}},
    {"lazy", false, {"CUDA_MODULE_LOADING=LAZY"}},
    {"eager", false, {"CUDA_MODULE_LOADING=EAGER"}},
};

/// How a child ended.
struct result {
  enum { ended, crashed, no_progress, never_started } how;
  int status; // exit status if ended, signal if crashed
};

/// Returns this process's environment variables, without the three of CUDA and with those of the environment.
std::vector<char*> variables_of(environment const& e) {
  std::vector<char*> result;
  for (char** at = environ; *at; ++at) {
    std::string_view const v = *at;
    if (!v.starts_with("CUDA_LAUNCH_BLOCKING=") && !v.starts_with("CUDA_DEVICE_MAX_CONNECTIONS=") &&
        !v.starts_with("CUDA_MODULE_LOADING="))
      result.push_back(*at);
  }
  for (char const* v : e.variables) result.push_back(const_cast<char*>(v));
  result.push_back(nullptr);
  return result;
}

result run(example const& e, environment const& where, milliseconds limit) {
  auto const variables = variables_of(where);
  cudax_test::child child({"execution_model", "--watched", e.name}, variables.data());
  char byte = 0;
  bool const begun = child.read_byte(start_limit, byte); // false also where the process ends
  bool const has_ended = child.ends_within(begun ? limit : end_grace);
  if (!has_ended) return {begun ? result::no_progress : result::never_started, 0};
  if (WIFSIGNALED(child.status())) return {result::crashed, WTERMSIG(child.status())};
  return {result::ended, WEXITSTATUS(child.status())};
}

std::string describe(result const& r) {
  switch (r.how) {
  case result::no_progress: return "no progress";
  case result::never_started: return "CUDA did not start";
  case result::crashed: return "killed by signal " + std::to_string(r.status);
  case result::ended: break;
  }
  switch (end(r.status)) {
  case end::right: return "ended";
  case end::wrong: return "ended with a wrong value";
  case end::other_values: return "ended with another value";
  case end::cuda_error: return "ended with a CUDA error";
  case end::no_device: return "no device";
  }
  return "ended with status " + std::to_string(r.status);
}

char const* sentence(outcome o) {
  switch (o) {
  case outcome::ends: return "must end";
  case outcome::may_not_end: return "may make no progress";
  case outcome::is_undefined: return "undefined";
  case outcome::never_ends: return "cannot end";
  }
  return "";
}

bool fits(outcome o, result const& r) {
  bool const right = r.how == result::ended && end(r.status) == end::right;
  bool const other = r.how == result::ended && end(r.status) == end::other_values;
  bool const hangs = r.how == result::no_progress;
  switch (o) {
  case outcome::ends: return right;
  case outcome::may_not_end: return right || hangs;
  case outcome::is_undefined: return right || hangs || other;
  case outcome::never_ends: return hangs;
  }
  return false;
}

struct totals {
  int runs = 0, without_device = 0, wrong = 0;
};

void judge(example const& e, environment const& where, totals& sum) {
  outcome const expected = where.blocking ? e.if_blocking : e.expected;
  auto const begin = clock::now();
  result const r = run(e, where, expected == outcome::ends ? milliseconds(end_limit) : watch);
  double const seconds = std::chrono::duration<double>(clock::now() - begin).count();
  bool const no_device = r.how == result::ended && end(r.status) == end::no_device;
  bool const right = no_device || fits(expected, r);
  ++sum.runs;
  sum.without_device += no_device;
  sum.wrong += !right;
  std::printf("%-6s %-34s %-9s %-21s %-26s %5.1f s  %s\n", right ? "" : "WRONG", e.name, where.name, sentence(expected),
              describe(r).c_str(), seconds, e.reason);
  std::fflush(stdout);
}

std::vector<example const*> all_examples() {
  std::vector<example const*> all;
  for (auto const* e = example::first; e; e = e->next) all.push_back(e);
  std::ranges::sort(all, {}, [](example const* e) { return std::string_view(e->name); });
  return all;
}

[[noreturn]] void misused(std::string const& why) {
  std::fprintf(stderr, "execution_model: %s\n%s", why.c_str(), usage);
  std::exit(2);
}

int run_child(std::string_view name) {
  auto const all = all_examples();
  auto const found = std::ranges::find(all, name, [](example const* e) { return std::string_view(e->name); });
  if (found == all.end()) misused("no example is called '" + std::string(name) + "'");
  if (char const* const reason = (*found)->needs_device ? cudax_test::device_missing() : nullptr) {
    std::printf("skipped: %s\n", reason);
    return int(end::no_device);
  }
  return int((*found)->run());
}

int run_all(std::vector<std::string_view> const& names, std::vector<std::string_view> const& where) {
  for (std::string_view const name : names)
    if (std::ranges::none_of(all_examples(), [&](example const* e) { return e->name == name; }))
      misused("no example is called '" + std::string(name) + "'; --list names them");
  totals sum;
  for (example const* e : all_examples()) {
    if (!names.empty() && std::ranges::find(names, e->name) == names.end()) continue;
    for (environment const& v : environments) {
      bool const asked = std::ranges::find(where, v.name) != where.end();
      if (where.empty() ? &v == &environments[0] || e->several_kernels_or_host : asked) judge(*e, v, sum);
    }
  }
  std::printf("%d runs, %d wrong\n", sum.runs, sum.wrong);
  if (sum.wrong || sum.runs == 0) return 1;
  return sum.without_device == sum.runs ? int(end::no_device) : 0;
}

} // namespace

void started() {
  if (is_watched) cudax_test::tell_parent('s');
}

} // namespace execution_model

int main(int count, char** arguments) {
  using namespace execution_model;
  std::vector<std::string_view> names, where;
  for (int i = 1; i < count; ++i) {
    std::string_view const a = arguments[i];
    bool const more = i + 1 < count;
    is_watched = a == "--watched";
    if ((is_watched || a == "--child") && more) return run_child(arguments[i + 1]);
    if (a == "--list") {
      for (example const* e : all_examples()) std::printf("%s %d\n", e->name, e->several_kernels_or_host);
      return 0;
    }
    if (a == "--environment" && more) {
      where.push_back(arguments[++i]);
      if (std::ranges::none_of(environments, [&](environment const& e) { return e.name == where.back(); }))
        misused("--environment is '" + std::string(where.back()) + "'; use as_is, blocking, serial, lazy or eager");
    } else if (a == "--limit" && more) {
      double const seconds = std::atof(arguments[++i]);
      if (!(seconds > 0 && seconds < 3600)) misused("--limit is not a number of seconds above 0 and below 3600");
      watch = milliseconds(long(seconds * 1000));
    } else if (a.starts_with("--")) {
      misused("unknown argument '" + std::string(a) + "'");
    } else {
      names.push_back(a);
    }
  }
  return run_all(names, where);
}
