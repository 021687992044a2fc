// SPDX-License-Identifier: Apache-2.0
//
// group: thread groups, whose threads arrive together.
// A thread group knows its size and the rank of the calling thread, and synchronizes its threads. A latch or a barrier
// counts one arrival for a whole group: the group synchronizes, its first thread arrives and waits, and the group
// synchronizes again. The group types of CUDA's cooperative groups are thread groups without any adaptation.
module;
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
#include "../base/macros.hpp"
export module cudax.sync:group;
import :bits;
import :device_barrier;
import :device_group;
import :machine;
import :scope;
import :warp_group;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// A group of threads. Each thread knows its rank, from 0 to size() - 1. sync() blocks until every thread of the group
/// has called it, and orders memory among the threads. size() and thread_rank() return any integral type; in a group of
/// one or two threads they may be bool.
/// Source:   extension; the interface of a group in CUDA's cooperative groups
template <class G>
concept thread_group = requires(G const& group) {
  requires __is_integral(decltype(group.size()));
  requires __is_integral(decltype(group.thread_rank()));
  group.sync();
};

} // namespace cudax

namespace cudax::thread_detail {

template <machine::level L> class group;

/// What arrive() of a cluster or a grid returns, and wait() takes.
template <machine::level L>
class group_arrival {
public:
  group_arrival(group_arrival&&) noexcept = default;
  group_arrival& operator=(group_arrival&&) noexcept = default;

private:
  friend class group<L>;
  explicit group_arrival(u32 word) noexcept : word_(word) {}

  u32 word_; // of a grid's barrier, before the addition
};

/// The calling thread's group of a level. The members are static, so that passing an object costs nothing. On the host
/// every group consists of the calling thread only.
template <machine::level L>
class group {
public:
  /// The narrowest scope that includes the group; for a warp that is the block.
  static constexpr cudax::thread_scope thread_scope = L == machine::level::thread    ? thread_scope_thread
                                                      : L == machine::level::cluster ? thread_scope_cluster
                                                      : L == machine::level::grid    ? thread_scope_device
                                                                                     : thread_scope_block;

  /// Returns the number of threads in the group.
  static inline u64 size() noexcept {
    if constexpr (L != machine::level::thread) return machine::gpu::group_size(L);
    else return 1;
  }

  /// Returns the rank of the calling thread; x varies fastest, then y, then z.
  static inline u64 thread_rank() noexcept {
    if constexpr (L != machine::level::thread) return machine::gpu::group_rank(L);
    else return 0;
  }

  /// Returns the rank of the calling thread's block in its cluster, and the number of the cluster's blocks. x varies
  /// fastest, then y, then z. On the host, and before sm_90, a cluster is one block.
  /// Source:   cooperative groups, cluster_group::block_rank and num_blocks; PTX ISA, %cluster_ctarank
  static unsigned block_rank() noexcept
    requires(L == machine::level::cluster)
  {
    return u32(machine::gpu::group_rank(machine::level::blocks_of_cluster));
  }
  static unsigned num_blocks() noexcept
    requires(L == machine::level::cluster)
  {
    return u32(machine::gpu::group_size(machine::level::blocks_of_cluster));
  }

  /// Returns the address of the object that corresponds to `object` in the shared memory of block `rank` of the
  /// cluster. On the host, and before sm_90, a cluster is one block: returns `object`.
  /// Source:   cooperative groups, cluster_group::map_shared_rank
  /// Requires: `object` is in shared memory; rank is below the number of the cluster's blocks, and that block has begun
  ///           and does not exit before the last access to its object
  /// Errors:   from sm_90, a program does not link if the compiler knows that `object` is in other memory; the name of
  ///           the missing symbol says so. Checked builds stop at other memory, and at a rank that is too large
  template <class T>
  static T* map_shared_rank(T* object, int rank) noexcept
    requires(L == machine::level::cluster)
  {
    if constexpr (machine::traits::has_grid) {
      CUDAX_ENSURE(!machine::gpu::is_global((void const*)object) && !machine::gpu::is_local((void const*)object),
                   "this_cluster.map_shared_rank: the object at %llx is not in shared memory; pass the address of a "
                   "__shared__ variable",
                   (long long)object);
      CUDAX_ENSURE(u32(rank) < num_blocks(),
                   "this_cluster.map_shared_rank: the cluster has no block of rank %lld; ranks are below the number of "
                   "its blocks",
                   (long long)rank);
    }
    return machine::gpu::cluster_shared(object, u32(rank));
  }

