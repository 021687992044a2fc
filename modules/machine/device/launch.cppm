// SPDX-License-Identifier: Apache-2.0
//
// launch: cancels the launch of a block that has not begun, in the caller's grid. Requires sm_100.
// PTX ISA, "clusterlaunchcontrol". The host has no grid: has_launch_cancellation() returns false there, so no other
// function of this unit is called.
module;
#include "../../base/macros.hpp"
export module cudax.sync:device_launch;
import :bits;
import :device_abi;
import :device_group;

CUDAX_EVERYWHERE_BEGIN
CUDAX_HERE_BEGIN

namespace cudax::machine::gpu {

/// Returns whether launches can be cancelled. The result is a constant after device LTO.
inline bool has_launch_cancellation() noexcept { return CUDAX_HERE(entry::cudax_has_launch_cancellation(), false); }

/// The answer to a request, in shared memory.
struct alignas(16) cancellation_answer {
  u64 low, high;
};

/// Requests that the launch of a block, or of a cluster if the grid has clusters, be cancelled. The asynchronous proxy
/// writes the answer, then completes its 16 bytes at the barrier object.
/// Requires: has_launch_cancellation(); every earlier answer in this block or cluster said that a launch was cancelled
inline void cancel_launch(cancellation_answer& answer, void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_cancel_launch(&answer, barrier), void());
}

/// Returns whether all blocks of a cluster can get the answer. The result is a constant after device LTO.
inline bool has_launch_cancellation_multicast() noexcept {
  return CUDAX_HERE(entry::cudax_has_launch_cancellation_multicast(), false);
}

/// The same request, whose answer each block of the caller's cluster gets in its own `answer`, and at its own barrier:
/// the objects at the same places of its shared memory.
/// Requires: as cancel_launch, and has_launch_cancellation_multicast(); in every block of the cluster the barrier is
///           initialized, and no earlier answer is awaited any more
inline void cancel_launch_multicast(cancellation_answer& answer, void* barrier) noexcept {
  CUDAX_HERE(entry::cudax_cancel_launch_multicast(&answer, barrier), void());
}

/// Returns whether a block was cancelled.
inline bool is_canceled(cancellation_answer const& answer) noexcept {
  return CUDAX_HERE(entry::cudax_launch_is_canceled(answer.low, answer.high), false);
}

/// Returns the index of the block whose launch was cancelled. If the launch of a cluster was cancelled, returns the
/// index of the cluster's first block.
/// Requires: is_canceled(answer)
inline u32 canceled_block(cancellation_answer const& answer, dimension along) noexcept {
  return CUDAX_HERE(entry::cudax_canceled_block(answer.low, answer.high, int(along)), 0);
}

} // namespace cudax::machine::gpu

CUDAX_HERE_END
CUDAX_EVERYWHERE_END
