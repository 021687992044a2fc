// SPDX-License-Identifier: Apache-2.0
//
// try_cancel: one request to cancel a launch, for kernels that organise their work themselves.
// PTX ISA, "clusterlaunchcontrol"; requires sm_100. What the library makes of it: canceled_block.cppm, where all
// threads of a block take each index together, and stealing_stages.cppm, where the warps of a block take it
// separately.
module;
#include "../base/macros.hpp"
export module cudax.sync:try_cancel;
import :barrier;
import :barrier_native;
import :bits;
import :canceled_block;
import :device_barrier;
import :device_copy;
import :device_group;
import :device_launch;
import :machine;
import :proxy_fence;
import :scope;
import :stealing;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::grid_detail {
using namespace machine;

struct answer_access;

} // namespace cudax::grid_detail

export namespace cudax::device {

/// Returns whether launches can be cancelled: on sm_100 and later. The result is a constant. On the host it is false.
inline bool has_launch_cancellation() noexcept { return machine::gpu::has_launch_cancellation(); }

/// Returns whether all blocks of a cluster can get the answer of one request: on SMs with a letter, sm_100a and later.
inline bool has_launch_cancellation_multicast() noexcept { return machine::gpu::has_launch_cancellation_multicast(); }

/// The answer to a request to cancel a launch: an object in shared memory, of 16 bytes, which the asynchronous proxy
/// writes. Read it after the wait at the barrier where its bytes complete.
/// Source:   PTX ISA, "clusterlaunchcontrol.query_cancel"
/// Example:
///     __device__ bool next(cudax::device::launch_cancellation const& answer, unsigned* block,
///                          cudax::barrier<cudax::thread_scope_block>& b, bool parity) { // after try_cancel_tx
///       b.wait_parity(parity);
///       if (answer.is_canceled()) *block = answer.first_block().x;
///       return answer.is_canceled();
///     }
class launch_cancellation {
public:
  /// Returns whether a launch was cancelled. If not, no further request may be made in this block or cluster.
  inline bool is_canceled() const noexcept { return machine::gpu::is_canceled(answer_); }

  /// Returns the index of the block whose launch was cancelled; of the first block, if the grid has clusters.
  /// Requires: is_canceled()
  inline block_index first_block() const noexcept {
    using machine::dimension;
    return {machine::gpu::canceled_block(answer_, dimension::x), machine::gpu::canceled_block(answer_, dimension::y),
            machine::gpu::canceled_block(answer_, dimension::z)};
  }

private:
  friend grid_detail::answer_access;

  machine::gpu::cancellation_answer answer_;
};

} // namespace cudax::device

namespace cudax::grid_detail {
using namespace machine;

/// Makes a request by `how`, after a proxy fence unless the caller promises that none is needed.
struct answer_access {
  template <class Promise>
  static void request(void (*how)(gpu::cancellation_answer&, void*) noexcept, device::launch_cancellation* answer,
                      copy_detail::block_barrier& b) noexcept {
    CUDAX_ENSURE(
        !traits::has_grid || gpu::is_shared(answer),
        "device::try_cancel_tx: the answer at %llx is not in this block's shared memory; declare it __shared__",
        (long long)answer);
    void* const object = copy_detail::ensure_hardware(b);
    if constexpr (!copy_detail::promises_fence<Promise>) gpu::bulk_copy::fence_shared();
    how(answer->answer_, object);
  }
};

} // namespace cudax::grid_detail

export namespace cudax::device {

/// Requests that the launch of a block that has not begun be cancelled; of a whole cluster, if the grid has clusters.
/// The answer is written to `*answer`; then its 16 bytes complete at `b`. One thread calls. _multicast writes the
/// answer to the same place in each block of the cluster, and completes its bytes at the barrier there.
/// Source:   PTX ISA, "clusterlaunchcontrol.try_cancel"; libcu++, cuda::ptx::clusterlaunchcontrol_try_cancel
/// Order:    the wait for the phase acquires the answer. The call executes a proxy fence for shared memory, so what
///           happens before the call, reads of an earlier answer included, is ordered before the write of the answer;
///           _multicast fences what its own block did
/// Requires: has_launch_cancellation(), or has_launch_cancellation_multicast(): otherwise the kernel stops. `*answer` is
///           in the block's shared memory. The phase of the barrier expects the 16 bytes (barrier_arrive_tx), in
///           each block that gets the answer. No earlier answer said that no launch was cancelled. With proxy_fenced,
///           what it promises
/// Errors:   checked builds stop if the answer or the barrier is in other memory
/// Example:
///     using cancellation = cudax::device::launch_cancellation; // both are in shared memory; `b` expects one arrival
///     __device__ void request(cancellation* answer, cudax::barrier<cudax::thread_scope_block>& b) { // one thread
///       (void)cudax::device::barrier_arrive_tx(b, 1, sizeof(*answer));
///       cudax::device::try_cancel_tx(answer, b);
///     }
template <copy_detail::copy_promise Promise = copy_detail::nothing_promised>
void try_cancel_tx(launch_cancellation* answer, barrier<thread_scope_block>& b, Promise = {}) noexcept {
  grid_detail::answer_access::request<Promise>(machine::gpu::cancel_launch, answer, b);
}
template <copy_detail::copy_promise Promise = copy_detail::nothing_promised>
void try_cancel_tx_multicast(launch_cancellation* answer, barrier<thread_scope_block>& b, Promise = {}) noexcept {
  grid_detail::answer_access::request<Promise>(machine::gpu::cancel_launch_multicast, answer, b);
}

} // namespace cudax::device

CUDAX_EVERYWHERE_END
