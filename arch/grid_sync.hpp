// SPDX-License-Identifier: Apache-2.0
//
// grid_sync: the rank of a thread in its block and grid, and the barrier of a whole grid, in one call or in two.
//
// A cooperative launch gives the grid a workspace, whose address is in %envreg1 (high half) and %envreg2; other
// launches have zeros there. The second word of the workspace is the barrier of the grid. CUDA's cooperative groups use
// the same word, so the protocol is theirs, and a kernel may use both. The highest bit is the phase, the others count
// the blocks that have arrived. Every block adds 1, except the block of rank 0, which adds what makes the sum of all
// 2^31: the last arrival, whichever block it is, flips the phase and leaves the count at 0. That is one
// read-modify-write for each block, and none to reset. The block that flips the phase does not poll.
//
// Orders. The block's barrier orders the accesses of its threads before the addition of its first thread, which is
// release at device scope; causality is transitive, so it releases for all threads of the block. The additions are
// read-modify-writes of one word, so each continues the release sequences of the earlier ones, and a poll that observes
// the flipped phase observes a value that belongs to all of these sequences. The first thread polls relaxed; one
// acquire fence after the last poll synchronises with all additions. So does the fence of the last block to arrive,
// whose addition reads a value of these sequences. The block's second barrier passes that on to its other threads. No
// block misses the flip: the phase flips again only after every block has arrived again. If the first thread of a block
// has exited, the block never arrives: the other blocks wait indefinitely, and the block's own threads do not wait.
// CUDA's cooperative groups have the same restriction.
//
// In two calls, the first one has the block's first barrier and the addition, the second one has the polls, the fence
// and the block's second barrier. The word before the addition is the token: a poll observes that the phase differs
// from the token's. Only the first thread of a block has a token of meaning, because only that thread polls.
//
// Two forms. The threads of a warp may come from different calls in the program, so barrier.sync must not be .aligned
// in general. Where all lanes of a warp come together, which is usual, it is, in a copy of the code: of a branch that
// one thread takes between two barriers, ptxas 13.0 makes better code if the second barrier is .aligned. On an H200,
// 132 blocks: 0.87 to 0.95 us with 32 to 1,024 threads a block, and 0.96 to 1.07 us otherwise.
#pragma once

#include "select.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch {

inline u32 block_size() { return target::ntid_x() * target::ntid_y() * target::ntid_z(); }
inline u32 block_rank() {
  return (target::tid_z() * target::ntid_y() + target::tid_y()) * target::ntid_x() + target::tid_x();
}

/// 32 threads of consecutive ranks in the block are a warp; the last warp has the rest.
inline u32 warp_size() {
  u32 const left = block_size() - (block_rank() & ~31u);
  return left < 32 ? left : 32;
}

inline u64 blocks() { return u64(target::nctaid_x()) * target::nctaid_y() * target::nctaid_z(); }
inline u64 rank_of_block() {
  return (u64(target::ctaid_z()) * target::nctaid_y() + target::ctaid_y()) * target::nctaid_x() + target::ctaid_x();
}

/// One component of a block's index or of an extent.
inline u32 component(int dimension, u32 x, u32 y, u32 z) {
  if (u32(dimension) > 2) stop("cudax.sync: dimension %lld does not exist; 0, 1, 2 are x, y, z\n", dimension);
  return dimension == 0 ? x : dimension == 1 ? y : z;
}

/// Whether all 32 lanes of the warp execute this call together. Then they all take the branch that depends on it, and
/// execute each barrier.sync of that branch.
inline bool warp_is_together() { return target::activemask() == ~0u; }

struct grid_workspace {
  u32 size, barrier;
};

constexpr u32 grid_phase = 0x8000'0000;

/// Adds the block's share to the word of the barrier; returns the word before.
inline u32 grid_arrive_at(u32* barrier, u32 share) {
  return target::template atom_add_u32<qualifiers<sem::release, scope::gpu, space::global>>(barrier, share);
}

/// Polls until the phase is not that of `before`. `now` is the last word that was observed.
inline void grid_await_at(u32* barrier, u32 before, u32 now) {
  while (((now ^ before) & grid_phase) == 0)
    now = target::template ld_b32<qualifiers<sem::relaxed, scope::gpu, space::global>>(barrier);
  target::template fence_acquire<scope::gpu>();
}

/// What the calling thread's block adds.
inline u32 grid_share() { return rank_of_block() == 0 ? grid_phase - (u32(blocks()) - 1) : 1; }

/// Synchronizes the grid by the word `barrier` in global memory. `Together`: all lanes of the warp execute this call.
template <bool Together>
void grid_sync_at(u32* barrier) {
  constexpr auto block_sync = Together ? target::barrier_sync_aligned : target::barrier_sync;
  bool const arrives = block_rank() == 0; // calculated here, while other threads are awaited
  u32 const share = grid_share();
  block_sync();
  if (arrives) {
    u32 const before = grid_arrive_at(barrier, share);
    grid_await_at(barrier, before, before + share);
  }
  block_sync();
}

/// The address of the grid's workspace; 0 if the launch was not cooperative.
inline u64 grid_workspace_address() { return u64(target::envreg1()) << 32 | target::envreg2(); }

/// Returns the word of the grid's barrier; null, after stopping the kernel, if the launch was not cooperative. `text`
/// names the caller.
#define CUDAX_NOT_COOPERATIVE(caller)                                                                                  \
  "cudax.sync: " caller ": the kernel was not launched cooperatively (%lld blocks); launch it with "                   \
  "cudaLaunchCooperativeKernel\n"
inline u32* grid_barrier(char const* text) {
  u64 const address = grid_workspace_address();
  if (!address) {
    stop(text, s64(blocks()));
    return nullptr;
  }
  // In global memory, so that the back end knows the state space of the load.
  return &((grid_workspace*)(grid_workspace __attribute__((address_space(1)))*)address)->barrier;
}

inline void grid_sync() {
  u32* const barrier = grid_barrier(CUDAX_NOT_COOPERATIVE("this_grid.sync"));
  if (!barrier) return;
  if (warp_is_together()) grid_sync_at<true>(barrier);
  else grid_sync_at<false>(barrier);
}

inline u32 grid_arrive() {
  u32* const barrier = grid_barrier(CUDAX_NOT_COOPERATIVE("this_grid.arrive"));
  if (!barrier) return 0;
  u32 const share = grid_share();
  target::barrier_sync();
  return block_rank() == 0 ? grid_arrive_at(barrier, share) : 0;
}

inline void grid_wait(u32 token) {
  u32* const barrier = grid_barrier(CUDAX_NOT_COOPERATIVE("this_grid.wait"));
  if (!barrier) return;
  if (block_rank() == 0) grid_await_at(barrier, token, token);
  target::barrier_sync();
}
#undef CUDAX_NOT_COOPERATIVE

} // namespace cudax::arch

#pragma clang force_cuda_host_device end
