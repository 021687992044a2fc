// SPDX-License-Identifier: Apache-2.0
//
// main: launches the kernels one by one, in a child process that is killed where a kernel does not end: a device thread
// that makes no progress cannot be stopped in any other way. The next child goes on with the next kernel.
#include "../support/child.hpp"
#include "cases.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string_view>

namespace cudax_test {
char const* device_missing(); // support/device.cpp
}

namespace lanes {

std::vector<test_case>& all_cases() {
  static std::vector<test_case> all;
  return all;
}

namespace {

using std::chrono::milliseconds;

constexpr char usage[] = R"(usage: lanes [--limit SECONDS] [--only TEXT]... | --list

Launches kernels in which lanes of a warp wait for each other before the warp converges. Each must end within the limit
(default 60 s), with the right counts.
  --only TEXT   only kernels whose name contains TEXT, or each of several TEXTs
The exit status is 0; 1 if a kernel did not end or was wrong; 77 if there is no device.
)";

constexpr auto start_limit = milliseconds(300'000); // for creating a context
enum answer : char { begins = 'b', right = 'r', wrong = 'w' };

std::vector<test_case const*> chosen(std::vector<std::string_view> const& texts) {
  std::vector<test_case const*> result;
  for (test_case const& c : all_cases())
    if (std::ranges::all_of(texts, [&](std::string_view text) { return c.name.find(text) != std::string::npos; }))
      result.push_back(&c);
  std::ranges::sort(result, {}, &test_case::name);
  return result;
}

/// Launches the kernel and returns what is wrong with its result.
std::string launch(test_case const& c, memory* device) {
  memory counted;
  void* arguments[] = {&device, const_cast<unsigned*>(&c.objects)};
  cudaError_t error = cudaMemset(device, 0, sizeof *device);
  if (!error) error = cudaLaunchKernel(reinterpret_cast<void const*>(c.kernel), 1, c.threads, arguments, 0, nullptr);
  if (!error) error = cudaMemcpy(&counted, device, sizeof counted, cudaMemcpyDeviceToHost);
  if (error) return cudaGetErrorString(error);
  unsigned const sum = std::accumulate(std::begin(counted.counts), std::end(counted.counts), 0u);
  if (sum == c.threads * c.visits) return "";
  return "the threads counted to " + std::to_string(sum) + ", not to " + std::to_string(c.threads * c.visits);
}

/// The child: tells its parent when CUDA has started, and how each launch ends.
int run_from(std::vector<test_case const*> const& cases, std::size_t first) {
  memory* device = nullptr;
  if (cudaError_t const error = cudaMalloc(&device, sizeof *device)) {
    std::fprintf(stderr, "lanes: cudaMalloc: %s\n", cudaGetErrorString(error));
    return 1;
  }
  cudax_test::tell_parent(begins);
  for (std::size_t i = first; i < cases.size(); ++i) {
    std::string const why = launch(*cases[i], device);
    if (!why.empty()) std::printf("WRONG  %s: %s\n", cases[i]->name.c_str(), why.c_str());
    std::fflush(stdout);
    cudax_test::tell_parent(why.empty() ? right : wrong);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1; // the error stays: another process goes on
  }
  return 0;
}

int run_all(std::vector<test_case const*> const& cases, milliseconds limit, std::vector<std::string> arguments) {
  std::size_t ended = 0, wrong_ones = 0, hung = 0;
  arguments.insert(arguments.begin(), {"lanes", "--from", ""});
  while (ended < cases.size()) {
    arguments[2] = std::to_string(ended);
    cudax_test::child child(arguments);
    char byte = 0;
    if (!child.read_byte(start_limit, byte)) {
      std::fprintf(stderr, "lanes: CUDA did not start\n");
      return 1;
    }
    while (ended < cases.size() && child.read_byte(limit, byte)) wrong_ones += byte == wrong, ++ended;
    if (ended == cases.size()) break;
    if (byte == wrong && child.ends_within(start_limit)) continue; // it has told of an error that stays
    std::printf("HANGS  %s\n", cases[ended]->name.c_str());
    std::fflush(stdout);
    ++hung, ++ended;
  }
  std::printf("%zu kernels, %zu do not end, %zu are wrong\n", cases.size(), hung, wrong_ones);
  return hung || wrong_ones || cases.empty();
}

} // namespace
} // namespace lanes

int main(int count, char** arguments) {
  using namespace lanes;
  std::vector<std::string_view> texts;
  std::vector<std::string> passed;
  milliseconds limit(60'000);
  char const* from = nullptr;
  for (int i = 1; i < count; ++i) {
    std::string_view const a = arguments[i];
    if (a == "--list") {
      for (test_case const* c : chosen(texts)) std::puts(c->name.c_str());
      return 0;
    }
    if (i + 1 == count || (a != "--only" && a != "--limit" && a != "--from")) {
      std::fprintf(stderr, "lanes: unknown argument '%s'\n%s", arguments[i], usage);
      return 2;
    }
    char const* const value = arguments[++i];
    if (a == "--only") {
      texts.push_back(value);
      passed.insert(passed.end(), {"--only", value});
    } else if (a == "--from") {
      from = value;
    } else {
      double const seconds = std::atof(value);
      if (!(seconds > 0 && seconds < 3600)) {
        std::fprintf(stderr, "lanes: --limit is '%s'; use a number of seconds above 0 and below 3600\n", value);
        return 2;
      }
      limit = milliseconds(long(seconds * 1000));
    }
  }
  if (from) return run_from(chosen(texts), std::strtoul(from, nullptr, 10));
  if (char const* const reason = cudax_test::device_missing()) {
    std::printf("skipped: %s\n", reason);
    return 77;
  }
  return run_all(chosen(texts), limit, passed);
}
