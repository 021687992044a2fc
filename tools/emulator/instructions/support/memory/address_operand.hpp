// SPDX-License-Identifier: Apache-2.0
//
// address_operand: an address among the operands of an instruction that has several, each in a state space of its own.
#pragma once

#include "cluster_address.hpp"

#include <algorithm>
#include <string>

namespace emulator {

struct address_operand {
  memory_operand operand{};
  bool shared = false; ///< in the shared window; else on the host

  u64 address(std::uint64_t const* r) const { return r[operand.base] + u64(operand.offset); }

  std::byte* at(thread const& t, u64 address, u64 size, u64 alignment) const {
    return shared ? locate<shared_address>(t, address, size, alignment)
                  : locate<host_address>(t, address, size, alignment);
  }
  std::byte* at(thread const& t, std::uint64_t const* r, u64 size, u64 alignment) const {
    return at(t, address(r), size, alignment);
  }
};

/// The place of an mbarrier object, which is in shared memory however it is addressed.
inline std::byte* mbarrier_at(thread const& t, std::uint64_t const* r, address_operand const& p) {
  std::byte* const where = p.at(t, r, 8, 8);
  if (!p.shared && !shared_owner(t, p.address(r))) [[unlikely]]
    illegal_address(t, p.address(r), 8);
  return where;
}

/// Calls f(rank) for each block that the mask of a multicast names.
template <class F>
void for_each_block(thread const& t, u32 mask, char const* instruction, F f) {
  auto const& blocks = t.block->cluster->blocks;
  if (mask >> std::min<std::size_t>(blocks.size(), 16))
    fail(t, error_launch_failure,
         std::string(instruction) + ": the mask " + std::to_string(mask) + " names blocks beyond the " +
             std::to_string(blocks.size()) + " of the cluster; clear these bits");
  for (u32 rank = 0; rank < blocks.size() && rank < 16; ++rank)
    if (mask >> rank & 1) f(rank);
}

} // namespace emulator
