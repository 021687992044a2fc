// SPDX-License-Identifier: Apache-2.0
//
// make_pipeline: initializes what the threads of a pipeline share, and gives each thread its pipeline object.
module;
#include "../base/macros.hpp"
export module cudax.sync:make_pipeline;
import :barrier;
import :barrier_state;
import :bits;
import :device_barrier;
import :device_group;
import :group;
import :machine;
import :modify;
import :order;
import :pipeline;
import :pipeline_state;
import :scope;
import :this_thread;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// Whether the scope includes all threads of the group. Nothing is known of groups that programs define.
template <thread_scope S, class G>
inline constexpr bool includes = true;
template <thread_scope S>
inline constexpr bool includes<S, group<level::cluster>> = S != thread_scope_block;
template <thread_scope S>
inline constexpr bool includes<S, group<level::grid>> = S != thread_scope_block && S != thread_scope_cluster;

template <class G, thread_scope S>
consteval void require_included() {
  static_assert(includes<S, G>,
                "cudax.sync: make_pipeline: the scope of the state does not include all threads of the group; use a "
                "wider scope. For blocks of a cluster that fill each other's stages: make_pipeline(this_cluster, "
                "&state, role, agent) with a state of block scope in shared memory");
}

/// Initializes the shared state. One thread calls it. Pipelines of one thread share nothing, so their state is not
/// accessed.
template <thread_scope S, unsigned char N>
void start_pipeline([[maybe_unused]] pipeline_shared_state<S, N>& state, u64 users, u64 producers,
                    u64 consumers) noexcept {
  if constexpr (S == thread_scope_thread) return;
  // A number of consumers that was calculated as users - producers has wrapped around if there are too many producers.
  CUDAX_ENSURE(producers > 0 && producers <= users && consumers > 0 && ptrdiff_t(consumers) > 0,
               "make_pipeline: with %lld producers the pipeline has no producer or no consumer; it needs both",
               (long long)producers);
  auto& stages = pipeline_access::stages(state);
  for (auto& stage : stages) {
    init(&stage.produced, ptrdiff_t(producers));
    init(&stage.consumed, ptrdiff_t(consumers));
  }
  // No proxy fence: bulk copies complete their bytes at `produced` through the generic proxy (proxy_fence.cppm), so the
  // group's sync() orders the initialization before them.
  pipeline_access::users(state) = u32(users);
}

/// Counts the agents of each role in the state. Relaxed: the group's sync() before and after orders the counting.
template <thread_scope S, unsigned char N>
void count_roles(auto const& group, pipeline_shared_state<S, N>& state, pipeline_role role,
                 auto const& agent) noexcept {
  u32 *const producers = &pipeline_access::users(state), *const consumers = &pipeline_access::consumers(state);
  if (group.thread_rank() == 0) {
    store<S>(producers, u32(0), memory_order::relaxed);
    store<S>(consumers, u32(0), memory_order::relaxed);
  }
  group.sync();
  if (agent.thread_rank() == 0)
    reduce<modification::add, S>(role == pipeline_role::producer ? producers : consumers, u32(1),
                                 memory_order::relaxed);
}

template <thread_scope S, unsigned char N>
void start_by_role(auto const& group, pipeline_shared_state<S, N>& state, pipeline_role role,
                   auto const& agent) noexcept {
  count_roles(group, state, role, agent);
  group.sync();
  if (group.thread_rank() == 0)
    start_pipeline(state, group.size(), load<S, u32>(&pipeline_access::users(state), memory_order::relaxed),
                   load<S, u32>(&pipeline_access::consumers(state), memory_order::relaxed));
  group.sync();
}

