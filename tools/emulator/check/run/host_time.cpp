// SPDX-License-Identifier: Apache-2.0
//
// host_time: see the header. Linux counts processor time and the waits for a processor: /proc/self/task/N/schedstat.
// Where it does not, only real time counts.
#include "host_time.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace emulator::check {
namespace {

constexpr auto between_reads = std::chrono::milliseconds(200);

constexpr int slowest = 10; // time of the host, compared with real time

/// "processor time, time waited, turns", in nanoseconds: the sum of the first two.
bool read_busy(char const* file, std::uint64_t& busy) {
  std::FILE* const f = std::fopen(file, "re");
  if (!f) return false;
  unsigned long long ran = 0, wait = 0;
  bool const is_read = std::fscanf(f, "%llu %llu", &ran, &wait) == 2;
  std::fclose(f);
  busy = ran + wait;
  return is_read;
}

} // namespace

void host_time::begin() {
  began_ = read_ = std::chrono::steady_clock::now();
  first_.clear();
  longest_ = 0;
  read_busy_times();
}

void host_time::read_busy_times() {
  std::error_code error;
  for (auto const& each : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::string const name = each.path().filename();
    int number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    std::uint64_t busy = 0;
    if (number == gettid() || !read_busy((each.path() / "schedstat").c_str(), busy)) continue;
    std::uint64_t& first = first_.try_emplace(number, busy).first->second;
    first = std::min(first, busy); // a new thread may have the number of one that has ended
    longest_ = std::max(longest_, busy - first);
  }
}

std::chrono::nanoseconds host_time::passed() {
  auto const now = std::chrono::steady_clock::now();
  if (now - read_ > between_reads) {
    read_ = now;
    read_busy_times();
  }
  std::chrono::nanoseconds const real = now - began_;
  return std::max(real - std::chrono::nanoseconds(longest_), real / slowest);
}

} // namespace emulator::check
