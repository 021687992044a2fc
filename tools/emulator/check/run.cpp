// SPDX-License-Identifier: Apache-2.0
//
// run: whose turn it is, and time.
#include "run.hpp"
#include "../machine/grid.hpp"
#include "../machine/mode.hpp"
#include "findings.hpp"
#include "statistics.hpp"

#include <algorithm>

namespace emulator::check {
namespace {

constexpr std::uint64_t start_of_time = 1'780'000'000'000'000'000; // nanoseconds since 1970: in 2026
constexpr int turns_between_visits = 256;
constexpr std::uint64_t idle_turns = 3; // of a thread that is taken to wait

// A livelock is what lasts so long without a change: rounds of all threads, seconds of virtual and of real time. A host that
// is to write what the device waits for has this much real time.
constexpr std::uint64_t rounds_without_progress = 500;
constexpr auto real_time_without_progress = std::chrono::seconds(5);

std::unique_ptr<run>& the_run() {
  static auto& only = *new std::unique_ptr<run>;
  return only;
}

} // namespace

run::run(std::uint64_t seed)
  : chance(seed), model(chance, [](finding const& f) { report(f); }), time(start_of_time), style_(int(chance.below(4))),
    progress_(std::chrono::steady_clock::now()) {}

run& now() {
  auto& r = the_run();
  static std::once_flag once;
  std::call_once(once, [&] {
    if (!r) r = std::make_unique<run>(process_mode.seed);
    if (process_mode.counts) print_statistics_at_end();
  });
  return *r;
}

void restart(std::uint64_t seed) {
  now();
  the_run() = std::make_unique<run>(seed);
}

void run::post(std::function<void(run&)> f) {
  std::lock_guard const lock(mutex_);
  posted_.push_back(std::move(f));
}

void run::take_posted() {
  std::vector<std::function<void(run&)>> taken;
  {
    std::lock_guard const lock(mutex_);
    taken.swap(posted_);
  }
  if (!taken.empty()) progressed();
  for (auto const& f : taken) f(*this);
}

void run::make_ready(thread& t) {
  t.state = state::ready;
  if (t.is_listed) return;
  t.is_listed = true;
  ready.push_back(&t);
}

void run::add(resident_block& b) {
  model.begin_block(b);
  for (thread& t : b.threads) {
    model.begin_thread(t);
    make_ready(t);
  }
  progressed();
}

void run::remove(resident_block& b) {
  std::erase_if(ready, [&](thread* t) { return t->block == &b; });
  std::erase_if(asleep, [&](auto const& entry) { return entry.second->block == &b; });
  copies.end_block(*this, b);
  for (warp const& w : b.warps) aligned.erase(&w);
  model.end_block(b);
  misuse.end_block(b);
  progressed();
}

void run::progressed() { turns_at_progress_ = turns_; }

/// Any of those who are ready; less often one that has changed nothing for some turns, because it probably waits in a loop
/// for one of the others.
std::size_t run::choose() {
  std::size_t index = 0;
  for (int attempt = 0; attempt < 6; ++attempt) {
    index = chance.below(std::uint32_t(ready.size()));
    if (ready[index]->seen < idle_turns || chance.once_in(6)) break;
  }
  return index;
}

/// Mostly short, so that others come between any two operations; now and then so long that a thread does all it has to.
int run::quantum(thread const& t) {
  if (t.seen >= idle_turns) return int(chance.below(3));
  if (chance.once_in(64)) return 500;
  switch (style_) {
  case 0: return int(chance.below(30));
  case 1: return int(chance.below(4));
  case 2: return chance.once_in(4) ? int(chance.below(60)) : int(chance.below(3));
  default: return int(chance.below(200));
  }
}

/// The first sleeper, and all that wake with it. Time jumps there where nobody else runs.
bool run::wake_next() {
  if (asleep.empty()) return false;
  time = std::max(time, asleep.begin()->first);
  while (!asleep.empty() && asleep.begin()->first <= time) {
    thread& t = *asleep.begin()->second;
    asleep.erase(asleep.begin());
    make_ready(t);
  }
  return true;
}

void run::after_turn(thread& t, std::size_t index, int used) {
  t.seen = turns_at_progress_ == turns_ ? 0 : t.seen + 1;
  ++turns_, ++counted.turns;
  // Where nothing changes, threads wait for time to pass; so it passes faster.
  std::uint64_t const idle = (turns_ - turns_at_progress_) / (ready.size() + asleep.size() + 1);
  time += std::uint64_t(used) * (idle > 200 ? 10'000 : idle > 50 ? 100 : 2);
  trace = (trace ^ (std::uint64_t(t.pc - t.frame->function->operations.data()) << 32 ^ t.number ^
                    std::uint64_t(t.block->ctaid[0]) << 12 ^ std::uint64_t(used) << 48)) *
          0x9e3779b97f4a7c15;
  trace ^= trace >> 29;
  if (t.state == state::ready) return;
  ready[index] = ready.back();
  ready.pop_back();
  t.is_listed = false;
  if (t.state == state::sleeping) asleep.emplace(t.wake, &t);
  else progressed();
}

bool run::is_livelocked() {
  auto const real = std::chrono::steady_clock::now();
  if ((turns_ - turns_at_progress_) < rounds_without_progress * (ready.size() + asleep.size())) {
    progress_ = real;
    return false;
  }
  return real - progress_ > real_time_without_progress;
}

outcome run::turns(thread* volatile& current) {
  for (int i = 0; i < turns_between_visits; ++i) {
    if (!copies.empty() && (ready.empty() || chance.once_in(8))) {
      copies.advance(*this, current);
      continue;
    }
    if (!asleep.empty() && (ready.empty() || asleep.begin()->first <= time)) wake_next();
    if (ready.empty()) return outcome::nothing_to_run;
    std::size_t const index = choose();
    thread& t = *ready[index];
    int const given = quantum(t);
    t.budget = given;
    current = &t;
    t.pc->run(t, t.pc, t.frame->registers);
    after_turn(t, index, given + 1 - std::max(t.budget, 0));
    if (t.state == state::finished && resident(*t.block).alive == 0) {
      ended = &resident(*t.block);
      return outcome::block_ended;
    }
  }
  return is_livelocked() ? outcome::livelock : outcome::turns_are_over;
}

} // namespace emulator::check
