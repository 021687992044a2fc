// SPDX-License-Identifier: Apache-2.0
//
// run: the state of a checked run: the model, the random source, virtual time, and the threads that are ready.
// One worker runs all threads of all grids, one at a time, each for a few memory operations or jumps. Which thread runs
// next, for how long, when sleepers wake and copies are made follows from the seed alone, and so does what the program
// does, as far as its host threads do not depend on time.
#pragma once

#include "../../machine/observer.hpp"
#include "../../machine/resident.hpp"
#include "../model/model.hpp"
#include "delays.hpp"
#include "divergence.hpp"
#include "early_meetings.hpp"
#include "misuse.hpp"
#include "pending_copies.hpp"
#include "phases.hpp"
#include "standstill.hpp"
#include "stragglers.hpp"
#include "transactions.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>

namespace emulator::check {

struct run {
  explicit run(std::uint64_t seed);

  check::random chance;
  check::model model;
  check::pending_copies copies;
  check::misuse misuse;
  check::transactions transactions;
  check::phases phases;
  check::divergence divergence;
  check::standstill standstill;
  check::early_meetings early_meetings;

  // --- the schedule ---
  std::vector<thread*> ready;                   ///< first the threads that make progress, then those that poll
  std::multimap<std::uint64_t, thread*> asleep; ///< by thread::wake
  std::uint64_t time;                           ///< of %globaltimer
  std::uint64_t trace = 0;                      ///< differs where the schedule does
  std::uint64_t barriers = 0;                   ///< phases of warps' barriers
  /// Where each warp came to which phase of its cluster's barrier.
  std::unordered_map<warp const*, std::pair<std::uint64_t, operation const*>> aligned;

  observer::turns run_turns(thread* volatile& current);
  void add(resident_block&);    ///< its threads are there
  void remove(resident_block&); ///< its threads are no more
  void make_ready(thread&);
  void progressed();                                      ///< something changed that a thread could be waiting for
  void changed(std::byte const* where, std::size_t size); ///< this memory
  /// The thread whose turn it is changed memory by a strong operation.
  void wrote(thread& t) {
    if (delays_.is_due(delays::moment::write, turns_)) [[unlikely]]
      delay(t);
  }
  /// A thread changed only its own state. Time passes as where something changes.
  void moved() { turns_at_progress_ = turns_; }
  /// The thread whose turn it is read this memory, and changed nothing.
  void reads(thread&, std::byte const* where, std::uint32_t size, bool is_strong);
  /// What a thread that runs read last, for reports.
  poll poll_of(thread const&);
  void reads_time() {
    ++polls_;
    if (running_) standstill.reads_time(*running_);
  }
  /// Lets the lanes go on that wait at early meetings; `for_good`: these meetings are left out from now on. Returns:
  /// whether there are any
  bool end_early_meetings(bool for_good = false);
  /// The thread is about to see that an mbarrier is in `phase`. Returns: whether it does not yet, and falls behind
  bool falls_behind(thread&, std::byte const* where, std::uint64_t phase);

  // --- of other threads of the operating system ---
  /// Calls f on the worker before the next turn.
  void post(std::function<void(run&)> f);
  void take_posted();

private:
  int quantum(thread const&);
  thread& choose();
  void after_turn(thread&, int used);
  void swap(std::size_t, std::size_t);
  void set_active(thread&);
  void set_polling(thread&);
  void report_long_runs();
  void unlist(thread&);
  bool wake_next();
  std::vector<block*> blocks_that_meet_early() const;
  void delay(thread&);
  void resume_stragglers();

  std::unordered_map<block*, std::unique_ptr<observed_block>> blocks_; ///< that are resident
  int style_;                                                          ///< how long quanta are in this run
  std::uint64_t turns_ = 0, turns_at_progress_ = 0;
  std::uint64_t turn_of_change_ = 0; ///< the last change that report_long_runs knows of
  std::chrono::steady_clock::time_point time_of_change_ = std::chrono::steady_clock::now();
  check::stragglers stragglers_;
  check::delays delays_;
  std::size_t active_ = 0;                                          ///< how many of `ready` do not poll
  std::unordered_map<std::uint64_t, std::vector<thread*>> polling_; ///< the others, by what they poll
  std::uint32_t next_poll_ = 0;                                     ///< whose turn it is where all poll
  // Of this turn: how often the thread read what it knew, or the time; whether it changed something or read what is
  // new.
  int polls_ = 0;
  bool gets_ahead_ = false;
  thread* running_ = nullptr; ///< whose turn it is
  std::mutex mutex_;          ///< of posted_
  std::vector<std::function<void(run&)>> posted_;
};

/// The run of this process.
run& current_run();
/// Begins anew with this seed. For tests; nothing runs.
void restart(std::uint64_t seed);

} // namespace emulator::check
