// SPDX-License-Identifier: Apache-2.0
//
// thread: what a CUDA thread is while it runs, and the block, cluster and grid around it.  [PTX ISA, "Thread
// Hierarchy"] A block is run by one thread of the operating system at a time, so that what belongs to a block alone
// (its warps, its named barriers) needs no lock. What several blocks or the host see is memory, and is accessed by
// atomics of the host.
//
// Addresses: global, constant, local and param addresses are addresses of the host; so is a generic one. A shared address
// is a number: the block's rank in its cluster times shared_window, plus an offset; the generic address of shared
// memory is where it lies on the host. Where no memory lies, as in a block that does not exist in the cluster, it is
// the number plus absent_block, from which on hosts have no memory.
#pragma once

#include "operation.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace emulator {

struct function;
struct block;
struct warp;
struct grid;
struct observed_thread;
struct observed_block;

struct dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t(x) * y * z; }
};

enum class state : std::uint8_t {
  ready,      ///< can run
  at_warp,    ///< waits for other lanes of its warp (machine/rendezvous)
  at_block,   ///< waits at a named barrier
  at_cluster, ///< waits at barrier.cluster
  at_pool,    ///< waits for registers (machine/registers)
  sleeping,   ///< until thread::wake, on the clock of %globaltimer
  finished,
};

/// One function that is being executed. Frames lie on the thread's own stack and do not move.
struct frame {
  emulator::function const* function;
  frame* caller;
  operation const* return_to;
  std::uint64_t* registers;
};

struct thread {
  /// The operation with which it continues when it is scheduled again; while it runs, the last operation that could
  /// fail.
  operation const* pc = nullptr;
  emulator::frame* frame = nullptr;
  int budget = 0; ///< branches until it returns to the scheduler
  int rest = 0;   ///< branches of its turn beyond these
  emulator::state state = emulator::state::ready;
  std::uint8_t lane = 0;
  std::uint32_t number = 0; ///< in its block
  std::array<std::uint32_t, 3> tid{};
  emulator::warp* warp = nullptr;
  emulator::block* block = nullptr;
  std::uint64_t wake = 0;          ///< nanoseconds
  std::uint64_t last_snapshot = 0; ///< of pc and registers, when the scheduler last took one
  struct stack_memory* stack = nullptr;
  std::byte* awaited = nullptr;          ///< the mbarrier of which it last found the phase incomplete
  operation const* awaited_at = nullptr; ///< the operation that did
  std::uint32_t cluster_phase = 0;       ///< 1 + the phase of barrier.cluster at which it last arrived
  observed_thread* observed = nullptr;   ///< what the observer keeps of it, which alone knows the type; in checked runs
};

struct warp {
  emulator::block* block;
  std::uint32_t number = 0;   ///< in its block
  std::uint32_t lanes = 0;    ///< mask of lanes that exist
  std::uint32_t finished = 0; ///< mask of lanes that have exited
  std::array<thread*, 32> threads{};
  struct rendezvous* rendezvous = nullptr; ///< what its lanes wait for each other for
  std::uint32_t hardware_registers = 0;    ///< that each of its threads owns; 0: setmaxnreg has no effect
  std::uint32_t awaited_registers = 0;     ///< the number that it will own, while it waits for them
  std::uint32_t register_changes = 0;      ///< how many setmaxnreg it has executed
};

inline constexpr std::uint64_t shared_window = 1u << 24;
inline constexpr std::uint64_t absent_block = std::uint64_t(1) << 63;

struct block {
  emulator::grid* grid;
  std::array<std::uint32_t, 3> ctaid{};
  std::uint32_t rank = 0; ///< in its cluster
  struct cluster* cluster = nullptr;
  std::byte* shared = nullptr; ///< where its shared memory lies on the host
  std::uint32_t shared_size = 0;
  std::uint32_t reserved_shared = 0; ///< how much of it, at its end, is the system's (resident.hpp)
  std::vector<thread> threads;
  std::vector<warp> warps;
  struct named_barriers* barriers = nullptr;
  std::uint32_t sm = 0;               ///< %smid
  observed_block* observed = nullptr; ///< as thread::observed
};

/// Blocks that run together; every block has one, of itself alone where the launch names no cluster.
struct cluster {
  std::vector<block*> blocks; ///< by rank
  struct cluster_barrier* barrier = nullptr;
};

/// What ends a launch: an error of CUDA's, with a sentence: kernel, thread, instruction, cause.
struct fault {
  int error = 0; ///< cudaError_t
  std::string text;
};

/// Ends the launch of `t` with a fault; kernel, block, thread, PTX line and source line are put before the text.
[[noreturn]] void fail(thread const& t, int error, std::string const& text);

/// The same for an address outside the block's own shared memory.
std::byte* shared_memory_of_cluster(thread const& t, std::uint64_t address, std::size_t size);

/// Where a shared address lies on the host.
/// Errors: fault cudaErrorIllegalAddress where it is not in the shared memory of the thread's cluster
inline std::byte* shared_memory(thread const& t, std::uint64_t address, std::size_t size) {
  block const& b = *t.block;
  std::uint64_t const offset = address - b.rank * shared_window;
  if (offset < b.shared_size && size <= b.shared_size - offset) [[likely]]
    return b.shared + offset;
  return shared_memory_of_cluster(t, address, size);
}

// The shapes of a handler that set thread::pc before they start, because they can fail.

template <void (*F)(thread&, std::uint64_t*, operation const&)>
void accesses(thread& t, operation const* o, std::uint64_t* registers) {
  t.pc = o;
  F(t, registers, *o);
  [[clang::musttail]] return o[1].run(t, o + 1, registers);
}

template <operation const* (*F)(thread&, operation const*, std::uint64_t*)>
void returns_next(thread& t, operation const* o, std::uint64_t* registers) {
  t.pc = o;
  operation const* const next = F(t, o, registers);
  if (!next) return;
  [[clang::musttail]] return next->run(t, next, t.frame->registers);
}

} // namespace emulator