/// Starts a pipeline in each block of the cluster, whose stages are free when the consumers of all blocks have released
/// them. Returns the number of blocks.
template <unsigned char N>
u32 start_in_cluster(pipeline_shared_state<thread_scope_block, N>& state, pipeline_role role,
                     auto const& agent) noexcept {
  CUDAX_ENSURE(!traits::has_grid || gpu::is_shared(&state),
               "make_pipeline(this_cluster, ...): the state is not in this block's shared memory, but at %llx; declare "
               "it as a __shared__ variable",
               (long long)checked_address(&state));
  u64 const users = this_block.size();
  u32 const blocks = u32(this_cluster.size() / users);
  count_roles(this_block, state, role, agent);
  this_cluster.sync(); // releases the counts, and acquires those of the other blocks
  if (this_block.thread_rank() == 0) {
    u64 consumers = 0;
#pragma clang loop unroll(disable)
    for (u32 block = 0; block < blocks; ++block)
      consumers += load<thread_scope_cluster, u32>(gpu::cluster_shared(&pipeline_access::consumers(state), block),
                                                   memory_order::relaxed);
    start_pipeline(state, users, load<thread_scope_block, u32>(&pipeline_access::users(state), memory_order::relaxed),
                   consumers);
  }
  this_cluster.sync(); // publishes the barriers to the other blocks, which arrive at them
  return blocks;
}

/// Returns the pipeline of a thread that is its own agent.
template <thread_scope S, unsigned char N>
pipeline<S> pipeline_of_thread([[maybe_unused]] pipeline_shared_state<S, N>& state) noexcept {
  if constexpr (S == thread_scope_thread) return pipeline_access::make();
  else return pipeline_access::make<S>(state, group<level::thread>{});
}

} // namespace cudax::machine