  /// Blocks until every thread of the group has called it, and orders memory among the threads.
  /// Requires: all threads of the group that have not exited call it. A grid also needs a cooperative launch, and the
  ///           first thread of each block must not have exited, because it arrives for its block
  static inline void sync() noexcept {
    if constexpr (L == machine::level::warp)
      machine::gpu::sync_warp(~0u); // does not wait for lanes that do not exist or have exited
    else if constexpr (L == machine::level::block) machine::gpu::sync_block();
    else if constexpr (L == machine::level::cluster) machine::gpu::sync_cluster();
    else if constexpr (L == machine::level::grid) machine::gpu::sync_grid();
  }

  /// Returns true in one lane of the warp, the same lane in each call, which then acts for the warp. Orders no memory:
  /// call sync() where the other lanes read what the elected lane wrote.
  /// Source:   PTX ISA, "elect.sync"; before sm_90 the first lane
  /// Requires: all lanes of the warp call together
  [[nodiscard]] static bool elect() noexcept
    requires(L == machine::level::warp)
  {
    return machine::gpu::elect();
  }

  /// Returns the warps First to First + Count - 1 of the block as a thread group, which also has contains() and
  /// elect(). They meet at the block's barrier Id. One warp needs no barrier, and no id. On the host the group is the
  /// calling thread.
  /// Source:   extension
  /// Requires: no other code of the block uses the barrier Id at the same time
  /// Errors:   warps beyond 31, a count of 0, and several warps without an id from 1 to 15 do not compile. In checked
  ///           builds a thread that is not in the group stops at sync(), thread_rank() and elect()
  /// Example:
  ///     __global__ void roles(int* data) { // 256 threads
  ///       auto const consumers = cudax::this_block.warps<4, 4, 1>(); // warps 4 to 7, barrier 1
  ///       if (!consumers.contains()) return;
  ///       data[consumers.thread_rank()] = 1;
  ///       consumers.sync(); // does not wait for warps 0 to 3
  ///     }
  template <int First, int Count, int Id = 0>
  static constexpr warp_group<First, Count, Id> warps() noexcept
    requires(L == machine::level::block)
  {
    return {};
  }

  /// sync() in two calls, so that the thread can work while other blocks are awaited. arrive() says that the thread
  /// has arrived. wait() blocks until all threads of the group have.
  /// A block has no such pair: its hardware barrier has an arrival, but its waiting instruction arrives again. Use a
  /// `barrier<thread_scope_block>` in shared memory, with a count of one for each thread: its arrive() and wait() are
  /// such a pair, its owner is the program. wait() may come late, but before the thread arrives again.
  /// Source:   cooperative groups, barrier_arrive and barrier_wait; PTX ISA, "barrier.cluster"
  /// Order:    what precedes arrive() happens before what follows wait(), in every thread of the group;
  ///           arrive_relaxed() orders nothing
  /// Requires: as sync(). Each thread calls the two alternately, wait() with the result of its own arrive(), and sync()
  ///           not in between. Each call may block until all threads of the block have made it
  /// Example:
  ///     __global__ void exchange(int* in, int* out, int n) { // launched cooperatively
  ///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  ///       out[i] = in[i] * 2;
  ///       auto arrival = cudax::this_grid.arrive();
  ///       int const mine = in[i] + 1; // meanwhile
  ///       cudax::this_grid.wait(std::move(arrival));
  ///       in[i] = mine + out[(i + 1) % n];
  ///     }
  [[nodiscard]] static group_arrival<L> arrive() noexcept
    requires(L == machine::level::cluster || L == machine::level::grid)
  {
    if constexpr (L == machine::level::grid) {
      return group_arrival<L>(machine::gpu::arrive_grid());
    } else {
      machine::gpu::arrive_cluster();
      return group_arrival<L>(0);
    }
  }
  static void arrive()
    requires(L == machine::level::block || L == machine::level::warp)
  = delete ("cudax.sync: this_block.arrive, this_warp.arrive: only a cluster and a grid synchronize in two calls; use "
            "arrive() and wait() of a barrier<thread_scope_block>, with a count of the group's threads");
  [[nodiscard]] static group_arrival<L> arrive_relaxed() noexcept
    requires(L == machine::level::cluster)
  {
    machine::gpu::arrive_cluster_relaxed();
    return group_arrival<L>(0);
  }
  static void wait(group_arrival<L>&& arrival) noexcept
    requires(L == machine::level::cluster || L == machine::level::grid)
  {
    if constexpr (L == machine::level::grid) machine::gpu::wait_grid(arrival.word_);
    else machine::gpu::wait_cluster();
  }
  static void wait(group_arrival<L> const&)
    requires(L == machine::level::cluster || L == machine::level::grid)
  = delete ("cudax.sync: this_cluster.wait, this_grid.wait: an arrival serves one wait, which takes it: "
            "wait(std::move(arrival)), or wait(arrive())");

