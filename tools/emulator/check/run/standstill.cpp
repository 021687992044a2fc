// SPDX-License-Identifier: Apache-2.0
//
// standstill: see the header.
#include "standstill.hpp"
#include "../../machine/snapshot.hpp"

#include <algorithm>

namespace emulator::check {
namespace {

/// Rounds of all threads: before they are watched, and in the first period.
constexpr std::uint64_t first_rounds = 250;

constexpr int turns_between_pauses = 256;

/// Polls at one place in a period: after fewer of them, even a computation may look like a counter.
constexpr std::uint64_t least_steps = 4 * watched_steps::most;

constexpr std::uint64_t second = 1'000'000'000, day = 86'400 * second, year = 365 * day;
constexpr std::uint64_t jumps[] = {60 * second, 3600 * second, day, year, 100 * year};

} // namespace

watched_loop& standstill::watched(thread const& t) {
  auto& loop = t.observed->loop;
  if (!loop) loop = std::make_unique<watched_loop>();
  if (loop->period != period_) {
    loop->period = period_;
    loop->has_start = loop->repeats = loop->reads_time = loop->reads_more = false;
    if (loop->steps) loop->steps->at = nullptr;
  }
  if (loop->since != last_change_) {
    loop->since = last_change_;
    loop->polls = loop->count = 0;
  }
  return *loop;
}

void standstill::note_read(thread& t, observed_read where, bool is_strong) {
  watched_loop& loop = watched(t);
  if (is_strong) {
    ++loop.polls;
    if (watches_steps_ && !loop.repeats && !loop.reads_time) note_step(t, loop);
  }
  auto const end = loop.places.begin() + std::ptrdiff_t(loop.count);
  if (std::ranges::find(loop.places.begin(), end, where.address, &observed_read::address) != end) return;
  loop.reads_more = true;
  if (loop.count < loop.places.size()) loop.places[loop.count++] = where;
}

void standstill::note_step(thread const& t, watched_loop& loop) {
  if (!loop.steps) loop.steps = std::make_unique<watched_steps>();
  watched_steps& steps = *loop.steps;
  if (!steps.at) {
    steps.at = t.pc;
    steps.polls = steps.count = 0;
    step_from(steps.state, t);
    return;
  }
  if (t.pc != steps.at || steps.count > steps.most) return;
  ++steps.polls;
  std::uint64_t const step = step_from(steps.state, t);
  auto const end = steps.all.begin() + std::ptrdiff_t(steps.count);
  if (std::find(steps.all.begin(), end, step) != end) return;
  if (steps.count < steps.most) steps.all[steps.count] = step;
  ++steps.count;
}

/// Whether a thread that has not repeated its state and has read nothing new only polls, as far as one can see.
bool standstill::only_polls(watched_loop const& loop) const {
  if (loop.reads_time) return true;
  watched_steps const* const steps = loop.steps.get();
  return steps && steps->at && steps->polls >= least_steps && steps->count <= steps->most;
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

standstill::progress standstill::best_progress(std::uint64_t turn) const {
  bool const is_long = turn - last_change_ >= turns_of_polls;
  auto const of = [&](thread const& t) {
    if (t.state == state::finished) return progress::none;
    watched_loop const* const loop = t.observed->loop.get();
    // One that had no turn waits at a barrier, or its turn is still to come.
    if (!loop || loop->period != period_)
      return t.state == state::ready || t.state == state::sleeping ? progress::ahead : progress::none;
    if (loop->repeats) return progress::none;
    if (!is_long || loop->reads_more || !only_polls(*loop)) return progress::ahead;
    return loop->reads_time || loop->polls >= polls_of_each ? progress::none : progress::more_polls;
  };
  auto best = progress::none;
  for (block const* const b : residents_)
    for (thread const& t : b->threads)
      if (best = std::max(best, of(t)); best == progress::ahead) return best;
  return best;
}

void standstill::stop() {
  period_ = 0;
  stage_ = stage::watches;
  depends_on_time_ = false;
}

void standstill::begin_period(std::uint64_t turn, std::uint64_t turns) {
  // Steps cost time and memory: they are watched in the last period before threads may be known to poll, and later.
  std::uint64_t const with_steps = last_change_ + turns_of_polls / 2, is_long = last_change_ + turns_of_polls;
  watches_steps_ = turn >= with_steps;
  if (turn < is_long) turns = (watches_steps_ ? is_long : std::min(turn + turns, with_steps)) - turn;
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

standstill::answer standstill::query(std::uint64_t turn, std::size_t threads) {
  std::uint64_t const shortest = first_rounds * threads;
  if (!period_) {
    if (turn - last_change_ >= shortest) begin_period(turn, shortest);
    return {};
  }
  answer const go_on{.pause = stage_ == stage::waits_for_host ? pause() : std::chrono::nanoseconds()};
  if (turn < end_) return go_on;
  bool const jumps_on = stage_ == stage::lets_time_pass && next_jump_ < std::size(jumps);
  if (auto const best = jumps_on ? progress::none : best_progress(turn); best != progress::none) {
    stage_ = stage::watches;
    begin_period(turn, best == progress::ahead ? 2 * length_ : length_);
    return {};
  }
  switch (stage_) {
  case stage::watches:
    stage_ = stage::waits_for_host;
    host_.begin();
    proof_ = length_;
    begin_period(turn, proof_);
    return {.is_stuck = true, .took_polls = turn - last_change_ >= turns_of_polls};
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