export namespace cudax {

/// Makes the pipeline of the calling thread alone.
/// Source:   libcu++, make_pipeline
inline pipeline<thread_scope_thread> make_pipeline() noexcept { return machine::pipeline_access::make(); }

/// Makes a pipeline in which every thread of the group produces and consumes.
/// Source:   libcu++, make_pipeline
/// Order:    the group's sync() publishes the state to all threads of the group
/// Requires: every thread of the group calls it; no other code uses the state until all these threads have quit
template <thread_group G, thread_scope S, unsigned char N>
pipeline<S> make_pipeline(G const& group, pipeline_shared_state<S, N>* state) noexcept {
  machine::require_included<G, S>();
  u64 const size = group.size();
  if (group.thread_rank() == 0) machine::start_pipeline(*state, size, size, size);
  group.sync();
  return machine::pipeline_of_thread(*state);
}

/// Makes a pipeline in which `producers` threads of the group produce, and the others consume.
/// Source:   libcu++, make_pipeline
/// Requires: as above; 0 < producers < group.size()
template <thread_group G, thread_scope S, unsigned char N>
pipeline<S> make_pipeline(G const& group, pipeline_shared_state<S, N>* state, size_t producers) noexcept {
  machine::require_included<G, S>();
  u64 const size = group.size();
  if (group.thread_rank() == 0) machine::start_pipeline(*state, size, producers, size - producers);
  group.sync();
  return machine::pipeline_of_thread(*state);
}

/// Makes a pipeline in which each thread of the group has the role that it passes.
/// Source:   libcu++, make_pipeline
/// Requires: as above; there are producers and consumers
/// Example:
///     __device__ void load(int* to, int const* from, cudax::pipeline_shared_state<cudax::thread_scope_block, 2>* s) {
///       using enum cudax::pipeline_role;
///       auto p = cudax::make_pipeline(cudax::this_block, s, threadIdx.x == 0 ? producer : consumer);
///       if (threadIdx.x == 0) p.producer_acquire(), cudax::memcpy_async(to, from, 1024, p), p.producer_commit();
///       else p.consumer_wait(), p.consumer_release(); // between the two calls a consumer uses `to`
///       __syncthreads(); // the copy is complete before the producer's pipeline quits
///     }
template <thread_group G, thread_scope S, unsigned char N>
pipeline<S> make_pipeline(G const& group, pipeline_shared_state<S, N>* state, pipeline_role role) noexcept {
  machine::require_included<G, S>();
  if constexpr (S != thread_scope_thread) machine::start_by_role(group, *state, role, this_thread);
  return machine::pipeline_of_thread(*state);
}

/// Makes a pipeline in which each agent of the group has the role that its threads pass. An agent is a group whose
/// threads call the functions of the pipeline together, and which arrives at a stage as one: a warp, for example.
/// Source:   extension
/// Requires: as above; every thread of the group is in one agent, and the threads of an agent pass the same role
/// Example:
///     __device__ void load(int* to, int const* from, cudax::pipeline_shared_state<cudax::thread_scope_block, 2>* s) {
///       using enum cudax::pipeline_role;
///       bool const produces = threadIdx.x < 32; // one warp; each other warp consumes
///       auto p = cudax::make_pipeline(cudax::this_block, s, produces ? producer : consumer, cudax::this_warp);
///       if (produces) p.producer_acquire(), memcpy_async(cudax::this_warp, to, from, 1024, p), p.producer_commit();
///       else p.consumer_wait(), p.consumer_release(); // between the two calls the consumers use `to`
///       __syncthreads(); // the copy is complete before the producer's pipeline quits
///     }
template <thread_group G, thread_scope S, unsigned char N, thread_group Agent>
pipeline<S, Agent> make_pipeline(G const& group, pipeline_shared_state<S, N>* state, pipeline_role role,
                                 Agent const& agent) noexcept {
  machine::require_included<G, S>();
  static_assert(
      S != thread_scope_thread,
      "cudax.sync: make_pipeline: at thread scope nothing is shared, so an agent is one thread; leave it out");
  machine::start_by_role(group, *state, role, agent);
  return machine::pipeline_access::make<S>(*state, agent);
}

/// Makes a pipeline of the blocks of a cluster. Each block has a state of its own in its shared memory, and the
/// producers of all blocks may fill the stages of all blocks, by copies that complete at stage_barrier() or at the same
/// barrier of another block, as multicast copies do. A stage is filled when the producers of its block have committed
/// and the bytes that they expect are complete. It is free when the consumers of all blocks have released it, so a
/// producer may overwrite the stage in every block. Before sm_90 a cluster is one block.
/// Source:   extension
/// Scope:    cluster: consumer_wait and producer_acquire acquire there, and consumer_release releases, for shared memory
///           alone: the stages. What threads of other blocks read or write in global memory needs another
///           synchronization, such as barrier_arrive_remote and barrier_wait_cluster, or this_cluster.sync()
/// Requires: as above, of the threads of each block; every thread of the cluster calls it, with the same variable in
///           shared memory; each block has a producer. In a block without consumers each producer completes bytes in
///           every stage of a block that has some; otherwise the others overtake it, and it waits indefinitely.
///           this_cluster.sync() comes before the pipelines quit
/// Errors:   checked builds stop if the state is not in the block's shared memory. A state of a wider scope selects the
///           function above, with one state for the whole cluster
/// Example:
///     __device__ auto make(cudax::pipeline_shared_state<cudax::thread_scope_block, 2>* state) { // in shared memory
///       auto const role = threadIdx.x < 32 ? cudax::pipeline_role::producer : cudax::pipeline_role::consumer;
///       return cudax::make_pipeline(cudax::this_cluster, state, role, cudax::this_warp);
///     } // one thread of each block: producer_acquire, producer_expect, memcpy_async_tx_multicast, producer_commit
template <unsigned char N, thread_group Agent>
pipeline<thread_scope_block, Agent, thread_scope_cluster>
make_pipeline(machine::group<machine::level::cluster> const&, pipeline_shared_state<thread_scope_block, N>* state,
              pipeline_role role, Agent const& agent) noexcept {
  u32 const blocks = machine::start_in_cluster(*state, role, agent);
  return machine::pipeline_access::make<thread_scope_cluster>(*state, agent, blocks);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
