// SPDX-License-Identifier: Apache-2.0
//
// observer: what the machine tells the observer of a checked run, and what it lets the observer decide.
// A checked run (mode.hpp) has one observer, which `check` provides. The machine declares the interface and knows
// nothing of the implementation, so that layers depend downwards only. A fast run has no observer: each call is guarded
// by is_checked_run(). Instructions that access memory have an interface of their own:
// instructions/support/memory/memory_observer.hpp.
//
// Functions are called on the worker of the run, unless the comment says "host".
#pragma once

#include "operation.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emulator {

struct block;
struct fault;
struct grid;
struct named_barrier;
struct resident_block;
struct thread;
struct warp;

struct observer {
  // --- grids, blocks and threads ---
  virtual void grid_begins(grid&) = 0; ///< host
  virtual void grid_ended(grid&) = 0;
  virtual void block_begins(resident_block&) = 0; ///< its threads have been made
  virtual void block_ended(resident_block&) = 0;  ///< or was stopped
  virtual void thread_ends(thread&) = 0;
  virtual void thread_failed(thread const&, fault const&) = 0;
  virtual void waits_for_prerequisites(thread const&) = 0; ///< griddepcontrol.wait

  // --- the schedule ---
  enum class outcome {
    turns_are_over,
    block_ended,    ///< turns::ended
    nothing_to_run, ///< all threads wait
    livelock,
  };
  struct turns {
    outcome why = outcome::turns_are_over;
    resident_block* ended = nullptr;
  };
  /// Runs threads, one after the other and in an order of its own, until the scheduler has something to do.
  /// `current`: the thread that runs.
  virtual turns run_turns(thread* volatile& current) = 0;
  virtual bool has_work() = 0;
  /// Handles the calls that the host made since the last time.
  virtual void take_host_calls() = 0;
  virtual void make_ready(thread&) = 0; ///< a thread that waited can run again
  /// Reports that all threads of these blocks wait. `to_begin`: lines about blocks that have not begun. Returns: what
  /// their grids end with
  virtual fault deadlock(std::vector<block*> const&, std::string const& to_begin) = 0;
  /// Reports that threads of these blocks run and none gets ahead.
  virtual fault livelock(std::vector<block*> const&, std::string const& to_begin) = 0;
  virtual std::uint64_t time() = 0; ///< nanoseconds; of %globaltimer and %clock64
  /// An answer below `bound`, where the machine may give any.
  virtual std::uint32_t choose_below(std::uint32_t bound) = 0;
  /// A handler that counts an instruction, to be emitted before its operations.
  virtual handler instruction_counter() = 0;

  // --- barriers ---
  /// A thread arrives at a named barrier; thread::pc is the operation. `is_aligned`: all lanes of the warp must arrive
  /// there.
  virtual void arrives_at_barrier(thread&, named_barrier const&, std::uint32_t number, bool is_aligned) = 0;
  virtual void barrier_completes(named_barrier const&, std::uint32_t number, resident_block&) = 0;
  virtual void leaves_barrier(thread const&, named_barrier const&) = 0;
  virtual void arrives_at_cluster(thread const&, bool releases, bool is_aligned, std::uint64_t phase) = 0;
  virtual void leaves_cluster(thread const&, std::uint64_t phase) = 0;
  virtual void lanes_meet(warp&, std::uint32_t lanes) = 0; ///< bar.warp.sync
  /// A lane comes to an early meeting (machine/early_meeting). Returns: whether it waits there
  virtual bool meets_early(thread const&, operation const* meeting) = 0;
  /// At any instruction that lanes execute together, such as shfl.sync: each has come there, and no memory is ordered.
  virtual void lanes_met(warp const&, std::uint32_t lanes) = 0;

  // --- memory ---
  /// A thread allocates. `has_no_value`: a read before the first write is an error.
  virtual void allocated(std::byte*, std::size_t size, std::string name, bool has_no_value) = 0;
  virtual void freed(std::byte*) = 0;
  virtual void host_allocated(std::byte*, std::size_t size, std::string name, bool has_no_value) = 0; ///< host
  virtual void host_freed(std::byte*) = 0;                                                            ///< host

  // --- cluster launch control ---
  virtual void requests_cluster(thread const&, bool found) = 0;
  virtual void told_of_no_cluster(thread const&) = 0;

protected:
  ~observer() = default;
};

/// Set once, before main.
inline observer* installed_observer = nullptr;
/// Requires: is_checked_run()
inline observer& the_observer() { return *installed_observer; }

} // namespace emulator
