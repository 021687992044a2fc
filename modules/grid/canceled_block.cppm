// SPDX-License-Identifier: Apache-2.0
//
// canceled_block: a block takes over the work of blocks that have not begun, by cancelling their launch.
// PTX ISA, "clusterlaunchcontrol"; requires sm_100.
//
// The first thread of a block requests that the launch of another block be cancelled. If the grid has clusters, the
// first thread of a cluster does so, and the launch of a whole cluster is cancelled. The asynchronous proxy writes the
// answer to shared memory and then completes its 16 bytes at a barrier object. A request runs while f works on the
// previous index, which hides the latency. Only the requesting thread accesses the answer and the barrier. It then
// hands the index out (stealing.cppm).
//
// On SMs with a letter (sm_100a, ...) the hardware hands the answer to all blocks of a cluster (.multicast). Then the
// first thread of each block waits at its own barrier and reads its own answer, and the requesting thread writes
// nothing to other blocks. In each round the cluster still meets once: a request is made only after every block has
// read the previous answer and has prepared its barrier for the next one.
//
// Each request is one phase of the barrier. The only arrival of a phase is that of the requesting thread. The arrival
// makes the phase expect the 16 bytes, in one instruction, before the request. So the phase cannot end before the
// answer has been written. The wait is by parity, which distinguishes a phase from the previous one. That suffices,
// because the thread waits for each request before it begins the next one.
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

namespace cudax::grid_detail::stealing {
using namespace machine;

/// Returns the unit whose launch was cancelled.
inline slot unit_of(gpu::cancellation_answer const& got) noexcept {
  slot found{};
  found.found = gpu::is_canceled(got);
  if (found.found)
    found.first = {gpu::canceled_block(got, dimension::x), gpu::canceled_block(got, dimension::y),
                   gpu::canceled_block(got, dimension::z)};
  return found;
}

/// Finds the next unit by cancelling a launch. Only the first thread of a unit calls it.
class cancellation {
  shared_state& at_;
  u32 parity_ = 0;

  /// Waits for the request that is running. If a launch was cancelled, sets `first` and returns true.
  inline bool answered(block_index& first) noexcept {
    // Acquire: pairs with the completion of the answer's bytes. That completion includes a proxy fence, so plain loads
    // after the wait read the answer.
    while (!gpu::shared_barrier::try_wait_parity(&at_.answer_barrier, parity_)) {}
    parity_ ^= 1;
    gpu::cancellation_answer const got{at_.answer.low, at_.answer.high}; // the next request overwrites the answer
    slot const next = unit_of(got);
    if (next.found) first = next.first;
    return next.found;
  }

  inline void request() noexcept {
    // Orders this thread's reads of the previous answer, also of an earlier call's last one, before the write of the
    // asynchronous proxy, which overwrites it. No other thread accesses the answer, which is in this block's shared
    // memory, so program order and this fence suffice. The barrier needs no fence: the request accesses it through the
    // generic proxy (PTX ISA, "clusterlaunchcontrol.try_cancel").
    gpu::bulk_copy::fence_shared();
    gpu::shared_barrier::arrive_expect_bytes(&at_.answer_barrier, 1, sizeof(at_.answer));
    gpu::cancel_launch(at_.answer, &at_.answer_barrier);
  }

public:
  inline explicit cancellation(shared_state& at) noexcept : at_(at) {}

  inline void begin() noexcept {
    prepare();
    request();
  }

  /// begin() and operator() for a caller that makes each request only when it can use the answer: prepare(), then ask()
  /// again and again, until it returns false.
  inline void prepare() noexcept { gpu::shared_barrier::init(&at_.answer_barrier, 1); }
  inline bool ask(block_index& first) noexcept {
    request();
    return answered(first);
  }

