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
import :pipeline_copies;
import :pipeline_state;
import :pipeline_thread;
import :scope;
import :this_thread;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

/// Whether the scope includes all threads of the group. Nothing is known of groups that programs define.
template <thread_scope S, class G>
inline constexpr bool includes = true;
template <thread_scope S>
inline constexpr bool includes<S, thread_detail::group<level::cluster>> = S != thread_scope_block;
template <thread_scope S>
inline constexpr bool includes<S, thread_detail::group<level::grid>> =
    S != thread_scope_block && S != thread_scope_cluster;

template <class G, thread_scope S>
consteval void require_included() {
  static_assert(includes<S, G>,
                "cudax.sync: make_pipeline: the scope of the state does not include all threads of the group; use a "
                "wider scope. For blocks of a cluster that fill each other's stages: make_pipeline(this_cluster, "
                "&state, role, agent) with a state of block scope in shared memory");
}

/// While a pipeline of a cluster is made, the mask of the blocks to which a block releases is in the upper half of the
/// word that counts its consumers.
inline constexpr u32 one_block = 1 << 16;
inline constexpr u32 all_blocks = ~u32(0);

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
void count_roles(auto const& group, pipeline_shared_state<S, N>& state, pipeline_role role, auto const& agent,
                 u32 blocks = 0) noexcept {
  using access = pipeline_access;
  if (group.thread_rank() == 0) {
    store<S>(&access::users(state), u32(0), memory_order::relaxed);
    store<S>(&access::consumers(state), blocks * one_block, memory_order::relaxed);
    store<S>(&access::absent(state), u32(0), memory_order::relaxed);
  }
  group.sync();
  if (role == pipeline_role::none) reduce<modification::add, S>(&access::absent(state), u32(1), memory_order::relaxed);
  else if (agent.thread_rank() == 0)
    reduce<modification::add, S>(role == pipeline_role::producer ? &access::users(state) : &access::consumers(state),
                                 u32(1), memory_order::relaxed);
}

/// Checks the numbers that the program gives. An agent has one thread at least. So the consumers also fit in the half
/// of a word (one_block).
inline void ensure_arrivals([[maybe_unused]] pipeline_arrivals arrivals, [[maybe_unused]] u64 threads) noexcept {
  CUDAX_ENSURE(
      arrivals.producers > 0 && arrivals.producers <= threads,
      "make_pipeline: pipeline_arrivals of %lld producers: a stage awaits one at least, and at most as many as "
      "the group has threads",
      (long long)arrivals.producers);
  CUDAX_ENSURE(
      arrivals.consumers > 0 && arrivals.consumers <= threads,
      "make_pipeline: pipeline_arrivals of %lld consumers: a stage awaits one at least, and at most as many as "
      "the group has threads",
      (long long)arrivals.consumers);
}

/// Takes the numbers that the program gives.
template <thread_scope S, unsigned char N>
void count_roles(auto const& group, pipeline_shared_state<S, N>& state, pipeline_arrivals arrivals, auto const&,
                 u32 blocks = 0) noexcept {
  if (group.thread_rank() != 0) return;
  ensure_arrivals(arrivals, group.size());
  store<S>(&pipeline_access::users(state), arrivals.producers, memory_order::relaxed);
  store<S>(&pipeline_access::consumers(state), blocks * one_block + arrivals.consumers, memory_order::relaxed);
  store<S>(&pipeline_access::absent(state), u32(0), memory_order::relaxed);
}

template <thread_scope S>
u32 counted(u32 const& word) noexcept {
  return load<S, u32>(&word, memory_order::relaxed);
}

template <thread_scope S, unsigned char N>
void start_by_role(auto const& group, pipeline_shared_state<S, N>& state, auto role, auto const& agent) noexcept {
  using access = pipeline_access;
  count_roles(group, state, role, agent);
  group.sync();
  if (group.thread_rank() == 0)
    start_pipeline(state, group.size() - counted<S>(access::absent(state)), counted<S>(access::users(state)),
                   counted<S>(access::consumers(state)));
  group.sync();
}

template <unsigned char N>
void ensure_in_block([[maybe_unused]] pipeline_shared_state<thread_scope_block, N> const& state) noexcept {
  CUDAX_ENSURE(!traits::has_grid || gpu::is_shared(&state),
               "make_pipeline(this_cluster, ...): the state is not in this block's shared memory, but at %llx; declare "
               "it as a __shared__ variable",
               (long long)checked_address(&state));
}

/// The mask of the first `count` blocks of a cluster.
constexpr u32 first_blocks(u32 count) noexcept { return (u32(1) << count) - 1; }

