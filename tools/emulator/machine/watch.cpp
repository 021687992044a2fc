// SPDX-License-Identifier: Apache-2.0
//
// watch: see the header.
#include "watch.hpp"
#include "faults.hpp"
#include "grid.hpp"
#include "special.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

namespace emulator {
namespace {

constexpr std::uint32_t turns_between_clock_reads = 64; // at the clock

std::uint64_t read_patience() {
  constexpr std::uint64_t default_seconds = 10, most_seconds = 1'000'000'000;
  char const* const text = std::getenv("CUDAX_EMULATOR_PATIENCE");
  std::uint64_t seconds = default_seconds;
  if (text && *text) {
    std::string_view const value = text;
    auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (error != std::errc() || end != value.data() + value.size() || seconds > most_seconds) {
      std::fprintf(stderr, "cudax.sync emulator: CUDAX_EMULATOR_PATIENCE is '%s'; use a number of seconds, 0: never\n",
                   text);
      std::_Exit(2);
    }
  }
  return seconds * 1'000'000'000;
}

std::atomic<std::uint64_t> ended{0};
std::atomic<std::size_t> running{0};

/// Kernels that were reported, and descriptions of grids. Never destroyed: workers may run when the program ends.
struct state_of_watch {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::string> said;                  ///< kernels
  std::map<std::uint64_t, std::string> places; ///< by the grid's number
};
state_of_watch& all() {
  static auto& only = *new state_of_watch;
  return only;
}
std::atomic<bool> descriptions_are_wanted{false};

/// A thread that can run, else one that waits; null where all have exited.
thread const* example(resident_block const& b) {
  thread const* waits = nullptr;
  for (thread const& t : b.threads) {
    if (t.state == state::ready) return &t;
    if (t.state != state::finished && !waits) waits = &t;
  }
  return waits;
}

/// Without the colon that describe() ends with.
std::string description_of(thread const& t) {
  std::string text = describe(t);
  while (text.ends_with(':') || text.ends_with(' ')) text.pop_back();
  return text;
}

void tell_description(resident_block const& b) {
  thread const* const t = example(b);
  if (!t) return;
  std::string text = description_of(*t);
  std::lock_guard const lock(all().mutex);
  if (all().places.emplace(b.grid->number, std::move(text)).second) all().changed.notify_all();
}

void hint(resident_block const& b) {
  thread const* const t = example(b);
  if (!t) return;
  {
    std::lock_guard const lock(all().mutex);
    if (!all().said.emplace(b.grid->launch.kernel->name).second) return;
  }
  std::string const text = "cudax.sync emulator: " + description_of(*t) + ": this block has run for " +
                           std::to_string((global_timer() - b.began) / 1'000'000'000) +
                           " s and goes on: an endless loop, or a wait for what has not come? (Said once for a kernel; "
                           "CUDAX_EMULATOR_PATIENCE=SECONDS says when, 0 never.)\n";
  std::fputs(text.c_str(), stderr);
}

} // namespace

std::chrono::nanoseconds patience() {
  static std::uint64_t const nanoseconds = read_patience();
  return std::chrono::nanoseconds(nanoseconds);
}

void watch(resident_block& b, turn_result result) {
  if (result == turn_result::ended) return;
  if (descriptions_are_wanted.load(std::memory_order_relaxed)) tell_description(b);
  // A block that sleeps has few turns.
  if (++b.turns % turns_between_clock_reads != 0 && result != turn_result::sleeps) return;
  auto const limit = std::uint64_t(patience().count());
  if (limit != 0 && global_timer() - b.began > limit) hint(b);
}

running_grid::running_grid() { ++running; }
running_grid::~running_grid() { --running; }

std::vector<std::string> describe_running_grids() {
  constexpr auto enough = std::chrono::seconds(10);
  descriptions_are_wanted = true;
  std::unique_lock lock(all().mutex);
  all().changed.wait_for(lock, enough, [] { return all().places.size() >= running; });
  std::vector<std::string> result;
  for (auto const& [_, text] : all().places) result.push_back(text);
  return result;
}

std::uint64_t blocks_that_ended() { return ended.load(std::memory_order_relaxed); }
void count_ended_block() { ended.fetch_add(1, std::memory_order_relaxed); }

} // namespace emulator
