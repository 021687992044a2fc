// SPDX-License-Identifier: Apache-2.0
//
// resident: what a block needs while it is resident: barriers, the meetings of its warps' lanes, and how its threads
// run.
#pragma once

#include "rendezvous.hpp"

#include <mutex>

namespace emulator {

enum class barrier_action : std::uint8_t { arrive, sync, popc, all, any };

/// A named barrier of a block, for machine/barriers.
struct named_barrier {
  std::uint32_t expected = 0;            ///< threads; 0: all of the block that have not exited
  std::uint32_t arrived = 0;             ///< threads
  std::array<std::uint32_t, 32> lanes{}; ///< that have arrived, of each warp
  std::vector<thread*> waiting;
  barrier_action action = barrier_action::arrive; ///< what those that wait do
  std::uint32_t voters = 0;                       ///< how many threads gave a predicate
  std::uint32_t count = 0;                        ///< of true predicates
  std::uint64_t phase = 0;                        ///< how often it was complete
  void clear();
};

struct named_barriers {
  std::array<named_barrier, 16> all;
  std::uint32_t active = 0; ///< mask of those that threads have arrived at
  void reset();
};

/// What the warps of a block have given up by setmaxnreg, for machine/registers.
struct register_pool {
  std::uint32_t free = 0;                 ///< registers of a thread, for each thread of a warp
  std::vector<warp*> waiting;             ///< in the order in which they began to wait
  std::vector<std::int32_t> requested[8]; ///< the changes of each warpgroup, in order: +240 and -24
  void reset();
};

/// barrier.cluster of all threads of a cluster. Blocks of a cluster may run at the same time.
struct cluster_barrier {
  std::mutex mutex;
  std::uint32_t alive = 0;   ///< threads that have not exited
  std::uint32_t arrived = 0; ///< in this phase
  std::atomic<std::uint32_t> phase{0};
};

using host_memory = std::unique_ptr<std::byte, void (*)(void*)>;

struct resident_block : block {
  named_barriers own_barriers;
  emulator::cluster own_cluster; ///< in the block of rank 0, for all
  cluster_barrier own_cluster_barrier;
  std::vector<emulator::rendezvous> meetings; ///< of each warp
  host_memory shared_memory{nullptr, nullptr};
  std::size_t shared_capacity = 0;
  host_memory frames{nullptr, nullptr}; ///< the first of each thread
  std::size_t frame_capacity = 0;
  std::uint32_t alive = 0; ///< threads that have not exited
  register_pool pool;
  bool has_threads = false;
  std::uint64_t wake = 0;  ///< when the first of its sleepers wakes, after a turn that ended so
  std::uint64_t began = 0; ///< on the clock of %globaltimer; not in checked runs
  std::uint32_t turns = 0; ///< since then (watch.hpp)

  // --- of the scheduler, under its lock ---
  enum class run_status : std::uint8_t { queued, running, asleep, parked, ended } status = run_status::queued;
  bool woken = false;           ///< by another block, while it ran
  std::uint32_t unfinished = 0; ///< blocks of the cluster, in the block of rank 0
};

/// The system's part of a block's shared memory, after the program's; cooperative groups keep barriers there. Only
/// blocks of kernels that read where it is have one: in other kernels, an access there is out of bounds.
inline constexpr std::uint32_t reserved_shared_bytes = 1024, reserved_shared_alignment = 16;
/// Its offset.
inline std::uint32_t reserved_shared_begin(block const& b) { return b.shared_size - b.reserved_shared; }
/// The offset of its second half, %reserved_smem_offset_1.
inline std::uint32_t reserved_shared_middle(block const& b) { return b.shared_size - b.reserved_shared / 2; }

inline resident_block& resident(block& b) { return static_cast<resident_block&>(b); }

/// Prepares a block: its coordinates in the grid, and its shared memory.
void prepare_block(resident_block&, grid&, std::array<std::uint32_t, 3> ctaid, std::uint32_t rank, std::uint32_t sm);
/// Makes the threads of a block, once its cluster is set.
void make_threads(resident_block&);

/// What a turn of a block came to.
enum class turn_result {
  can_run, ///< has threads that can run
  spins,   ///< the same, but all that these threads did was to jump until their turn was over
  sleeps,  ///< until resident_block::wake
  waits,   ///< for other blocks of the cluster
  ended,
  stuck, ///< no thread can wake its threads
};
/// Runs every thread of the block until it stops or its time is over.
turn_result run_turn(resident_block&, thread* volatile& current);

/// The lanes of a warp have executed setmaxnreg: gives up registers, or takes them from the pool or begins to wait for
/// them (warp::awaited_registers).
void change_registers(warp&, bool increases, std::uint32_t count);
/// All lanes of a warp have exited: whether it has changed its registers as the others of its warpgroup have.
void check_registers_at_end(thread&);

/// A thread that waited can run again.
void make_ready(thread&);

/// The end of a thread: others may have waited for it.
void finish(thread&);

/// A thread of the block ended: barriers count without it.
void leave_barriers(thread&);

void arrive_at_cluster(thread&, bool releases, bool is_aligned);
bool waits_at_cluster(thread const&); ///< whether the phase at which it arrived is not over
void leave_cluster(thread&);
/// Lets the scheduler run the other blocks of the cluster again.
void wake_cluster(block&);

} // namespace emulator
