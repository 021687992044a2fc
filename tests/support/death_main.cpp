// SPDX-License-Identifier: Apache-2.0
//
// death_main: runs the cases of death.hpp, each in a child process, and compares how each ended with what it requires.
//
//   PROGRAM --side=host|device [--case=NUMBER]
//
// With --case the program is the child: it runs one case, and its exit code tells if the case returned. Without a
// device, --side=device exits with 77.
#include "death.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace cudax_test {

char const* device_missing(); // device.cpp, no_device.cpp

namespace {

death_case const* last_case = nullptr;

std::vector<death_case const*> all_cases() {
  std::vector<death_case const*> cases;
  for (auto const* c = last_case; c; c = c->next) cases.insert(cases.begin(), c);
  return cases;
}

constexpr int returned_code = 3; // exit codes of a child: the case returned; the kernel trapped
constexpr int trapped_code = 4;

[[noreturn]] void be_child(death_case const& c, bool on_device) {
  rlimit const no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (!on_device) {
    c.on_host();
    std::exit(returned_code);
  }
  char const* const error = c.on_device();
  if (!error) std::exit(returned_code);
  std::printf("\n[kernel ended with %s]\n", error);
  std::fflush(stdout);
  std::_Exit(trapped_code); // after a trap no CUDA call works, not even in destructors at exit
}

struct ending {
  int status;
  std::string text; // standard output and error
};

ending run_child(char const* program, char const* side, std::size_t number) {
  std::string const argument = "--case=" + std::to_string(number);
  int ends[2];
  if (pipe(ends) != 0) std::perror("death_main: pipe"), std::exit(2);
  pid_t const child = fork();
  if (child < 0) std::perror("death_main: fork"), std::exit(2);
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl("/proc/self/exe", program, side, argument.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  ending result{};
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof(buffer))) > 0;) result.text.append(buffer, std::size_t(got));
  close(ends[0]);
  waitpid(child, &result.status, 0);
  return result;
}

/// Returns whether a whole line of `text` matches `pattern`.
bool has_line(std::string_view text, std::string_view pattern) {
  auto const star = pattern.find('*');
  std::string_view const front = pattern.substr(0, star);
  std::string_view const back = star == pattern.npos ? std::string_view() : pattern.substr(star + 1);
  while (!text.empty()) {
    auto const end = text.find('\n');
    std::string_view const line = text.substr(0, end);
    if (star == pattern.npos
            ? line == pattern
            : line.size() >= front.size() + back.size() && line.starts_with(front) && line.ends_with(back))
      return true;
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
  }
  return false;
}

/// Returns what is wrong with how a case ended; the string is empty if it ended as required.
std::string complaint(death_case const& c, ending const& end, bool on_device) {
  bool const returned = WIFEXITED(end.status) && WEXITSTATUS(end.status) == returned_code;
  if (!c.sentence) return returned && end.text.empty() ? "" : "did not return without output";
  if (returned) return "returned";
  if (!on_device && !(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGABRT)) return "did not end by abort";
  if (on_device && !(WIFEXITED(end.status) && WEXITSTATUS(end.status) == trapped_code)) return "did not end by a trap";
  if (on_device && end.text.find("cudaErrorLaunchFailure") == std::string::npos &&
      end.text.find("cudaErrorIllegalInstruction") == std::string::npos)
    return "ended by an error other than a trap";
  if (!has_line(end.text, c.sentence)) return "did not print '" + std::string(c.sentence) + "'";
  return "";
}

} // namespace

death_case::death_case(char const* title, char const* sentence, void (*on_host)(), char const* (*on_device)())
  : title(title), sentence(sentence), on_host(on_host), on_device(on_device), next(last_case) {
  last_case = this;
}

} // namespace cudax_test

int main(int count, char** arguments) {
  using namespace cudax_test;
  std::string_view const side = count > 1 ? arguments[1] : "";
  if (count < 2 || (side != "--side=host" && side != "--side=device")) {
    std::fprintf(stderr, "usage: %s --side=host|device [--case=NUMBER]\n", arguments[0]);
    return 2;
  }
  bool const on_device = side == "--side=device";
  auto cases = all_cases();
  if (!on_device) std::erase_if(cases, [](death_case const* c) { return !c->on_host; });
  if (count > 2) {
    auto const number = std::strtoul(arguments[2] + std::strlen("--case="), nullptr, 10);
    if (number >= cases.size()) return 2;
    be_child(*cases[number], on_device);
  }
  if (on_device)
    if (char const* const reason = device_missing()) {
      std::printf("skipped: device deaths: %s\n", reason);
      return 77;
    }
  int failures = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ending const end = run_child(arguments[0], arguments[1], i);
    if (std::string const what = complaint(*cases[i], end, on_device); !what.empty()) {
      ++failures;
      std::printf("%s: %s; it ended with status 0x%x and printed:\n%s\n", cases[i]->title, what.c_str(), end.status,
                  end.text.c_str());
    }
  }
  std::printf("%zu cases on the %s, %d failures\n", cases.size(), on_device ? "device" : "host", failures);
  return cases.empty() || failures != 0;
}
