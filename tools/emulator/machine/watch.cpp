// SPDX-License-Identifier: Apache-2.0
//
// watch: see the header.
#include "watch.hpp"
#include "early_meeting.hpp"
#include "faults.hpp"
#include "grid.hpp"
#include "readable_name.hpp"
#include "scheduler.hpp"
#include "special.hpp"
#include "waiters.hpp"

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

/// A lane that waits for others of its warp because it meets them early, and one of those that runs; nulls where there
/// are none.
std::pair<thread const*, thread const*> lanes_that_hang(resident_block const& b) {
  auto const first_of = [](warp const& w, std::uint32_t lanes) {
    return w.threads[std::size_t(std::countr_zero(lanes))];
  };
  for (warp const& w : b.warps)
    for (early_wait const& wait : early_waits(w))
      for (std::uint32_t rest = wait.missing; rest; rest &= rest - 1)
        if (thread const* const other = first_of(w, rest);
            other->state == state::ready || other->state == state::sleeping)
          return {first_of(w, wait.waiting), other};
  return {};
}

/// A line that explains why lanes hang that meet early; empty where none do.
std::string describe_early_meeting(resident_block const& b) {
  auto const [waits, runs] = lanes_that_hang(b);
  if (!waits) return {};
  auto const place = [](thread const& t, operation const* o) { return describe_place(t, *t.frame->function, o); };
  std::string text = "\n  possible hang because of early convergence: ptxas may let the lanes of a warp meet before " +
                     place(*waits, waits->pc) + ", because of " + place(*waits, cause_of_early_meeting(waits->pc)) +
                     ", and a lane runs at " + place(*runs, runs->pc);
  if (operation const* const loop = end_of_loop(*runs->frame->function, runs->pc))
    text += ", in the loop that ends at " + place(*runs, loop);
  return text + "; if it waits for a store after the first place, " + advice_on_early_meetings;
}

void tell_description(resident_block const& b) {
  std::string text = describe_waiters({&b});
  if (text.empty()) return;
  std::lock_guard const lock(all().mutex);
  if (all().places.emplace(b.grid->number, std::move(text)).second) all().changed.notify_all();
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
  std::uint64_t const ran = global_timer() - b.began;
  if (limit == 0 || ran <= limit || !is_first_report(*b.grid)) return;
  report_long_run(*b.grid, "a block of it has run for " + std::to_string(ran / 1'000'000'000) + " s and has not ended",
                  describe_waiters({&b}) + describe_early_meeting(b) + b.grid->scheduler->describe_blocks_to_begin());
}

bool is_first_report(grid const& g) {
  std::lock_guard const lock(all().mutex);
  return all().said.emplace(g.launch.kernel->name).second;
}

void report_long_run(grid const& g, std::string const& what, std::string const& lines) {
  std::string const text = "cudax.sync emulator: kernel " + readable_name(g.launch.kernel->name) + ": " + what +
                           ": an endless loop, or a wait for what has not come? (Printed once for a kernel; "
                           "CUDAX_EMULATOR_PATIENCE=SECONDS changes when, 0: never.)" +
                           lines + "\n";
  std::fputs(text.c_str(), stderr);
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