  /// Returns whether the grid can synchronize: whether it was launched cooperatively. On the host it can.
  /// Source:   cooperative groups, grid_group::is_valid
  static bool is_valid() noexcept
    requires(L == machine::level::grid)
  {
    return machine::gpu::grid_is_valid();
  }

  /// Blocks until the prerequisites of the grid have completed: the grids after which a dependent launch
  /// (cudax::launch_dependent) has put it. In a grid of an ordinary launch, in code for an SM before sm_90, and on the
  /// host, they have completed already: launch_dependent launches such code as usual. CUDA's own launch attribute does
  /// not, so do not give it to such code.
  /// Source:   PTX ISA, "griddepcontrol.wait"; CUDA Programming Guide, "Programmatic Dependent Launch and
  ///           Synchronization"; cudaGridDependencySynchronize
  /// Order:    everything in the prerequisites, their last writes included, happens before what follows the call in the
  ///           calling thread. Other threads call it, too, or synchronize with a thread that has. Before the call the
  ///           grid may run at the same time as its prerequisites, and must not write what they read
  /// Requires: what the prerequisites write is not read through pointers to const with __restrict__: those say that
  ///           nothing writes the memory while the kernel runs, and the compiler may then read it before the call.
  ///           If a grid never calls it, no source says that a later dependent grid waits for the prerequisites of
  ///           this grid, too: then call it before the end
  static void wait_for_prerequisites() noexcept
    requires(L == machine::level::grid)
  {
    machine::gpu::wait_for_prerequisites();
  }

  /// Permits the grid of the next dependent launch in the stream to start as soon as every block of this grid has
  /// called this function, in at least one thread, or has ended. A block's further calls have no effect. A block that
  /// never calls it delays the dependent grid until the block ends. In a grid without a dependent, in code for an SM
  /// before sm_90, and on the host, it does nothing. It is a hint: the dependent grid may start later, and it takes
  /// resources from blocks of this grid that have not started.
  /// Source:   PTX ISA, "griddepcontrol.launch_dependents"; cudaTriggerProgrammaticLaunchCompletion
  /// Order:    none. Neither what precedes the call nor what follows it is visible to the dependent grid before its
  ///           wait_for_prerequisites() returns, when all of it is
  static void let_dependents_start() noexcept
    requires(L == machine::level::grid)
  {
    machine::gpu::let_dependents_start();
  }
};

/// Synchronizes the group. Returns true to its first thread, which then acts for all. The rank is calculated before,
/// while other threads are awaited.
template <thread_group G>
bool sync_and_choose_first(G const& group) {
  bool const is_first = group.thread_rank() == 0;
  group.sync();
  return is_first;
}

/// Calls act() in the first thread of the group, after all threads of the group have called, and blocks all of them
/// until it has returned. What is sequenced before the call in any thread of the group happens before act(), and act()
/// happens before what is sequenced after the call.
/// For a block, where the lanes of a warp call together, the code is a copy of its own (arch/grid_sync.hpp says why).
template <thread_group G, class Act>
void act_for_group(G const& group, Act act) {
  auto const act_between = [&](auto sync) {
    bool const is_first = group.thread_rank() == 0; // calculated here, while other threads are awaited
    sync();
    if (is_first) act();
    sync();
  };
  if constexpr (same_as<G, thread_detail::group<machine::level::block>>)
    if (machine::gpu::warp_is_together()) return act_between([] { machine::gpu::sync_block_together(); });
  act_between([&] { group.sync(); });
}

} // namespace cudax::thread_detail

export namespace cudax {

/// The calling thread's warp, block, cluster and grid as thread groups; `this_thread` is a thread group, too. On the
/// host each of them consists of the calling thread only. Before sm_90 a cluster is one block.
/// Source:   extension
/// Example:
///     __global__ void step(cudax::barrier<cudax::thread_scope_device>* b, int* now, int* next) { // init(b, gridDim.x)
///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
///       next[i] = now[(i + 1) % (gridDim.x * blockDim.x)];
///       b->arrive_and_wait(cudax::this_block); // one arrival for each block
///       now[i] = next[i];
///     }
inline constexpr thread_detail::group<machine::level::warp> this_warp{};
inline constexpr thread_detail::group<machine::level::block> this_block{};
inline constexpr thread_detail::group<machine::level::cluster> this_cluster{};
inline constexpr thread_detail::group<machine::level::grid> this_grid{};

} // namespace cudax

CUDAX_EVERYWHERE_END
