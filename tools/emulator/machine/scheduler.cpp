// SPDX-License-Identifier: Apache-2.0
//
// scheduler: the turns of blocks: see the header.
#include "scheduler.hpp"
#include "faults.hpp"
#include "mode.hpp"
#include "readable_name.hpp"
#include "special.hpp"
#include "waiters.hpp"

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <sched.h>

namespace emulator {

using run_status = resident_block::run_status;

scheduler::scheduler(device_properties const& p) : properties(p), multiprocessors_(std::size_t(p.multiprocessors)) {
  install_signal_handlers();
}

scheduler::~scheduler() {
  {
    std::lock_guard const lock(mutex_);
    stops_ = true;
  }
  work_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void scheduler::start_workers() {
  if (!workers_.empty()) return;
  unsigned const count =
      properties.threads ? unsigned(properties.threads) : std::max(1u, std::thread::hardware_concurrency());
  if (is_checked_run()) workers_.emplace_back([this] { work_observed(); });
  else
    for (unsigned i = 0; i < count; ++i) workers_.emplace_back([this] { work(); });
}

void scheduler::enqueue(resident_block& b) {
  b.status = run_status::queued;
  queue_.push_back(&b);
  work_.notify_one();
}

void scheduler::wake_sleepers() {
  if (asleep_.empty()) return;
  std::uint64_t const now = global_timer();
  while (!asleep_.empty() && asleep_.begin()->first <= now) {
    resident_block& b = *asleep_.begin()->second;
    asleep_.erase(asleep_.begin());
    enqueue(b);
  }
}

std::uint64_t scheduler::nanoseconds_to_wait() const {
  std::uint64_t const now = global_timer(), wake = asleep_.begin()->first;
  return wake > now ? wake - now : 0;
}

void scheduler::work() {
  // PTX rounds as its instructions say: whatever the program did to the thread that this one inherits its mode from.
  std::fesetenv(FE_DFL_ENV);
  constexpr std::uint64_t too_short_to_sleep = 30'000; // nanoseconds; going to sleep and waking costs about as much
  constexpr int spins_before_yield = 8;
  int spins = 0;
  std::unique_lock lock(mutex_);
  while (!stops_) {
    wake_sleepers();
    if (queue_.empty()) {
      if (asleep_.empty()) work_.wait(lock);
      else if (std::uint64_t const wait = nanoseconds_to_wait(); wait > too_short_to_sleep) {
        work_.wait_for(lock, std::chrono::nanoseconds(wait));
      } else {
        lock.unlock();
        sched_yield();
        lock.lock();
      }
      continue;
    }
    resident_block& b = *queue_.front();
    queue_.pop_front();
    if (b.grid->stops) {
      end_block(b);
      continue;
    }
    b.status = run_status::running;
    b.woken = false;
    lock.unlock();
    if (!b.has_threads) make_threads(b);
    fault reason;
    turn_result const result = run_turn_guarded(b, reason);
    // Threads that spin wait for another thread, perhaps for a thread of the host that has no processor.
    if (result == turn_result::spins && ++spins >= spins_before_yield) {
      spins = 0;
      sched_yield();
    }
    lock.lock();
    after_turn(b, result, reason);
  }
}

void scheduler::after_turn(resident_block& b, turn_result result, fault const& reason) {
  grid& g = *b.grid;
  if (reason.error) fail_grid(g, reason);
  if (g.stops) return end_block(b);
  switch (result) {
  case turn_result::can_run:
  case turn_result::spins: return enqueue(b);
  case turn_result::sleeps:
    if (b.woken) return enqueue(b);
    b.status = run_status::asleep;
    asleep_.emplace(b.wake, &b);
    work_.notify_one(); // the others may sleep longer than this
    return;
  case turn_result::waits:
    if (b.woken) return enqueue(b);
    b.status = run_status::parked;
    if (!is_deadlocked(b)) return;
    break;
  case turn_result::ended: return end_block(b);
  case turn_result::stuck: break;
  }
  fail_grid(g, deadlock(b));
  end_block(b);
}

fault scheduler::deadlock(resident_block const& b) const {
  std::vector<block const*> blocks;
  for (block* const member : b.cluster->blocks)
    if (resident(*member).status != run_status::ended) blocks.push_back(member);
  return {702, std::string(deadlock_title) + describe_waiters(blocks) + list_blocks_to_begin()};
}

std::string scheduler::list_blocks_to_begin() const {
  std::string text;
  for (grid const* const g : grids_) {
    launch const& l = g->launch;
    std::uint64_t const all = l.grid.count(), left = (g->units - g->next_unit) * (all / g->units);
    if (left == 0 || g->stops) continue;
    text += "\n  kernel " + readable_name(l.kernel->name) + ": " +
            (left == all ? "none of its " + std::to_string(all) + " blocks has begun"
                         : std::to_string(left) + " of its " + std::to_string(all) + " blocks have not begun") +
            ", because no more fit on the device, which has " + std::to_string(properties.multiprocessors) +
            " SMs for at most " + std::to_string(properties.blocks_per_multiprocessor) + " blocks each";
  }
  return text;
}

std::string scheduler::describe_blocks_to_begin() {
  std::lock_guard const lock(mutex_);
  return list_blocks_to_begin();
}

bool scheduler::is_deadlocked(resident_block const& b) const {
  return std::all_of(b.cluster->blocks.begin(), b.cluster->blocks.end(), [](block* other) {
    run_status const status = resident(*other).status;
    return status == run_status::parked || status == run_status::ended;
  });
}

void scheduler::wake_others(block& b) {
  if (b.cluster->blocks.size() == 1) return;
  std::lock_guard const lock(mutex_);
  for (block* const other : b.cluster->blocks) {
    if (other == &b) continue;
    resident_block& r = resident(*other);
    if (r.status == run_status::running) r.woken = true;
    else if (r.status == run_status::parked) enqueue(r);
    else if (r.status == run_status::asleep) {
      auto const found = std::find_if(asleep_.begin(), asleep_.end(), [&](auto& entry) { return entry.second == &r; });
      asleep_.erase(found);
      enqueue(r);
    }
  }
}

void scheduler::fail_grid(grid& g, fault const& reason) {
  if (!g.fault.error) g.fault = reason;
  if (g.stops.exchange(true)) return;
  for (resident_block* const b : g.residents) {
    if (b->status == run_status::parked) enqueue(*b);
    if (b->status != run_status::asleep) continue;
    asleep_.erase(std::find_if(asleep_.begin(), asleep_.end(), [&](auto& entry) { return entry.second == b; }));
    enqueue(*b);
  }
}

void wake_cluster(block& b) {
  if (!is_checked_run()) return b.grid->scheduler->wake_others(b);
  for (block* const member : b.cluster->blocks)
    for (thread& t : member->threads)
      if (t.state == state::at_cluster && !waits_at_cluster(t)) make_ready(t);
}

bool cancel_next_block(block& b, std::uint32_t ctaid[3]) { return b.grid->scheduler->cancel(b, ctaid); }

struct device::workers : scheduler {
  using scheduler::scheduler;
};

device::device(device_properties const& p) : workers_(std::make_unique<workers>(p)) { workers_->owner = this; }
device::~device() = default;
device_properties const& device::properties() const { return workers_->properties; }

fault device::run(launch const& l) {
  if (fault const why = rejection(l); why.error) return why;
  return workers_->run(l);
}

} // namespace emulator
