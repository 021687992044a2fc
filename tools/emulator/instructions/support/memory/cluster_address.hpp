// SPDX-License-Identifier: Apache-2.0
//
// cluster_address: from generic addresses of shared memory to numbers of the shared window, and back.
// An address is no access. Compilers calculate addresses, and ranks of blocks, before the condition under which a
// program uses them. So nothing here fails: also what lies beside the memory of a block, or in a block that does not
// exist in the cluster, has a number and a generic address (absent_block, machine/thread.hpp), and the access is the
// error.
#pragma once

#include "memory.hpp"

namespace emulator {

/// The rank of what is no shared memory: beyond all that 32 bits can name.
inline constexpr u64 no_rank = u64(1) << 32;

/// The number in the shared window of a generic address. Pointers beside the own block's memory have one, too.
inline u64 window_address(thread const& t, u64 generic) {
  if (generic >= absent_block) return generic - absent_block;
  block const* const owner = shared_owner(t, generic);
  block const& b = owner ? *owner : *t.block;
  u64 const offset = generic - reinterpret_cast<u64>(b.shared);
  bool const is_near = offset + shared_window / 2 < shared_window;
  return is_near ? b.rank * shared_window + offset : no_rank * shared_window + offset % shared_window;
}

/// The generic address of a number in the shared window.
inline u64 generic_address(thread const& t, u64 number) {
  auto const& blocks = t.block->cluster->blocks;
  u64 const rank = number / shared_window, offset = number % shared_window;
  bool const exists = rank < blocks.size() && offset <= blocks[rank]->shared_size;
  return exists ? reinterpret_cast<u64>(blocks[rank]->shared) + offset : absent_block + number;
}

/// The same place in the block of another rank. An offset may be negative.
inline u64 in_block(u64 number, u64 rank) {
  static_assert(shared_window == u64(1) << 24);
  bool const is_shared = number + shared_window / 2 < no_rank * shared_window;
  if (!is_shared) return no_rank * shared_window + number % shared_window;
  return rank * shared_window + u64(std::int64_t(number << 40) >> 40);
}

/// Whether a generic address is in the window of the cluster's shared memory.
inline bool is_in_cluster_window(thread const& t, u64 generic) {
  return generic >= absent_block || shared_owner(t, generic) != nullptr;
}

} // namespace emulator
