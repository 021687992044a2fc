// SPDX-License-Identifier: Apache-2.0
//
// stealing_stages: the warps of a block take further indices of a grid separately, each when it is ready.
// for_each_canceled_block and work_queue hand an index to all threads of a block, which meet for it. A kernel whose
// warps have different tasks cannot meet: its producer is some tiles ahead of its consumers. Here one thread, the
// scheduler, finds the indices, by cancelled launches (sm_100) or by counting (a work_queue, on every SM), and puts
// them into stages. Each reader takes them out at its own pace. CUTLASS has PipelineCLCFetchAsync for it.
//
// Stages. A stage is a slot and two barriers. `full` completes when the scheduler has written the slot; `empty`
// completes when all readers have read it. Both are waited for by parity: the use number k / Stages of a stage
// completes the phase of that number, and no thread is a whole phase late, because the next use of the stage needs its
// arrival.
//   The scheduler first waits until a stage is free, then makes the request. So the latency of a request is hidden as
//   long as readers have an index left, and a block holds at most Stages indices that it has not begun: the more it
//   holds, the less evenly the work is spread at the end.
//   The hardware's answer passes through the scheduler: it must read each answer before the next request, because after
//   one that says "none" a further request is undefined behavior (PTX ISA, "clusterlaunchcontrol.try_cancel"). So only
//   the scheduler uses the asynchronous proxy, and readers need no proxy fence.
//
// Clusters. The unit of stealing is the cluster. The scheduler of its block of rank 0 finds the unit and writes the
// slots of all blocks, and readers of all blocks arrive at the `empty` of that block. So these arrivals and waits are
// of cluster scope. Block 0 must not end before the last arrival: its scheduler waits for it. The other blocks end
// after they have read the last slot, after which no thread accesses their shared memory.
//
// Orders. The write of the slot happens before its reads: arrival at `full` (release), wait (acquire). The reads happen
// before the next write: the threads of a reader synchronize, its first thread arrives at `empty` (release,
// cumulative), the scheduler waits (acquire).
module;
#include "../base/macros.hpp"
export module cudax.sync:stealing_stages;
import :barrier;
import :barrier_cluster;
import :bits;
import :canceled_block;
import :device_group;
import :device_launch;
import :group;
import :machine;
import :scope;
import :stealing;
import :work_queue;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// The stages of a stealing_pipeline: an object in the shared memory of each block.
/// Source:   extension
template <int Stages = 2>
struct stealing_pipeline_state {
  static_assert(Stages >= 1, "cudax.sync: stealing_pipeline_state: there is no stage; use one or more");

  barrier<thread_scope_block> full[Stages], empty[Stages];
  grid_detail::stealing::slot slots[Stages];
};

} // namespace cudax

namespace cudax::grid_detail::stealing {
using namespace machine;

/// Cancelled launches as a source of units: the unit of the block itself, then those of cancelled launches.
class launches {
  cancellation next_;

public:
  inline launches() noexcept : next_(here()) {}
  inline bool own(block_index& index) const noexcept {
    index = own_index();
    return true;
  }
  inline void begin() noexcept {
    if (gpu::has_launch_cancellation()) next_.prepare();
  }
  inline bool operator()(block_index& first) noexcept { return gpu::has_launch_cancellation() && next_.ask(first); }
};

/// On the host the calling thread is the grid: the indices of a grid, one after the other.
class all_indices {
  block_index extent_;
  u64 next_ = 0;

public:
  constexpr explicit all_indices(block_index extent) noexcept : extent_(extent) {}
  constexpr bool operator()(block_index& index) noexcept {
    if (next_ >= count(extent_)) return false;
    index = first_of<3>(next_++, extent_, {1, 1, 1});
    return true;
  }
};

} // namespace cudax::grid_detail::stealing

