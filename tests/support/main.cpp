// SPDX-License-Identifier: Apache-2.0
//
// main: runs the registered tests with Boost.Test.
//
//   PROGRAM [Boost.Test's arguments] [-- --side=host|device]
//
// A file is a suite, named by its path below tests/ with dots instead of slashes. Without --side both sides run. If
// there is no device, device tests are skipped with a message; with --side=device the program exits with 77, which
// CTest shows as skipped.
#include "test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cudax_test {

/// Returns why no device can be used, or null if one can. Defined in device.cpp for CUDA programs, else in
/// no_device.cpp.
char const* device_missing();

namespace {

test_case* first_case = nullptr;
std::optional<side> wanted_side; // both where empty

/// tests/std/atomic/fetch_add.run.cpp -> std.atomic.fetch_add
std::string suite_name(std::string_view file) {
  if (auto const tests = file.rfind("tests/"); tests != file.npos) file.remove_prefix(tests + 6);
  file = file.substr(0, file.find('.'));
  std::string name(file);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

/// Boost.Test reserves some characters in names.
std::string case_name(test_case const& test) {
  std::string name = test.title;
  if (test.where == side::device) name += " (device)";
  if (*test.placement) name += std::string(" [") + test.placement + "]";
  for (char& c : name)
    if (std::strchr("/,:!@+*", c)) c = ' ';
  return name;
}

/// Returns how long a test may take: ten minutes, or the value of the environment variable CUDAX_TEST_SECONDS.
int seconds_wanted() {
  char const* const text = std::getenv("CUDAX_TEST_SECONDS");
  int const seconds = text ? std::atoi(text) : 600;
  if (seconds > 0) return seconds;
  std::fprintf(stderr, "CUDAX_TEST_SECONDS is '%s'; use a number from 1\n", text);
  std::exit(2);
}

/// Ends the program if a test does not return, for example because a wait has missed its wake-up. Only ending the
/// program helps: neither a thread nor a kernel can be stopped from outside.
class watchdog {
  std::chrono::seconds const limit{seconds_wanted()};
  std::mutex mutex_;
  std::condition_variable_any over_;
  std::jthread thread_;

public:
  explicit watchdog(test_case const& test)
    : thread_([this, &test](std::stop_token stop) {
        std::unique_lock lock(mutex_);
        over_.wait_for(lock, stop, limit, [] { return false; });
        if (stop.stop_requested()) return;
        std::fprintf(stderr,
                     "%s:%d: \"%s\" %s has not ended after %d seconds (watchdog): a thread waits indefinitely, or the "
                     "machine is "
                     "slow; set CUDAX_TEST_SECONDS to a larger number\n",
                     test.file, test.line, test.title, test.placement, int(limit.count()));
        std::_Exit(3);
      }) {}
};

void run(test_case const& test) {
  watchdog const guard(test);
  auto const result = std::make_unique<report>();
  test.run(*result);
  for (int i = 0; i < std::min(result->failures, report::kept); ++i) {
    auto const& failure = result->first[i];
    BOOST_ERROR(failure.file << ":" << failure.line << ": " << failure.expression << " " << failure.values
                             << (failure.memory ? std::string(" in ") + failure.memory : ""));
  }
  if (result->failures > report::kept) BOOST_ERROR("and " << result->failures - report::kept << " failures more");
  BOOST_CHECK_MESSAGE(result->checked, test.file << ":" << test.line << ": the test checked nothing");
}

void add_tests() {
  using namespace boost::unit_test;
  std::map<std::string, test_suite*> suites;
  std::vector<test_case*> cases;
  for (test_case* test = first_case; test; test = test->next) cases.push_back(test);
  std::reverse(cases.begin(), cases.end());
  for (test_case* test : cases) {
    if (wanted_side && test->where != *wanted_side) continue;
    test_suite*& suite = suites[suite_name(test->file)];
    if (!suite) {
      suite = BOOST_TEST_SUITE(suite_name(test->file));
      framework::master_test_suite().add(suite);
    }
    suite->add(make_test_case([test] { run(*test); }, case_name(*test), test->file, test->line));
  }
}

} // namespace

test_case::test_case(char const* file, int line, char const* title, char const* placement, side where,
                     void (*run)(report&))
  : file(file), line(line), title(title), placement(placement), where(where), run(run), next(first_case) {
  first_case = this;
}

void run_host_threads(unsigned threads, void (*body)(void* context, unsigned rank), void* context) {
  // All threads begin at the same time; otherwise the first would end before the last begins. They spin, since waking a
  // thread takes longer than a test.
  std::atomic<unsigned> missing(threads);
  std::vector<std::jthread> running;
  for (unsigned rank = 0; rank < threads; ++rank)
    running.emplace_back([=, &missing] {
      --missing;
      while (missing != 0) std::this_thread::yield();
      body(context, rank);
    });
}

long long host_now() { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void host_yield() { std::this_thread::yield(); }

} // namespace cudax_test

/// Registers the tests. The main() of Boost.Test's static library calls it.
boost::unit_test::test_suite* init_unit_test_suite(int argc, char* argv[]) {
  using namespace cudax_test;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    if (argument == "--side=host") wanted_side = side::host;
    else if (argument == "--side=device") wanted_side = side::device;
    else {
      std::fprintf(stderr, "%s: argument '%s' is unknown; use --side=host or --side=device\n", argv[0], argv[i]);
      std::exit(2);
    }
  }
  if (wanted_side != side::host)
    if (char const* const reason = device_missing()) {
      std::printf("skipped: device tests: %s\n", reason);
      if (wanted_side == side::device) std::exit(77);
      wanted_side = side::host;
    }
  add_tests();
  return nullptr;
}
