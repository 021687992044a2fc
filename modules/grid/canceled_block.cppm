// SPDX-License-Identifier: Apache-2.0
//
// canceled_block: a block takes over the work of blocks that have not begun, whose launch it cancels.
// PTX ISA, "clusterlaunchcontrol"; there from sm_100.
//
// The first thread of a block, or of a cluster, asks for the launch of another one to be cancelled; what is cancelled is a whole
// cluster where the grid has clusters. The answer comes to shared memory by the asynchronous proxy, which then completes its
// 16 bytes at a barrier object. A request is under way while f works on the index before, so its latency does not show.
// That thread alone touches the answer and the barrier, and hands the index out (stealing.cppm): the instruction's own way
// to tell all blocks of a cluster, .multicast, is not there on every SM from sm_100 on.
//
// One phase of the barrier is one request. Its one arrival is the requesting thread's, which expects the 16 bytes in the same
// instruction, before the request: the phase cannot end before the answer has come, nor without it. The wait is by parity, which
// tells a phase from the one before; there is never a request under way before the one before has been waited for.
module;
#include "../base/macros.hpp"
export module cudax.sync:canceled_block;
import :bits;
import :device_barrier;
import :device_copy;
import :device_group;
import :device_launch;
import :machine;
import :stealing;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine::stealing {

/// Requests of the first thread of a unit.
class cancellation {
  place& at_;
  u32 parity_ = 0;

  inline void request() noexcept {
    // Between this thread's own accesses and the asynchronous proxy's: before the first request, the initialisation of the
    // barrier, which the proxy will complete bytes at; before later ones, the reads of the answer that the next one
    // overwrites. No other thread accesses either, so program order and this fence are all that is needed.
    gpu::bulk_copy::fence();
    gpu::shared_barrier::arrive_expect_bytes(&at_.arrived, 1, sizeof(at_.answer));
    gpu::cancel_launch(at_.answer, &at_.arrived);
  }

public:
  inline explicit cancellation(place& at) noexcept : at_(at) {}

  inline void begin() noexcept {
    gpu::shared_barrier::init(&at_.arrived, 1);
    request();
  }

  /// What the request under way has brought, and the next request. After a refusal there is none: it would be undefined.
  inline bool operator()(block_index& first) noexcept {
    // Acquires what completed the phase. The end of an asynchronous operation is followed by a fence between the proxies that
    // is implied, so what the wait has seen, plain loads see.
    while (!gpu::shared_barrier::try_wait_parity(&at_.arrived, parity_)) {}
    parity_ ^= 1;
    gpu::cancellation_answer const got{at_.answer.low, at_.answer.high}; // the next request overwrites it
    if (!gpu::is_canceled(got)) return false;
    first = {gpu::canceled_block(got, dimension::x), gpu::canceled_block(got, dimension::y),
             gpu::canceled_block(got, dimension::z)};
    request();
    return true;
  }
};

} // namespace cudax::machine::stealing

export namespace cudax::device {

/// Calls f with the index of the calling thread's own block, then with the index of each block whose launch this block could
/// cancel, until there is none left: every index of the grid goes to one block. All threads of the block call f with it, and what
/// they did for one index happens before what they do for the next. Before sm_100 no launch can be cancelled: f is called once,
/// with the own index, which is the same contract; work_queue steals on every SM. On the host, where there is no
/// grid, f is called once, with 0, 0, 0.
/// Source:   libcu++, <cuda/work_stealing>; Rank: how many dimensions the grid has. The others of the index are 0.
/// Order:    among calls by different blocks none
/// Requires: all threads of the block call it, once in a kernel; of a cluster, all threads of all of its blocks
/// Errors:   checked builds stop where the grid has more dimensions
template <int Rank = 3, class F>
void for_each_canceled_block(F f) {
  static_assert(Rank >= 1 && Rank <= 3,
                "cudax.sync: for_each_canceled_block: a grid has 1, 2 or 3 dimensions; use one of these as Rank");
  static_assert(machine::stealing::works<F>,
                "cudax.sync: for_each_canceled_block: f must be callable with a block_index, "
                "or with what converts from it, as dim3");
  if constexpr (!machine::traits::has_grid) {
    f(block_index{0, 0, 0});
  } else {
    namespace stealing = machine::stealing;
    block_index const own = stealing::own_index();
    [[maybe_unused]] block_index const grid = stealing::grid_extent();
    CUDAX_ENSURE((Rank > 1 || grid.y == 1) && (Rank > 2 || grid.z == 1),
                 "for_each_canceled_block<%lld>: the grid has more dimensions; use their number as Rank", Rank);
    if (!machine::gpu::has_launch_cancellation()) {
      f(stealing::in_rank<Rank>(own));
      return;
    }
    stealing::cancellation next(stealing::here());
    if (stealing::is_first_of_unit()) next.begin();
    f(stealing::in_rank<Rank>(own));
    stealing::share_out<Rank>(next, f);
  }
}

} // namespace cudax::device

CUDAX_EVERYWHERE_END