export namespace cudax {

/// Hands the indices of a grid to the warps of a block, each of which takes them at its own pace. One thread of each
/// block is the scheduler, and calls schedule(). The readers are groups of threads (warps, warpgroups, single threads)
/// that call next(): each of them gets every index that the block gets, in the same order, beginning with the block's
/// own. Every thread of the block has an object. `Source` is what make_stealing_pipeline chooses.
/// Source:   extension; PipelineCLCFetchAsync of CUTLASS
/// Example:
///     template <int Stages, class Source> // a warp that reads
///     __device__ void read(cudax::stealing_pipeline<1, Stages, Source>& blocks, float* data) {
///       cudax::block_index block;
///       while (blocks.next(cudax::this_warp, block)) data[block.x * 32 + threadIdx.x % 32] *= 2;
///     }
template <int Rank, int Stages, class Source>
class stealing_pipeline {
  using state = stealing_pipeline_state<Stages>;

public:
  /// Finds indices for all readers, until none is left. One thread of each block calls it, once; it returns after the
  /// block's readers have taken the last index (in a cluster: those of all blocks). A reader must not wait for the warp
  /// of this thread meanwhile. On the host it does nothing.
  /// Order:    none between different blocks
  void schedule() noexcept {
    if constexpr (machine::traits::has_grid) {
      if (blocks_ != 1 && this_cluster.block_rank() != 0) return;
      source_.begin();
      for (u32 k = 0;; ++k) {
        if (k >= u32(Stages)) wait(state_->empty[k % Stages], k / Stages - 1);
        grid_detail::stealing::slot next{};
        next.found = source_(next.first);
        if (blocks_ == 1) {
          state_->slots[k % Stages] = next;
          (void)state_->full[k % Stages].arrive();
        } else {
#pragma clang loop unroll(disable) // few rounds: unrolled, the code would be eight times as large
          for (u32 block = 0; block < blocks_; ++block) {
            state& there = in_block(block);
            there.slots[k % Stages] = next;
            device::barrier_arrive_remote(there.full[k % Stages]);
          }
        }
        if (next.found) continue;
        // The last use of each stage: this block's barriers are used until then.
        for (u32 i = k < u32(Stages) ? 0 : k - u32(Stages) + 1; i < k; ++i) wait(state_->empty[i % Stages], i / Stages);
        return;
      }
    }
  }

  /// Sets `index` to the next index of the calling group and returns true; returns false if none is left. Blocks until
  /// the scheduler has found it. All threads of the group call it, and get the same index.
  /// Order:    acquires what the scheduler released; orders no data between readers
  /// Requires: `group` is one of the readers that make_stealing_pipeline counted: a thread_group of threads of the block
  template <thread_group G>
  [[nodiscard]] bool next(G const& group, block_index& index) noexcept {
    namespace stealing = grid_detail::stealing;
    if constexpr (!machine::traits::has_grid) {
      return source_(index);
    } else {
      if (begins_) {
        begins_ = false;
        if (source_.own(index)) {
          index = stealing::in_rank<Rank>(index);
          return true;
        }
      }
      u32 const stage = taken_ % Stages;
      wait(state_->full[stage], taken_ / Stages);
      stealing::slot const got = state_->slots[stage];
      if (!got.found) return false;
      if (thread_detail::sync_and_choose_first(group)) {
        if (blocks_ == 1) (void)state_->empty[stage].arrive();
        else device::barrier_arrive_remote(in_block(0).empty[stage]);
      }
      ++taken_;
      index = got.first;
      if (blocks_ != 1) {
        block_index const place = stealing::place_in_unit(stealing::own_index(), stealing::unit_extent());
        index = {index.x + place.x, index.y + place.y, index.z + place.z};
      }
      index = stealing::in_rank<Rank>(index);
      return true;
    }
  }

  /// Calls f with each index that next() returns.
  template <thread_group G, grid_detail::stealing::works F>
  void for_each(G const& group, F f) {
    for (block_index index{}; next(group, index);) f(index);
  }

  stealing_pipeline(stealing_pipeline const&) = delete;
  stealing_pipeline& operator=(stealing_pipeline const&) = delete;

