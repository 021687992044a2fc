// SPDX-License-Identifier: Apache-2.0
//
// standstill: see the header.
#include "standstill.hpp"
#include "../machine/snapshot.hpp"

#include <algorithm>

namespace emulator::check {
namespace {

/// Rounds of all threads: before they are watched, and in the first period.
constexpr std::uint64_t first_rounds = 250;

constexpr int turns_between_pauses = 256;

constexpr std::uint64_t second = 1'000'000'000, day = 86'400 * second, year = 365 * day;
constexpr std::uint64_t jumps[] = {60 * second, 3600 * second, day, year, 100 * year};

} // namespace

watched_loop& standstill::watched(thread const& t) {
  auto& loop = t.observed->loop;
  if (!loop) loop = std::make_unique<watched_loop>();
  if (loop->period != period_) {
    loop->period = period_;
    loop->has_start = loop->repeats = loop->polls = loop->reads_more = false;
  }
  if (loop->since != last_change_) {
    loop->since = last_change_;
    loop->count = 0;
  }
  return *loop;
}

void standstill::note_read(thread& t, observed_read where, bool is_strong) {
  watched_loop& loop = watched(t);
  loop.polls |= is_strong;
  auto const end = loop.places.begin() + std::ptrdiff_t(loop.count);
  if (std::ranges::find(loop.places.begin(), end, where.address, &observed_read::address) != end) return;
  loop.reads_more = true;
  if (loop.count < loop.places.size()) loop.places[loop.count++] = where;
}

void standstill::note_state(thread const& t) {
  if (t.state == state::finished) return;
  watched_loop& loop = watched(t);
  if (loop.repeats) return;
  std::uint64_t const state = snapshot_of(t);
  if (!loop.has_start) {
    loop.has_start = true;
    loop.start = state;
    loop.start_of_all = snapshot_of_all(t);
    return;
  }
  loop.repeats = state == loop.start && snapshot_of_all(t) == loop.start_of_all;
}

bool standstill::any_gets_ahead(std::uint64_t turn) const {
  bool const is_long = turn - last_change_ >= turns_of_polls;
  auto const gets_ahead = [&](thread const& t) {
    if (t.state == state::finished) return false;
    watched_loop const* const loop = t.observed->loop.get();
    // One that had no turn waits at a barrier, or its turn is still to come.
    if (!loop || loop->period != period_) return t.state == state::ready || t.state == state::sleeping;
    return !loop->repeats && (!is_long || !loop->polls || loop->reads_more);
  };
  return std::ranges::any_of(residents_, [&](block const* b) { return std::ranges::any_of(b->threads, gets_ahead); });
}

void standstill::stop() {
  period_ = 0;
  stage_ = stage::watches;
  depends_on_time_ = false;
}

void standstill::begin_period(std::uint64_t turn, std::uint64_t turns) {
  // No later than when it is known of threads that poll.
  std::uint64_t const left = last_change_ + turns_of_polls - turn;
  if (turn < last_change_ + turns_of_polls) turns = std::min(turns, left);
  period_ = ++periods_;
  length_ = turns;
  end_ = turn + turns;
}

std::chrono::nanoseconds standstill::pause() {
  // At first short, so that a host that answers at once is not kept waiting; never much in a period.
  auto const in_period = std::chrono::nanoseconds(std::chrono::milliseconds(100)) * turns_between_pauses / length_;
  auto const longest = std::min<std::chrono::nanoseconds>(std::chrono::milliseconds(1), in_period);
  return std::min(longest, host_.passed() / 8);
}

standstill::answer standstill::ask(std::uint64_t turn, std::size_t threads) {
  std::uint64_t const shortest = first_rounds * threads;
  if (!period_) {
    if (turn - last_change_ >= shortest) begin_period(turn, shortest);
    return {};
  }
  answer const go_on{.pause = stage_ == stage::waits_for_host ? pause() : std::chrono::nanoseconds()};
  if (turn < end_) return go_on;
  bool const jumps_on = stage_ == stage::lets_time_pass && next_jump_ < std::size(jumps);
  if (!jumps_on && any_gets_ahead(turn)) {
    stage_ = stage::watches;
    begin_period(turn, 2 * length_);
    return {};
  }
  switch (stage_) {
  case stage::watches:
    stage_ = stage::waits_for_host;
    host_.begin();
    proof_ = length_;
    begin_period(turn, proof_);
    return {.is_stuck = true};
  case stage::waits_for_host:
    if (host_.passed() < time_for_host) break;
    if (!depends_on_time_) return {.is_over = true};
    stage_ = stage::lets_time_pass;
    next_jump_ = 0;
    [[fallthrough]];
  case stage::lets_time_pass:
    if (next_jump_ == std::size(jumps)) return {.is_over = true};
    begin_period(turn, ++next_jump_ < std::size(jumps) ? shortest : proof_);
    return {.time = jumps[next_jump_ - 1]};
  }
  begin_period(turn, proof_);
  return go_on;
}

} // namespace emulator::check
