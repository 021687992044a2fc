// SPDX-License-Identifier: Apache-2.0
//
// host_time: see the header. Linux counts the waits for a processor: /proc/self/task/N/schedstat. Where it does not,
// only real time counts.
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

/// "processor time, time waited, turns", in nanoseconds.
bool read_wait(char const* file, std::uint64_t& waited) {
  std::FILE* const f = std::fopen(file, "re");
  if (!f) return false;
  unsigned long long ran = 0, wait = 0;
  bool const is_read = std::fscanf(f, "%llu %llu", &ran, &wait) == 2;
  std::fclose(f);
  waited = wait;
  return is_read;
}

} // namespace

void host_time::begin() {
  began_ = read_ = std::chrono::steady_clock::now();
  first_.clear();
  longest_ = 0;
  read_delays();
}

void host_time::read_delays() {
  std::error_code error;
  for (auto const& each : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::string const name = each.path().filename();
    int number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    std::uint64_t waited = 0;
    if (number == gettid() || !read_wait((each.path() / "schedstat").c_str(), waited)) continue;
    longest_ = std::max(longest_, waited - first_.try_emplace(number, waited).first->second);
  }
}

std::chrono::nanoseconds host_time::passed() {
  auto const now = std::chrono::steady_clock::now();
  if (now - read_ > between_reads) {
    read_ = now;
    read_delays();
  }
  return now - began_ - std::chrono::nanoseconds(longest_);
}

} // namespace emulator::check