  /// Waits for the request that is running. If a launch was cancelled, sets `first`, begins the next request and
  /// returns true. Otherwise returns false and makes no further request: a further request would be undefined behavior.
  inline bool operator()(block_index& first) noexcept {
    if (!answered(first)) return false;
    request();
    return true;
  }
};

/// The same as share_out with `cancellation`, for a cluster in which each block gets the answers: calls f with the
/// block's own index, then with those of cancelled clusters.
template <int Rank, class F>
void share_out_by_multicast(F& f) {
  shared_state& mine = here();
  block_index const own = own_index();
  block_index const place = place_in_unit(own, unit_extent());
  bool const is_first_of_block = gpu::group_rank(level::block) == 0;
  bool const is_first = is_first_of_unit();
  // Orders this thread's reads of the previous answer before the write of the asynchronous proxy, which overwrites it;
  // the barrier needs no fence, as above. The request comes after the meeting of the cluster, which every such thread
  // reaches after its fence. The arrival makes the next phase expect the answer.
  auto const prepare = [&] {
    gpu::bulk_copy::fence_shared();
    gpu::shared_barrier::arrive_expect_bytes(&mine.answer_barrier, 1, sizeof(mine.answer));
  };
  if (is_first_of_block) {
    gpu::shared_barrier::init(&mine.answer_barrier, 1);
    prepare();
  }
  // Every block has begun, and its barrier is initialized. Earlier code of the kernel no longer reads the slots.
  gpu::sync_cluster();
  if (is_first) gpu::cancel_launch_multicast(mine.answer, &mine.answer_barrier);
  f(in_rank<Rank>(own));
  for (u32 round = 0, parity = 0;; round ^= 1, parity ^= 1) {
    if (is_first_of_block) {
      // Acquire at cluster scope: pairs with the completion of the answer's bytes, which another block requested. The
      // next phase does not end before the next request, which is made after this wait.
      while (!gpu::shared_barrier::try_wait_parity_cluster(&mine.answer_barrier, parity)) {}
      slot const next = unit_of({mine.answer.low, mine.answer.high});
      mine.slots[round] = next;
      if (next.found) prepare();
    }
    // After the last meeting no answer is under way, so blocks may end.
    gpu::sync_cluster();
    slot const got = mine.slots[round];
    if (!got.found) return;
    if (is_first) gpu::cancel_launch_multicast(mine.answer, &mine.answer_barrier);
    f(in_rank<Rank>({got.first.x + place.x, got.first.y + place.y, got.first.z + place.z}));
  }
}

} // namespace cudax::grid_detail::stealing

export namespace cudax::device {

/// Calls f with the index of the calling thread's own block, then with the index of each block whose launch this block
/// has cancelled, until no launch is left to cancel. Every index of the grid goes to exactly one block. All threads of
/// the block call f with the index, and what they do for one index happens before what they do for the next.
///   Before sm_100 no launch can be cancelled. Then f is called once, with the block's own index, which satisfies the
///   same contract; work_queue steals on every SM. On the host, which has no grid, f is called once, with 0, 0, 0.
///   `Rank` is the number of the grid's dimensions; the index is 0 in the other dimensions.
/// Source:   libcu++, <cuda/work_stealing>
/// Order:    none among calls by different blocks
/// Requires: all threads of the block call it, once in a kernel; in a cluster, all threads of all of its blocks
/// Errors:   checked builds stop if the grid has more dimensions than Rank
/// Example:
///     __global__ void scale(float* data) {
///       cudax::device::for_each_canceled_block<1>([=](cudax::block_index block) {
///         data[block.x * blockDim.x + threadIdx.x] *= 2;
///       });
///     }
template <int Rank = 3, class F>
void for_each_canceled_block(F f) {
  static_assert(Rank >= 1 && Rank <= 3,
                "cudax.sync: for_each_canceled_block: a grid has 1, 2 or 3 dimensions; use one of these as Rank");
  static_assert(grid_detail::stealing::works<F>,
                "cudax.sync: for_each_canceled_block: f must be callable with a block_index, "
                "or with what converts from it, as dim3");
  if constexpr (!machine::traits::has_grid) {
    f(block_index{0, 0, 0});
  } else {
    namespace stealing = grid_detail::stealing;
    block_index const own = stealing::own_index();
    [[maybe_unused]] block_index const grid = stealing::grid_extent();
    CUDAX_ENSURE((Rank > 1 || grid.y == 1) && (Rank > 2 || grid.z == 1),
                 "for_each_canceled_block<%lld>: the grid has more dimensions; use their number as Rank", Rank);
    if (!machine::gpu::has_launch_cancellation()) {
      f(stealing::in_rank<Rank>(own));
      return;
    }
    if (machine::gpu::has_launch_cancellation_multicast() && stealing::count(stealing::unit_extent()) != 1) {
      stealing::share_out_by_multicast<Rank>(f);
      return;
    }
    stealing::cancellation next(stealing::here());
    if (stealing::is_first_of_unit()) next.begin();
    f(stealing::in_rank<Rank>(own));
    stealing::share_out<Rank>(next, f);
  }
}

} // namespace cudax::device

export namespace cudax {

/// libcu++ declares the function in namespace cuda.
using device::for_each_canceled_block;

} // namespace cudax

CUDAX_EVERYWHERE_END