/// Starts a pipeline in each block of the cluster, whose stages are free when the consumers of all blocks have released
/// them. Each block has the same numbers of agents, so the blocks have nothing to tell each other before the barriers
/// exist. Returns the mask of the blocks to which this block releases: all.
template <unsigned char N>
u32 start_in_cluster(pipeline_shared_state<thread_scope_block, N>& state, pipeline_arrivals arrivals) noexcept {
  ensure_in_block(state);
  u32 const count = this_cluster.num_blocks();
  if (this_block.thread_rank() == 0) {
    ensure_arrivals(arrivals, this_block.size());
    start_pipeline(state, this_block.size(), arrivals.producers, u64(arrivals.consumers) * count);
  }
  this_cluster.sync(); // publishes the barriers to the other blocks, which arrive at them
  return first_blocks(count);
}

/// Starts a pipeline in each block of the cluster, whose stages are free when the consumers of the blocks that release
/// to it have released them. Returns the mask of the blocks to which this block releases.
template <unsigned char N>
u32 start_in_cluster(pipeline_shared_state<thread_scope_block, N>& state, auto role, auto const& agent,
                     u32 blocks) noexcept {
  using access = pipeline_access;
  ensure_in_block(state);
  u32 const size = u32(this_block.size());
  u32 const count = this_cluster.num_blocks(), own = this_cluster.block_rank();
  u32 const all = first_blocks(count);
  CUDAX_ENSURE(
      (blocks == all_blocks || (blocks & ~all) == 0) && (blocks >> own & 1),
      "make_pipeline(this_cluster, ...): the mask %llx of blocks lacks the caller's own, or names one that the "
      "cluster does not have",
      (long long)blocks);
  blocks &= all;
  count_roles(this_block, state, role, agent, blocks);
  this_cluster.sync(); // releases the counts, and acquires those of the other blocks
  if (this_block.thread_rank() == 0) {
    u64 consumers = 0;
#pragma clang loop unroll(disable)
    for (u32 block = 0; block < count; ++block) {
      u32 const there =
          load<thread_scope_cluster, u32>(gpu::cluster_shared(&access::consumers(state), block), memory_order::relaxed);
      if (there / one_block >> own & 1) consumers += there % one_block;
    }
    constexpr auto block_scope = thread_scope_block;
    start_pipeline(state, size - counted<block_scope>(access::absent(state)),
                   counted<block_scope>(access::users(state)), consumers);
  }
  this_cluster.sync(); // publishes the barriers to the other blocks, which arrive at them
  return blocks;
}

constexpr bool takes_part(pipeline_role role) noexcept { return role != pipeline_role::none; }
constexpr bool takes_part(pipeline_arrivals) noexcept { return true; }

/// Returns the pipeline of a thread that is its own agent.
template <thread_scope S, unsigned char N>
pipeline<S> pipeline_of_thread([[maybe_unused]] pipeline_shared_state<S, N>& state,
                               [[maybe_unused]] bool takes_part = true) noexcept {
  if constexpr (S == thread_scope_thread) return pipeline_access::make();
  else return pipeline_access::make<S>(state, thread_detail::group<level::thread>{}, takes_part);
}

} // namespace cudax::copy_detail

