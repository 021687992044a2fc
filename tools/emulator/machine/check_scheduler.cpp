// SPDX-License-Identifier: Apache-2.0
//
// check_scheduler: one worker for all threads of all blocks, which check/run chooses from.
// A block that is resident is `worker` all the time; the queue holds those that have just become resident.
#include "../check/findings.hpp"
#include "../check/run.hpp"
#include "faults.hpp"
#include "scheduler.hpp"

#include <algorithm>

namespace emulator {

using place = resident_block::place;

void scheduler::start_checked() {
  check::run& r = check::now();
  r.take_posted();
  while (!queue_.empty()) {
    resident_block& b = *queue_.front();
    queue_.pop_front();
    b.where = place::worker;
    make_threads(b);
    if (b.rank == 0) r.model.forget(&b.own_cluster_barrier);
    r.add(b);
  }
}

/// Its blocks end where they are.
void scheduler::stop_checked(grid& g, fault const& reason) {
  if (!g.fault.error) g.fault = reason;
  g.stops = true;
  for (resident_block* const b : std::vector<resident_block*>(g.residents)) {
    if (b->where == place::ended) continue;
    if (b->where == place::queue) std::erase(queue_, b);
    else check::now().remove(*b);
    end_block(*b);
  }
}

void scheduler::work_checked() {
  check::run& r = check::now();
  struct visit {
    check::run& run;
    check::outcome outcome = check::outcome::turns_are_over;
  };
  std::unique_lock lock(mutex_);
  while (!stops_) {
    start_checked();
    if (r.ready.empty() && r.asleep.empty() && r.copies.empty() && residents_of_all().empty()) {
      work_.wait(lock);
      continue;
    }
    lock.unlock();
    visit v{r};
    fault reason;
    thread* failed = nullptr;
    bool const succeeded = run_guarded(
        [](void* data, thread* volatile& current) {
          visit& v = *static_cast<visit*>(data);
          v.outcome = v.run.turns(current);
        },
        &v, reason, &failed);
    lock.lock();
    if (!succeeded) {
      check::report_fault(*failed, reason);
      stop_checked(*failed->block->grid, reason);
      continue;
    }
    switch (v.outcome) {
    case check::outcome::turns_are_over: break;
    case check::outcome::block_ended:
      r.remove(*r.ended);
      end_block(*r.ended);
      break;
    case check::outcome::nothing_to_run: {
      auto const blocks = residents_of_all();
      if (blocks.empty() || !queue_.empty()) break;
      fault const f = check::report_deadlock(blocks);
      for (block* const b : blocks)
        if (resident(*b).where != place::ended) stop_checked(*b->grid, f);
      break;
    }
    case check::outcome::livelock: {
      std::vector<thread*> threads = r.ready;
      for (auto const& [_, t] : r.asleep) threads.push_back(t);
      fault const f = check::report_livelock(threads);
      for (block* const b : residents_of_all())
        if (resident(*b).where != place::ended) stop_checked(*b->grid, f);
      break;
    }
    }
  }
}

/// All blocks that have not ended.
std::vector<block*> scheduler::residents_of_all() const {
  std::vector<block*> result;
  for (auto const& b : blocks_)
    if (b->where == place::worker) result.push_back(b.get());
  return result;
}

} // namespace emulator
