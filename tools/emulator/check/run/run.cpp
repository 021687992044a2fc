// SPDX-License-Identifier: Apache-2.0
//
// run: which thread runs, and time.
#include "run.hpp"
#include "../../machine/grid.hpp"
#include "../../machine/mode.hpp"
#include "../../machine/program.hpp"
#include "../../machine/scheduler.hpp"
#include "../../machine/watch.hpp"
#include "findings.hpp"
#include "observed.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <thread>
#include <tuple>

namespace emulator::check {
namespace {

constexpr std::uint64_t start_of_time = 1'780'000'000'000'000'000; // nanoseconds since 1970: in 2026
constexpr std::size_t turns_between_visits = 256;
constexpr std::uint64_t idle_turns = 3; // of a thread that is taken to wait
constexpr int polls_of_a_turn = 3;

// A straggler (stragglers.hpp) is held for so many turns of each thread, or for so many rounds of all threads without a
// change. After the latter a thread that is delayed (delays.hpp) continues, too.
constexpr std::uint64_t turns_of_a_straggler = 64, rounds_of_stragglers = 4;

std::unique_ptr<run>& the_run() {
  static auto& only = *new std::unique_ptr<run>;
  return only;
}

} // namespace

run::run(std::uint64_t seed)
  : chance(seed), model(chance, [](finding const& f) { report(f); }), time(start_of_time), style_(int(chance.below(4))),
    delays_(seed) {
  if (patience().count() > 0) standstill.time_for_host = patience();
}

run& current_run() {
  auto& r = the_run();
  static std::once_flag once;
  std::call_once(once, [&] {
    if (!r) r = std::make_unique<run>(process_mode.seed);
    if (process_mode.counts_instructions) print_statistics_at_end();
  });
  return *r;
}

void restart(std::uint64_t seed) {
  current_run();
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

void run::swap(std::size_t a, std::size_t b) {
  std::swap(ready[a], ready[b]);
  ready[a]->observed->listed_at = std::uint32_t(a);
  ready[b]->observed->listed_at = std::uint32_t(b);
}

/// Requires: it is listed, and polls
void run::set_active(thread& t) {
  if (t.observed->polled) {
    auto& others = polling_[t.observed->polled];
    others[t.observed->polls_at] = others.back();
    others[t.observed->polls_at]->observed->polls_at = t.observed->polls_at;
    others.pop_back();
  }
  swap(t.observed->listed_at, active_++);
}

/// Requires: it is listed, and does not poll
void run::set_polling(thread& t) {
  swap(t.observed->listed_at, --active_);
  if (!t.observed->polled) return;
  auto& others = polling_[t.observed->polled];
  t.observed->polls_at = std::uint32_t(others.size());
  others.push_back(&t);
}

void run::unlist(thread& t) {
  if (!t.observed->is_listed) return;
  if (t.observed->listed_at >= active_) set_active(t);
  swap(t.observed->listed_at, --active_);
  swap(t.observed->listed_at, ready.size() - 1);
  ready.pop_back();
  t.observed->is_listed = false;
}

void run::make_ready(thread& t) {
  t.state = state::ready;
  if (t.observed->is_listed) return;
  t.observed->is_listed = true;
  t.observed->listed_at = std::uint32_t(ready.size());
  ready.push_back(&t);
  swap(t.observed->listed_at, active_++);
  if (t.observed->turns_in_vain >= idle_turns) set_polling(t);
}

void run::add(resident_block& b) {
  model.begin_block(b);
  auto& observed = blocks_[&b] = std::make_unique<observed_block>();
  observed->threads.resize(b.threads.size());
  b.observed = observed.get();
  standstill.block_begins(b);
  for (thread& t : b.threads) {
    t.observed = &observed->threads[t.number];
    model.begin_thread(t);
    make_ready(t);
  }
  progressed();
}

void run::remove(resident_block& b) {
  for (thread& t : b.threads) unlist(t);
  std::erase_if(asleep, [&](auto const& entry) { return entry.second->block == &b; });
  stragglers_.end_block(b);
  if (delays_.held() && delays_.held()->block == &b) delays_.end(turns_, b.threads.size());
  copies.end_block(b);
  early_meetings.end_block(b);
  for (warp const& w : b.warps) aligned.erase(&w);
  model.end_block(b);
  misuse.end_block(b);
  transactions.end_block(b);
  phases.end_block(b);
  for (thread& t : b.threads) t.observed = nullptr;
  b.observed = nullptr;
  standstill.block_ends(b);
  blocks_.erase(&b);
  progressed();
}

void run::progressed() {
  moved();
  standstill.changed(turns_);
}

namespace {

std::uint64_t number_of(std::byte const* where) { return reinterpret_cast<std::uintptr_t>(where) / 8; }

} // namespace

/// Some of the threads that poll it poll again soon, and now and then all of them.
void run::changed(std::byte const* where, std::size_t size) {
  progressed();
  gets_ahead_ = true;
  if (active_ == ready.size()) return;
  for (std::uint64_t at = number_of(where); at <= number_of(where + size - 1); ++at) {
    auto const found = polling_.find(at);
    if (found == polling_.end() || found->second.empty()) continue;
    if (delays_.is_due(delays::moment::release, turns_)) [[unlikely]]
      if (std::ranges::any_of(found->second, [&](thread const* t) { // of the 8 bytes it may have read others
            return std::size_t(t->observed->polled_where - where) < size;
          }))
        delay(*running_);
    auto const many = std::uint32_t(found->second.size());
    for (std::uint32_t n = chance.once_in(32) ? many : std::min(many, 1 + chance.below(4)); n > 0; --n) {
      thread& t = *found->second[chance.below(std::uint32_t(found->second.size()))];
      t.observed->turns_in_vain = idle_turns - 2;
      set_active(t);
    }
  }
}

void run::reads(thread& t, std::byte const* where, std::uint32_t size, bool is_strong) {
  t.observed->polled_at = t.pc;
  t.observed->polled_where = where;
  t.observed->polled_size = size;
  std::uint64_t const number = reinterpret_cast<std::uintptr_t>(where);
  standstill.reads(t, where, size, is_strong);
  if (std::find(t.observed->read.begin(), t.observed->read.end(), number) == t.observed->read.end()) {
    std::move_backward(t.observed->read.begin(), t.observed->read.end() - 1, t.observed->read.end());
    t.observed->read[0] = number;
    gets_ahead_ = true;
    return;
  }
  // The rest of a long turn would be more of the same.
  if (++polls_ > polls_of_a_turn && !gets_ahead_) t.budget = std::min(t.budget, 2);
  if (t.observed->listed_at < active_) t.observed->polled = number_of(where);
}

poll run::poll_of(thread const& t) {
  observed_thread const& o = *t.observed;
  if (!t.frame || !t.frame->function->holds(o.polled_at)) return {}; // it has polled nothing, or in another function
  return {o.polled_at, model.describe(t, o.polled_where, o.polled_size)};
}

/// Any thread that is ready. A thread that probably waits in a loop for another one is chosen less often: in at most
/// one of seven cases, however many such threads there are, so that the holder of a lock makes progress.
thread& run::choose() {
  auto const active = std::uint32_t(active_), polling = std::uint32_t(ready.size() - active_);
  // Mostly one after the other: any one of them may be the one that can continue, as the next in a queue.
  if (active == 0) return *ready[chance.once_in(4) ? chance.below(polling) : ++next_poll_ % polling];
  std::uint32_t const weight = std::min(polling, std::max(1u, active * 6 / 7));
  std::uint32_t const chosen = chance.below(active * 6 + weight);
  return *ready[chosen < active * 6 ? chosen / 6 : active + chance.below(polling)];
}

/// Mostly short, so that other threads run between any two operations; now and then so long that a thread runs to its
/// end.
int run::quantum(thread const& t) {
  if (t.observed->turns_in_vain >= idle_turns) return int(chance.below(3));
  if (chance.once_in(64)) return 500;
  switch (style_) {
  case 0: return int(chance.below(30));
  case 1: return int(chance.below(4));
  case 2: return chance.once_in(4) ? int(chance.below(60)) : int(chance.below(3));
  default: return int(chance.below(200));
  }
}

/// Wakes the first sleeper, and all that wake with it. Where no thread runs, time jumps there.
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

void run::after_turn(thread& t, int used) {
  if (gets_ahead_) t.observed->turns_in_vain = 0;
  else if (polls_ > 0) ++t.observed->turns_in_vain;
  gets_ahead_ = false;
  polls_ = 0;
  ++turns_, ++run_statistics.turns;
  // Where nothing changes, threads wait for time to pass; so it passes faster.
  std::uint64_t const idle = (turns_ - turns_at_progress_) / (ready.size() + asleep.size() + 1);
  time += std::uint64_t(used) * (idle > 200 ? 10'000 : idle > 50 ? 100 : 2);
  trace = (trace ^ (std::uint64_t(t.pc - t.frame->function->operations.data()) << 32 ^ t.number ^
                    std::uint64_t(t.block->ctaid[0]) << 12 ^ std::uint64_t(used) << 48)) *
          0x9e3779b97f4a7c15;
  trace ^= trace >> 29;
  standstill.turn_ends(t);
  if (t.state == state::ready) {
    if (delays_.is_due(delays::moment::turn, turns_)) [[unlikely]]
      delay(t);
    if (t.observed->falls_behind) return unlist(t);
    bool const polls = t.observed->listed_at >= active_;
    if (polls && t.observed->turns_in_vain < idle_turns) set_active(t);
    else if (!polls && t.observed->turns_in_vain >= idle_turns) set_polling(t);
    return;
  }
  unlist(t);
  if (t.state == state::sleeping) return void(asleep.emplace(t.wake, &t));
  t.observed->turns_in_vain = 0;
  if (t.state == state::finished) progressed();
  else moved(); // it waits at a barrier, perhaps in a loop
}

bool run::falls_behind(thread& t, std::byte const* where, std::uint64_t phase) {
  std::uint64_t const until = turns_ + turns_of_a_straggler * (ready.size() + asleep.size());
  if (!stragglers_.falls_behind(chance, t, where, phase, until)) return false;
  t.observed->falls_behind = true;
  t.budget = std::min(t.budget, 0);
  return true;
}

void run::delay(thread& t) {
  if (t.observed->falls_behind || !delays_.hold(t, turns_, ready.size() + asleep.size())) return;
  t.observed->falls_behind = true;
  t.budget = std::min(t.budget, 0);
}

/// Those that nothing else depends on any more, and, if nothing gets ahead without them, all.
void run::resume_stragglers() {
  if (stragglers_.empty() && !delays_.held()) return;
  std::uint64_t const others = ready.size() + asleep.size();
  bool const is_stuck = copies.empty() && (others == 0 || turns_ - turns_at_progress_ > rounds_of_stragglers * others);
  auto const resume = [&](thread& t) {
    t.observed->falls_behind = false;
    if (t.state == state::ready) make_ready(t); // else it waits for lanes of its warp, say
  };
  stragglers_.resume(turns_, is_stuck, [&](std::byte const* where) { return phases.of(where); }, resume);
  if (thread* const late = delays_.held(); late && (is_stuck || delays_.is_over(turns_))) {
    delays_.end(turns_, others + 1);
    resume(*late);
  }
}

/// An endless loop that computes is no livelock, and a GPU would be silent.
void run::report_long_runs() {
  auto const now = std::chrono::steady_clock::now();
  if (turn_of_change_ != standstill.last_change() || standstill.waits_for_host()) {
    turn_of_change_ = standstill.last_change();
    time_of_change_ = now;
    return;
  }
  auto const since = now - time_of_change_;
  if (patience().count() == 0 || since < patience()) return;
  for (block const* const b : standstill.residents()) {
    if (!is_first_report(*b->grid)) continue;
    std::vector<block const*> of_grid;
    for (block const* const other : standstill.residents())
      if (other->grid == b->grid) of_grid.push_back(other);
    report_long_run(*b->grid,
                    "it has changed no memory for " +
                        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(since).count()) +
                        " s, and some of its threads get ahead",
                    describe_waiters(of_grid, [this](thread const& t) { return poll_of(t); }) +
                        b->grid->scheduler->describe_blocks_to_begin());
  }
}

/// Blocks with lanes that wait at early meetings, in an order that is the same for the same seed.
std::vector<block*> run::blocks_that_meet_early() const {
  std::vector<block*> result;
  if (!process_mode.converges_early) return result;
  for (auto const& [b, _] : blocks_)
    if (check::early_meetings::has_waiters(*b)) result.push_back(b);
  std::ranges::sort(result, {}, [](block const* b) { return std::tuple(b->grid->number, b->ctaid); });
  return result;
}

bool run::end_early_meetings(bool for_good) {
  auto const blocks = blocks_that_meet_early();
  for (block* const b : blocks) early_meetings.end(*b, for_good);
  if (!blocks.empty()) progressed();
  return !blocks.empty();
}

observer::turns run::run_turns(thread* volatile& current) {
  running_ = nullptr; // the last turn may have ended with a fault
  std::size_t const threads = ready.size() + asleep.size();
  std::size_t visit = turns_between_visits;
  report_long_runs();
  if (threads > 0) {
    auto const now = standstill.query(turns_, threads);
    if (now.is_stuck && end_early_meetings(now.took_polls)) return {observer::outcome::turns_are_over};
    if (now.is_over) return {observer::outcome::livelock};
    time += now.time;
    if (now.pause.count() > 0) {
      std::this_thread::sleep_for(now.pause);
      visit = std::max(visit, threads);
    }
  }
  for (std::size_t i = 0; i < visit; ++i) {
    resume_stragglers();
    if (!copies.empty() && (ready.empty() || chance.once_in(8))) {
      copies.advance(*this, current);
      continue;
    }
    if (!asleep.empty() && (ready.empty() || asleep.begin()->first <= time)) wake_next();
    if (ready.empty() && !end_early_meetings()) return {observer::outcome::nothing_to_run};
    thread& t = choose();
    int const given = quantum(t);
    t.budget = given;
    current = running_ = &t;
    t.pc->run(t, t.pc, t.frame->registers);
    running_ = nullptr;
    after_turn(t, given + 1 - std::max(t.budget, 0));
    if (t.state == state::finished && resident(*t.block).alive == 0) {
      model.check_visits({t, t.pc}, [this](void const* mbarrier) { return phases.awaited(mbarrier); });
      copies.finish(*this, t, current);
      return {observer::outcome::block_ended, &resident(*t.block)};
    }
  }
  return {observer::outcome::turns_are_over};
}

} // namespace emulator::check