export namespace cudax {

/// Makes the pipeline of the calling thread alone.
/// Source:   libcu++, make_pipeline
inline pipeline<thread_scope_thread> make_pipeline() noexcept { return copy_detail::pipeline_access::make(); }

/// Makes a pipeline in which every thread of the group produces and consumes.
/// Source:   libcu++, make_pipeline
/// Order:    the group's sync() publishes the state to all threads of the group
/// Requires: every thread of the group calls it; no other code uses the state until all these threads have quit
template <thread_group G, thread_scope S, unsigned char N>
pipeline<S> make_pipeline(G const& group, pipeline_shared_state<S, N>* state) noexcept {
  copy_detail::require_included<G, S>();
  u64 const size = group.size();
  if (group.thread_rank() == 0) copy_detail::start_pipeline(*state, size, size, size);
  group.sync();
  return copy_detail::pipeline_of_thread(*state);
}

/// Makes a pipeline in which `producers` threads of the group produce, and the others consume.
/// Source:   libcu++, make_pipeline
/// Requires: as above; 0 < producers < group.size()
template <thread_group G, thread_scope S, unsigned char N>
pipeline<S> make_pipeline(G const& group, pipeline_shared_state<S, N>* state, size_t producers) noexcept {
  copy_detail::require_included<G, S>();
  u64 const size = group.size();
  if (group.thread_rank() == 0) copy_detail::start_pipeline(*state, size, producers, size - producers);
  group.sync();
  return copy_detail::pipeline_of_thread(*state);
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
  copy_detail::require_included<G, S>();
  if constexpr (S != thread_scope_thread) copy_detail::start_by_role(group, *state, role, this_thread);
  return copy_detail::pipeline_of_thread(*state, copy_detail::takes_part(role));
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
  copy_detail::require_included<G, S>();
  static_assert(
      S != thread_scope_thread,
      "cudax.sync: make_pipeline: at thread scope nothing is shared, so an agent is one thread; leave it out");
  copy_detail::start_by_role(group, *state, role, agent);
  return copy_detail::pipeline_access::make<S>(*state, agent, copy_detail::takes_part(role));
}

/// Makes a pipeline whose agents take turns: `arrivals` says how many of them produce and consume each stage. An agent
/// passes over the stages that are not its own by producer_skip and consumer_skip.
/// Source:   extension
/// Requires: as above; both numbers are from 1 to the number of threads of the group; each stage gets exactly these
///           numbers of commits and releases. An agent waits for a stage only after the stage's round before has been
///           filled, and another agent has seen that: where consumers take turns, a turn is passed on after the last
///           wait of the turn
/// Errors:   checked builds stop at other numbers
template <thread_group G, thread_scope S, unsigned char N, thread_group Agent>
pipeline<S, Agent> make_pipeline(G const& group, pipeline_shared_state<S, N>* state, pipeline_arrivals arrivals,
                                 Agent const& agent) noexcept {
  copy_detail::require_included<G, S>();
  static_assert(
      S != thread_scope_thread,
      "cudax.sync: make_pipeline: at thread scope nothing is shared, so an agent is one thread; leave it out");
  copy_detail::start_by_role(group, *state, arrivals, agent);
  return copy_detail::pipeline_access::make<S>(*state, agent, true);
}

/// Makes a pipeline of the blocks of a cluster. Each block has a state of its own in its shared memory, and the
/// producers of all blocks may fill the stages of all blocks, by copies that complete at stage_barrier() or at the same
/// barrier of another block, as multicast copies do. A stage is filled when the producers of its block have committed
/// and the bytes that they expect are complete. It is free when the consumers of all blocks have released it, so a
/// producer may overwrite the stage in every block. Before sm_90 a cluster is one block.
/// `blocks` limits the blocks to which the caller's block releases its stages: bit i stands for the block of rank i.
/// Where tiles go to the blocks of a row and of a column only, the mask has those blocks.
/// Source:   extension
/// Scope:    cluster: consumer_wait and producer_acquire acquire there, and consumer_release releases, for shared memory
///           alone: the stages. What threads of other blocks read or write in global memory needs another
///           synchronization, such as barrier_arrive_remote and barrier_wait_cluster, or this_cluster.sync()
/// Requires: as above, of the threads of each block; every thread of the cluster calls it, with the same variable in
///           shared memory; each block has a producer. In a block without consumers each producer completes bytes in
///           every stage of a block that has some; otherwise the others overtake it, and it waits indefinitely.
///           All threads of a block pass the same `blocks`, which include the block itself and each block whose
///           producers fill stages of the caller's block. this_cluster.sync() comes before the pipelines quit, or
///           producer_tail() in the producers of each block
/// Errors:   checked builds stop if the state is not in the block's shared memory, and at a mask without the own block,
///           or with blocks that do not exist. A state of a wider scope selects the function above, with one state for
///           the whole cluster
/// Example:
///     __device__ auto make(cudax::pipeline_shared_state<cudax::thread_scope_block, 2>* state) { // in shared memory
///       auto const role = threadIdx.x < 32 ? cudax::pipeline_role::producer : cudax::pipeline_role::consumer;
///       return cudax::make_pipeline(cudax::this_cluster, state, role, cudax::this_warp);
///     } // one thread of each block: producer_acquire, producer_commit_by with memcpy_async_tx_multicast
template <unsigned char N, thread_group Agent>
pipeline<thread_scope_block, Agent, thread_scope_cluster>
make_pipeline(thread_detail::group<machine::level::cluster> const&, pipeline_shared_state<thread_scope_block, N>* state,
              pipeline_role role, Agent const& agent, unsigned blocks = copy_detail::all_blocks) noexcept {
  u32 const targets = copy_detail::start_in_cluster(*state, role, agent, blocks);
  return copy_detail::pipeline_access::make<thread_scope_cluster>(*state, agent, copy_detail::takes_part(role),
                                                                  targets);
}

/// Make a pipeline of the blocks of a cluster, whose agents take turns. Without `blocks` the cluster meets once, and
/// with a role or `blocks` twice, because its blocks tell each other what they count.
/// Source:   extension
/// Requires: as the two functions above; every block calls the same one of these functions, with the same numbers
template <unsigned char N, thread_group Agent>
pipeline<thread_scope_block, Agent, thread_scope_cluster>
make_pipeline(thread_detail::group<machine::level::cluster> const&, pipeline_shared_state<thread_scope_block, N>* state,
              pipeline_arrivals arrivals, Agent const& agent) noexcept {
  u32 const targets = copy_detail::start_in_cluster(*state, arrivals);
  return copy_detail::pipeline_access::make<thread_scope_cluster>(*state, agent, true, targets);
}
template <unsigned char N, thread_group Agent>
pipeline<thread_scope_block, Agent, thread_scope_cluster>
make_pipeline(thread_detail::group<machine::level::cluster> const&, pipeline_shared_state<thread_scope_block, N>* state,
              pipeline_arrivals arrivals, Agent const& agent, unsigned blocks) noexcept {
  u32 const targets = copy_detail::start_in_cluster(*state, arrivals, agent, blocks);
  return copy_detail::pipeline_access::make<thread_scope_cluster>(*state, agent, true, targets);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
