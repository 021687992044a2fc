// SPDX-License-Identifier: Apache-2.0
//
// grid_sync: where a thread is in its block and grid, and the barrier of a whole grid.
//
// A cooperative launch gives the grid a workspace, whose address is in %envreg1 (high half) and %envreg2; other launches
// have zeros there. Its second word is the barrier of the grid, and cooperative groups count in it, too, so the
// protocol is theirs, and a kernel may use both: the highest bit is the phase, the others are the blocks that have arrived.
// Every block adds 1, and the first one adds so much more that the sum of all is 2^31: the last arrival, whichever it is,
// turns the phase and leaves the count at 0. One read-modify-write for each block, and none to reset.
//
// Orders. The block's barrier orders the accesses of its threads before the addition of its first thread, which is
// release at device scope; causality is transitive, so it releases for all of them. The additions are read-modify-writes of
// one word, so each continues the release sequences of those before, and whoever sees the phase turned sees one that all are
// in. The first thread polls relaxed, and one acquire fence behind the last poll synchronises with all additions; for the
// last one to arrive, too, whose own addition is what it sees. The block's second barrier passes that on. Nobody misses the
// turn: the phase turns again only after every block has arrived again.
#pragma once

#include "select.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch {

inline u32 block_size() { return target::ntid_x() * target::ntid_y() * target::ntid_z(); }
inline u32 block_rank() {
  return (target::tid_z() * target::ntid_y() + target::tid_y()) * target::ntid_x() + target::tid_x();
}

/// Threads of consecutive ranks in the block are a warp; the last warp is what is left.
inline u32 warp_size() {
  u32 const left = block_size() - (block_rank() & ~31u);
  return left < 32 ? left : 32;
}

inline u64 blocks() { return u64(target::nctaid_x()) * target::nctaid_y() * target::nctaid_z(); }
inline u64 rank_of_block() {
  return (u64(target::ctaid_z()) * target::nctaid_y() + target::ctaid_y()) * target::nctaid_x() + target::ctaid_x();
}

/// Of a block's index or an extent.
inline u32 component(int dimension, u32 x, u32 y, u32 z) {
  if (u32(dimension) > 2) stop("cudax.sync: dimension %lld does not exist; 0, 1, 2 are x, y, z\n", dimension);
  return dimension == 0 ? x : dimension == 1 ? y : z;
}

inline void grid_sync() {
  struct workspace {
    u32 size, barrier;
  };
  auto* const here = reinterpret_cast<workspace*>(u64(target::envreg1()) << 32 | target::envreg2());
  if (!here) {
    stop("cudax.sync: this_grid.sync: the kernel was not launched cooperatively (%lld blocks); launch it with "
         "cudaLaunchCooperativeKernel\n",
         s64(blocks()));
    return;
  }
  constexpr u32 phase = 0x8000'0000;
  target::barrier_sync();
  if (block_rank() == 0) {
    u32 const share = rank_of_block() == 0 ? phase - (u32(blocks()) - 1) : 1;
    u32 const before =
        target::template atom_add_u32<qualifiers<sem::release, scope::gpu, space::global>>(&here->barrier, share);
    u32 now;
    do now = target::template ld_u32<qualifiers<sem::relaxed, scope::gpu, space::global>>(&here->barrier);
    while (((now ^ before) & phase) == 0);
    target::template fence_acquire<scope::gpu>();
  }
  target::barrier_sync();
}

} // namespace cudax::arch

#pragma clang force_cuda_host_device end
