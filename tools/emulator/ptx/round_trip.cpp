// SPDX-License-Identifier: Apache-2.0
//
// round_trip [--write FOLDER] [--time] FILE...: parses each PTX file with all its bodies, prints it, parses the result
// and prints it again; the two texts must be equal. --write stores the first text in FOLDER under the file's name, for
// ptxas. --time prints the duration of each step.
#include "parse.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using clock_type = std::chrono::steady_clock;

double milliseconds(clock_type::time_point from, clock_type::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

/// Prints what is wrong, and returns true if nothing is.
bool check(std::string const& path, std::string const& folder, bool times) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) {
    std::fprintf(stderr, "round_trip: %s: cannot be read: %s\n", path.c_str(), std::strerror(errno));
    return false;
  }
  using namespace emulator::ptx;
  double const megabytes = double(text.size()) / 1e6;
  auto const start = clock_type::now();
  auto const first = parse(std::move(text), path);
  auto const scanned = clock_type::now();
  for (auto const& function : first->functions) parse_body(*first, *function);
  auto const parsed = clock_type::now();
  std::string const once = print(*first);
  auto const printed = clock_type::now();
  if (times) {
    std::printf("%s: %.2f MB: top level %.1f ms, bodies %.1f ms, print %.1f ms\n", path.c_str(), megabytes,
                milliseconds(start, scanned), milliseconds(scanned, parsed), milliseconds(parsed, printed));
  }
  if (!folder.empty()) {
    auto const to = std::filesystem::path(folder) / std::filesystem::path(path).filename();
    if (!(std::ofstream(to, std::ios::binary) << once << std::flush)) {
      std::fprintf(stderr, "round_trip: %s: cannot be written\n", to.c_str());
      return false;
    }
  }
  auto const second = parse(once, path + " (printed)");
  if (std::string const twice = print(*second); twice != once) {
    std::size_t at = 0;
    while (at < twice.size() && at < once.size() && twice[at] == once[at]) ++at;
    std::size_t const from = at < 40 ? 0 : at - 40;
    std::fprintf(stderr, "round_trip: %s: printed twice, two texts: from character %zu on\n%s\n--- and\n%s\n",
                 path.c_str(), at, once.substr(from, 120).c_str(), twice.substr(from, 120).c_str());
    return false;
  }
  return true;
}

} // namespace

int main(int count, char** arguments) {
  bool times = false, good = true;
  std::string folder;
  int files = 0;
  for (int i = 1; i < count; ++i) {
    std::string const argument = arguments[i];
    if (argument == "--write" && i + 1 < count) folder = arguments[++i];
    else if (argument == "--time") times = true;
    else {
      ++files;
      try {
        good = check(argument, folder, times) && good;
      } catch (std::exception const& error) {
        std::fprintf(stderr, "round_trip: %s\n", error.what());
        good = false;
      }
    }
  }
  if (files == 0) {
    std::fprintf(stderr, "usage: %s [--write FOLDER] [--time] FILE...\n", arguments[0]);
    return 2;
  }
  return good ? 0 : 1;
}
