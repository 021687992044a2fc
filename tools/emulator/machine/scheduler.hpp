// SPDX-License-Identifier: Apache-2.0
//
// scheduler: which block runs next, and on which worker.
// One lock over the lists; a worker holds it between turns, never during one. A resident block is in the queue, on a
// worker, asleep (a thread of it wakes at a known time), parked (it waits for another block of its cluster) or ended
// (its memory stays until its cluster has ended, since the others may access it). Blocks that have not started are a
// counter.
#pragma once

#include "grid.hpp"
#include "resident.hpp"

#include <deque>
#include <map>
#include <thread>

namespace emulator {

struct scheduler {
  explicit scheduler(device_properties const&);
  ~scheduler();

  fault run(launch const&);
  bool cancel(block&, std::uint32_t ctaid[3]);
  /// A line for each grid that has blocks to begin: "  kernel k: 2 of its 8 blocks have not begun, ...".
  std::string describe_blocks_to_begin();
  void wake_others(block&);

  device_properties const properties;
  device* owner = nullptr;

private:
  struct multiprocessor {
    int blocks = 0;
    std::uint32_t threads = 0;
    std::size_t shared = 0;
  };

  void work();
  void work_observed(); ///< the same in a checked run: observed_scheduler.cpp
  void start_observed();
  void stop_observed(grid&, fault const&);
  std::vector<block*> residents_of_all() const;
  void start_workers();
  void start_units();
  bool start_unit(grid&);
  void start_cluster(grid&, std::uint64_t cluster, std::vector<std::uint32_t> const& places);
  std::vector<std::uint32_t> find_multiprocessors(grid const&, std::uint64_t blocks) const;
  void occupy(grid const&, std::uint32_t sm, int sign);
  void enqueue(resident_block&);
  void after_turn(resident_block&, turn_result, fault const&);
  void fail_grid(grid&, fault const&);
  void end_block(resident_block&);
  void end_grid_if_over(grid&);
  void wake_sleepers();
  std::uint64_t nanoseconds_to_wait() const;
  bool is_deadlocked(resident_block const&) const; ///< all of its cluster wait
  fault deadlock(resident_block const&) const;
  std::string list_blocks_to_begin() const;

  std::mutex mutex_;
  std::condition_variable work_;
  std::deque<resident_block*> queue_;
  std::multimap<std::uint64_t, resident_block*> asleep_;
  std::vector<grid*> grids_; ///< with units to start, oldest first
  std::vector<multiprocessor> multiprocessors_;
  std::vector<std::unique_ptr<resident_block>> blocks_; ///< all that were made; ended blocks are used again
  std::vector<resident_block*> unused_;
  std::uint64_t grid_numbers_ = 0;
  bool stops_ = false;
  std::vector<std::thread> workers_;
};

} // namespace emulator