  /// For make_stealing_pipeline.
  stealing_pipeline(state* at, [[maybe_unused]] int readers, Source source) noexcept : state_(at), source_(source) {
    if constexpr (machine::traits::has_grid) {
      namespace stealing = grid_detail::stealing;
      blocks_ = this_cluster.num_blocks();
      CUDAX_ENSURE(readers >= 1 && readers * (long long)blocks_ <= barrier<thread_scope_block>::max(),
                   "make_stealing_pipeline: %lld readers; count the groups of a block that call next(), 1 or more",
                   readers);
      if (machine::gpu::group_rank(machine::level::block) == 0)
        for (int i = 0; i < Stages; ++i) {
          init(&at->full[i], 1);
          init(&at->empty[i], ptrdiff_t(readers) * blocks_);
        }
      stealing::meet(blocks_); // every block has begun, and its barriers are initialized
    }
  }

private:
  // For clusters of several blocks only: if an object may be another block's, the compiler does not know that it is in
  // shared memory, and the arrival of a block alone would query the state space.
  state& in_block(u32 block) const noexcept { return *this_cluster.map_shared_rank(state_, int(block)); }

  void wait(barrier<thread_scope_block>& b, u32 phase) const noexcept {
    if (blocks_ == 1) b.wait_parity(phase % 2 != 0);
    else device::barrier_wait_parity_cluster(b, phase % 2 != 0);
  }

  state* state_;
  Source source_;
  u32 blocks_ = 1, taken_ = 0;
  bool begins_ = true;
};

/// Makes the calling thread's object of a stealing_pipeline of its block. Without a queue, indices come from cancelled
/// launches, as in for_each_canceled_block; before sm_100 no launch can be cancelled, and each block has its own index
/// alone. With a queue they come from the queue, as in for_each of a work_queue, on every SM. `Rank` is the number of
/// the grid's dimensions. In a cluster all blocks take one cluster of indices together, each block its own place in it.
///   On the host the calling thread gets every index of the queue, or 0, 0, 0.
/// Source:   extension
/// Units:    `readers`: the number of groups of each block that call next()
/// Requires: all threads of the block call it with the same arguments, once in a kernel; in a cluster, all threads of all
///           blocks, and `state` is at the same place in each. The block or cluster meets there, so the call comes
///           before the warps part. The kernel calls neither for_each_canceled_block nor, with the same queue,
///           for_each. `state` is in shared memory, and serves nothing else until the kernel ends
/// Errors:   a number of readers below 1 is rejected; at run time only in checked builds
/// Example:
///     __global__ void scale(float* data) { // 96 threads: a warp that schedules, and two that read
///       __shared__ cudax::stealing_pipeline_state<2> state;
///       auto blocks = cudax::make_stealing_pipeline<1>(&state, 2);
///       cudax::block_index block;
///       if (threadIdx.x == 0) blocks.schedule();
///       if (threadIdx.x >= 32)
///         while (blocks.next(cudax::this_warp, block)) data[block.x * 64 + threadIdx.x - 32] *= 2;
///     }
template <int Rank = 3, int Stages>
[[nodiscard]] auto make_stealing_pipeline(stealing_pipeline_state<Stages>* state, int readers) noexcept
    CUDAX_REFUSE(readers < 1, "make_stealing_pipeline: no readers; count the groups of a block that call next()") {
  namespace stealing = grid_detail::stealing;
  if constexpr (!machine::traits::has_grid)
    return stealing_pipeline<Rank, Stages, stealing::all_indices>(state, readers, stealing::all_indices({1, 1, 1}));
  else return stealing_pipeline<Rank, Stages, stealing::launches>(state, readers, {});
}
template <int Stages, int Rank>
[[nodiscard]] auto make_stealing_pipeline(stealing_pipeline_state<Stages>* state, int readers,
                                          work_queue<Rank> const& queue) noexcept
    CUDAX_REFUSE(readers < 1, "make_stealing_pipeline: no readers; count the groups of a block that call next()") {
  namespace stealing = grid_detail::stealing;
  if constexpr (!machine::traits::has_grid)
    return stealing_pipeline<Rank, Stages, stealing::all_indices>(state, readers,
                                                                  stealing::all_indices(queue.extent()));
  else
    return stealing_pipeline<Rank, Stages, stealing::queued<Rank>>(state, readers,
                                                                   stealing::queue_access::source(queue));
}

} // namespace cudax

CUDAX_EVERYWHERE_END
