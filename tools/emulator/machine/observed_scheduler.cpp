// SPDX-License-Identifier: Apache-2.0
//
// observed_scheduler: one worker for all threads of all blocks, among which the observer chooses.
// A resident block has the status `running` all the time; the queue holds the blocks that have just become resident.
#include "faults.hpp"
#include "observer.hpp"
#include "scheduler.hpp"

namespace emulator {

using run_status = resident_block::run_status;

void scheduler::start_observed() {
  the_observer().take_host_calls();
  while (!queue_.empty()) {
    resident_block& b = *queue_.front();
    queue_.pop_front();
    b.status = run_status::running;
    make_threads(b);
    the_observer().block_begins(b);
  }
}

/// Ends the blocks of a grid, wherever their threads are.
void scheduler::stop_observed(grid& g, fault const& reason) {
  if (!g.fault.error) g.fault = reason;
  g.stops = true;
  for (resident_block* const b : std::vector<resident_block*>(g.residents)) {
    if (b->status == run_status::ended) continue;
    if (b->status == run_status::queued) std::erase(queue_, b);
    else the_observer().block_ended(*b);
    end_block(*b);
  }
}

void scheduler::work_observed() {
  observer::turns turns;
  std::unique_lock lock(mutex_);
  while (!stops_) {
    start_observed();
    if (!the_observer().has_work() && residents_of_all().empty()) {
      work_.wait(lock);
      continue;
    }
    lock.unlock();
    fault reason;
    thread* failed = nullptr;
    bool const succeeded = run_guarded(
        [](void* data, thread* volatile& current) {
          *static_cast<observer::turns*>(data) = the_observer().run_turns(current);
        },
        &turns, reason, &failed);
    lock.lock();
    if (!succeeded) {
      the_observer().thread_failed(*failed, reason);
      stop_observed(*failed->block->grid, reason);
      continue;
    }
    switch (turns.why) {
    case observer::outcome::turns_are_over: break;
    case observer::outcome::block_ended:
      the_observer().block_ended(*turns.ended);
      end_block(*turns.ended);
      break;
    case observer::outcome::nothing_to_run: {
      auto const blocks = residents_of_all();
      if (blocks.empty() || !queue_.empty()) break;
      fault const f = the_observer().deadlock(blocks, list_blocks_to_begin());
      for (block* const b : blocks)
        if (resident(*b).status != run_status::ended) stop_observed(*b->grid, f);
      break;
    }
    case observer::outcome::livelock: {
      auto const blocks = residents_of_all();
      fault const f = the_observer().livelock(blocks, list_blocks_to_begin());
      for (block* const b : blocks)
        if (resident(*b).status != run_status::ended) stop_observed(*b->grid, f);
      break;
    }
    }
  }
}

/// All blocks that have not ended.
std::vector<block*> scheduler::residents_of_all() const {
  std::vector<block*> result;
  for (auto const& b : blocks_)
    if (b->status == run_status::running) result.push_back(b.get());
  return result;
}

} // namespace emulator
