// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace litmus_runner {

namespace {

char const usage[] =
    "usage: litmus_run [option]...\n"
    "\n"
    "Runs litmus tests on this machine's GPU, or on the emulator (tools/emulate), and prints a histogram of each.\n"
    "Exits with 1 if a forbidden outcome occurred.\n"
    "\n"
    "  --seconds N     run each test for N seconds (default 1)\n"
    "  --launches N    run each test in N launches, however long they take\n"
    "  --rounds N      rounds of a launch (default: as many as take some milliseconds)\n"
    "  --blocks N      use at most N blocks (default: all that the device holds at once)\n"
    "  --threads N     use at most N threads in a block: 32 to 512 (default 512)\n"
    "  --patience N    seconds after which a launch whose threads wait for each other is an error (default 20; 0: "
    "never)\n"
    "  --seed N        the seed of arrangements and stress (default 1)\n"
    "  --shard I/N     run every N-th test, from test I (0 to N - 1)\n"
    "  --no-races      no test with a data race; checked runs of the emulator report each race\n"
    "  --no-host       no test with threads of the host\n"
    "  --mutants       only mutants\n"
    "  --until-seen    run a mutant only until it is seen, and not at all if this GPU cannot show it\n"
    "  --score N       exit with 1 if fewer than N % of the observable mutants are seen, or if all those of a test "
    "survive\n"
    "  --skip N        leave out the first N tests; a run that ends because a kernel hangs goes on like this\n"
    "  --plain         no stress, and one stride\n"
    "  --test TEXT     only tests whose name contains TEXT; =TEXT: whose name is TEXT\n"
    "  --placement TEXT, --form library|ptx   likewise\n"
    "  --json FILE     write a JSON object per test to FILE; - writes them instead of the histograms\n"
    "  --trace         print the arrangement of each launch, and how often the outcome of `exists` occurred\n"
    "  --list          print the tests and run nothing\n"
    "  --help          this text\n";

[[noreturn]] void fail(char const* option, char const* value, char const* what) {
  std::fprintf(stderr, "litmus_run: %s is '%s'; %s\n", option, value, what);
  std::exit(2);
}

template <class T>
T number(char const* option, char const* text, T least, T most, char const* what) {
  T value{};
  char const* const end = text + std::strlen(text);
  auto const [rest, error] = std::from_chars(text, end, value);
  if (error != std::errc() || rest != end || value < least || value > most) fail(option, text, what);
  return value;
}

bool matches(std::string const& wanted, char const* name) {
  if (wanted.starts_with('=')) return wanted.substr(1) == name;
  return std::strstr(name, wanted.c_str());
}

} // namespace

arguments parse_arguments(int argc, char** argv) {
  arguments a;
  a.progress = isatty(2);
  for (int i = 1; i < argc; ++i) {
    std::string const option = argv[i];
    auto const value = [&] {
      if (++i == argc) fail(option.c_str(), "", "it needs an argument; see --help");
      return argv[i];
    };
    auto const count = [&](unsigned least, unsigned most, char const* what) {
      char const* const text = value();
      return number(option.c_str(), text, least, most, what);
    };
    if (option == "--seconds") {
      char const* const text = value();
      a.seconds = number(option.c_str(), text, 0.001, 1e6, "use a number of seconds, such as 0.5");
    } else if (option == "--launches") a.launches = count(1, 1000000000, "use a number from 1");
    else if (option == "--rounds") a.rounds = count(1, 1000000, "use a number from 1 to 1000000");
    else if (option == "--blocks") a.blocks = count(1, 100000, "use a number from 1");
    else if (option == "--threads") a.threads = count(32, 512, "use a multiple of 32 from 32 to 512") / 32 * 32;
    else if (option == "--patience") a.patience = count(0, 100000, "use a number of seconds");
    else if (option == "--seed") a.seed = count(0, ~0u, "use a number from 0 to 4294967295");
    else if (option == "--shard") {
      std::string const text = value();
      auto const slash = text.find('/');
      if (slash == std::string::npos) fail("--shard", text.c_str(), "use I/N, such as 0/4");
      a.shards = number("--shard", text.c_str() + slash + 1, 1u, 100000u, "use I/N, such as 0/4");
      a.shard = number("--shard", text.substr(0, slash).c_str(), 0u, a.shards - 1, "use I/N, such as 0/4");
    } else if (option == "--skip") a.skip = count(0, 1000000000, "use a number of tests");
    else if (option == "--failed") a.failed = true; // of a run that this one continues
    else if (option == "--no-races") a.no_races = true;
    else if (option == "--no-host") a.no_host = true;
    else if (option == "--mutants") a.mutants = true;
    else if (option == "--until-seen") a.until_seen = true;
    else if (option == "--score") a.score = count(1, 100, "use a percentage from 1 to 100");
    else if (option == "--plain") a.plain = true;
    else if (option == "--test") a.test = value();
    else if (option == "--placement") a.placement = value();
    else if (option == "--form") a.form = value();
    else if (option == "--json") a.json = value();
    else if (option == "--trace") a.trace = true;
    else if (option == "--list") a.list = true;
    else if (option == "--help" || option == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    } else {
      std::fprintf(stderr, "litmus_run: unknown argument '%s'; see --help\n", option.c_str());
      std::exit(2);
    }
  }
  return a;
}

bool chosen(arguments const& a, row const& r) {
  if (a.no_races && r.raced) return false;
  if (a.no_host && has_host(r)) return false;
  if (a.mutants && !*r.mutant_of) return false;
  return matches(a.test, r.test) && matches(a.placement, r.placement) && matches(a.form, r.form);
}

} // namespace litmus_runner
