// SPDX-License-Identifier: Apache-2.0
//
// pipeline: new copies run while earlier copies are used.  libcu++, "pipeline"
// A pipeline is a queue of stages. Producers acquire the stage at the head, begin copies into it and commit it.
// Consumers wait for the stage at the tail, use it and release it. pipeline_state.cppm defines what the threads share.
// Each thread has a pipeline object of its own, which holds the thread's position.
//
// Agents. What produces or consumes is an agent: a group whose threads call the functions together, by default each
// thread alone. An agent arrives once. So the mbarriers of a stage take one arrival of each warp instead of 32. All
// threads of the agent wait for a phase themselves: their accesses come after their own acquire. Before an arrival the
// agent synchronizes: what its threads have read or written happens before the arrival, which its first thread makes.
// One thread may also act for the agent, and the others do nothing (producer_commit(this_thread)). That is the fastest
// way to fill stages with bulk copies: with a loop for each role, a stage that one thread hands to 8 warps takes 66.2
// ns on an H100 (by hand 67.6), and with a copy of 4 KiB 90.2 ns (by hand 88.9). Where all lanes of the producing warp
// call, a hand-over takes 15 % longer. Consumers do not gain if one lane waits and the others meet it. And if a loop
// contains both roles as branches, the same takes 93.9 ns (by hand 94.5). tools/bench --problems stages measures it.
//
// What waits for which copy:
//   pipeline of one thread: commit closes a group of the thread's copies, consumer_wait waits for the oldest group
//   the stage's barriers are mbarriers: bulk copies complete their bytes at `produced`. cp.async make an additional
//   arrival at `produced` for each memcpy_async. consumer_wait waits for the phase of `produced`
//   any other barriers: commit waits for the thread's copies, and then arrives
//   bulk copies to global memory: commit waits for them, because no barrier can await them
//
// The order in a cluster. The barriers of a stage guard the stage, which is in shared memory, so waits and arrivals at
// cluster scope are restricted to shared memory (barrier_cluster.cppm):
//   a stage is filled: its bytes complete with release at cluster scope; producers of the block arrive with release at
//     block scope. Both pair with the fences of consumer_wait
//   a stage is free: consumers read and write the stage of their own block, which is .shared::cta of their release
//   fence.
//     A producer of any block acquires for .shared::cluster, and then stores to the stage or begins copies into it
//   a copy overwrites what consumers have read through the generic proxy: fence.proxy.async::generic.acquire in
//     producer_acquire continues the consumers' release to the asynchronous proxy (PTX ISA, "membar / fence": of a
//     local release by the generic proxy and a remote acquire for the asynchronous one the section has an example). So
//     the copy needs no fence of its own, which for the shared memory of other blocks would be MEMBAR.ALL.GPU
//
// Ahead. The object's own positions are those of the next commit and of the next release. A thread may wait ahead of
// them, for a stage at a pipeline_position: it uses a stage while the stage before it is still in use, by asynchronous
// multiplications for example, and releases that one later. A parity tells two rounds apart. So a thread must not wait
// for a stage that it has yet to release: the phase of its next round would have the parity of the round before the
// last, which is complete. Hence a position ahead is less than the number of stages ahead, which checked builds check.
module;
#include "../base/macros.hpp"
export module cudax.sync:pipeline;
import :aligned_size;
import :barrier;
import :barrier_cluster;
import :barrier_native;
import :barrier_state;
import :bits;
import :copy_plain;
import :copy_ways;
import :device_barrier;
import :device_copy;
import :duration;
import :group;
import :machine;
import :memcpy_async;
import :modify;
import :order;
import :pipeline_state;
import :proxy_fence;
import :scope;
import :stage_position;
import :this_thread;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

inline constexpr u32 most_blocks_of_cluster = 16;

inline void ensure_active([[maybe_unused]] bool active) noexcept {
  CUDAX_ENSURE(active,
               "pipeline: this thread takes no part (%lld): it has quit, moved its pipeline away, or has the role none",
               active);
}

/// Returns the place of `ahead`, which a pipeline of `count` stages waits for when its own position is `own`. Further
/// ahead, the stage's own round has not begun, and its parity is that of the round before the last.
inline stage_position ensure_ahead(pipeline_position const& ahead, [[maybe_unused]] stage_position own,
                                   [[maybe_unused]] u32 count) noexcept {
  using access = position_access;
  stage_position const at = access::place(ahead);
  CUDAX_ENSURE(access::stages(ahead) == count,
               "pipeline: the position is of a pipeline with %lld stages; take it from this pipeline",
               access::stages(ahead));
  [[maybe_unused]] u32 const distance = (at.round - own.round) * count + at.stage - own.stage;
  CUDAX_ENSURE(distance < count,
               "pipeline: the position is %lld stages after the pipeline's own; it must be from 0 to below the number "
               "of stages, so commit or release first",
               (long long)int(distance));
  return at;
}

} // namespace cudax::copy_detail

export namespace cudax {

/// One thread's access to a pipeline; make_pipeline returns it. A pipeline object that was moved from has quit. Agent
/// is the type of the group with which the thread produces and consumes; by default the thread is alone. Reach is
/// Scope, or cluster for a pipeline that make_pipeline(this_cluster, ...) made: each block of the cluster has stages of
/// its own, which the producers of all blocks may fill.
/// Source:   libcu++, pipeline; Agent and Reach are extensions
/// Scope:    Scope, which must include all threads of the group that made the pipeline; Reach if that is the cluster. A
///           pipeline of a cluster orders between blocks what is in their shared memory, and nothing in global memory
/// Requires: all threads of an agent call producer_acquire, producer_commit, consumer_wait (not its timed forms) and
///           consumer_release together, each with its own object
/// Example:
///     __global__ void load(int const* from) {
///       __shared__ int tile[256];
///       cudax::pipeline<cudax::thread_scope_thread> copies = cudax::make_pipeline();
///       copies.producer_acquire();
///       cudax::memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], sizeof(int), copies);
///       copies.producer_commit();
///       copies.consumer_wait(); // tile[threadIdx.x] is complete
///     }
template <thread_scope Scope, thread_group Agent = thread_detail::group<machine::level::thread>,
          thread_scope Reach = Scope>
class pipeline {
  using stage = copy_detail::pipeline_stage<Scope>;
  static constexpr bool in_cluster = Reach != Scope;
  static constexpr bool is_alone =
      __is_base_of(thread_detail::group<machine::level::thread>, Agent); // this_thread, too

public:
  pipeline(pipeline&& other) noexcept
    : agent_(other.agent_), stages_(other.stages_), users_(other.users_), count_(other.count_), blocks_(other.blocks_),
      head_(other.head_), tail_(other.tail_), units_begun_(other.units_begun_), bulk_begun_(other.bulk_begun_) {
    other.users_ = nullptr;
  }
  pipeline(pipeline const&) = delete;
  pipeline& operator=(pipeline const&) = delete;

  /// Calls quit().
  ~pipeline() { (void)quit(); }

  /// Ends the thread's participation. Returns whether the thread was the last thread to quit. After a call that returns
  /// true, the shared state is no longer used, and its memory can be used for anything else. The threads may quit in
  /// any order and in divergent code. A second call does nothing and returns false.
  /// Order:    acq_rel: everything sequenced before the call, in every thread of the pipeline, happens before
  ///           everything sequenced after the call that returns true
  /// Requires: the thread's copies are complete: for each stage that it committed, some thread waits before it quits.
  ///           After the call no thread waits for a stage at which this thread has not arrived, because quit does not
  ///           lower the number of arrivals that the barriers await. In a cluster other blocks arrive at the barriers
  ///           that end here: before they quit, the producers of each block call producer_tail(), or
  ///           this_cluster.sync() comes between the last call of any other function, in every block, and quit
  bool quit() noexcept {
    if (!users_) return false;
    u32 const before = machine::fetch<modification::add, Scope>(users_, u32(0) - 1, memory_order::acq_rel);
    users_ = nullptr;
    if (before != 1) return false;
    for (u32 i = 0; i < count_; ++i) stages_[i].end();
    return true;
  }

  /// Blocks until the stage at the head is free, in a cluster in all its blocks.
  /// Order:    acquire at the scope Reach; pairs with consumer_release of that stage. In a cluster it is for shared memory
  ///           alone, and bulk copies that the caller begins next count as proxy_fenced for the stage: what the
  ///           consumers did to it before they released it is ordered before them
  /// Requires: the thread is a producer
  void producer_acquire() noexcept { acquire(head_); }

  /// Blocks until the stage at `ahead` is free: a stage that the thread commits later, after the one at the head.
  /// Source:   extension
  /// Order:    as producer_acquire()
  /// Requires: `ahead` is the position of the head, or less than the number of stages after it
  /// Errors:   checked builds stop at any other position
  void producer_acquire(pipeline_position const& ahead) noexcept { acquire(checked(ahead, head_)); }

  /// Blocks until the stage at the head is free, and makes it await `bytes` more bytes: producer_acquire() and
  /// producer_expect(bytes). producer_commit(this_thread, bytes) and producer_commit_by need an instruction less.
  /// Source:   extension
  /// Order:    as producer_acquire()
  /// Requires: as producer_expect
  void producer_acquire(ptrdiff_t bytes) noexcept {
    producer_acquire();
    producer_expect(bytes);
  }

  /// Return whether the stage at the head, or at `ahead`, is free. They do not block. After true, producer_acquire for
  /// that stage is not needed.
  /// Source:   extension
  /// Order:    as producer_acquire if they return true
  /// Requires: as producer_acquire
  [[nodiscard]] bool producer_try_acquire() noexcept { return try_acquire(head_); }
  [[nodiscard]] bool producer_try_acquire(pipeline_position const& ahead) noexcept {
    return try_acquire(checked(ahead, head_));
  }

  /// Return the positions of the object: of the stage that the thread commits next, and of the stage that it releases
  /// next.
  /// Source:   extension
  [[nodiscard]] pipeline_position producer_position() const noexcept {
    return copy_detail::position_access::make(head_, count_);
  }
  [[nodiscard]] pipeline_position consumer_position() const noexcept {
    return copy_detail::position_access::make(tail_, count_);
  }

  /// Pass over `count` stages, which other agents commit or release, in a pipeline whose agents take turns.
  /// Source:   extension
  /// Requires: the pipeline was made with pipeline_arrivals; the agents pass their turns on, for example by
  ///           ordered_turns, after the last wait of a turn: make_pipeline says why
  void producer_skip(unsigned count) noexcept { head_.advance(count_, count); }
  void consumer_skip(unsigned count) noexcept { tail_.advance(count_, count); }

  /// Blocks until all stages are free: until the consumers have released what the thread has committed, in a cluster
  /// the consumers of all blocks. Then no copy into the stages is pending, and no other block arrives at the stages of
  /// the caller's block, so the block may end. The pipeline can be used further.
  /// Source:   extension
  /// Order:    as producer_acquire
  /// Requires: the thread is a producer; every committed stage is released. Where producers take turns, the thread calls
  ///           it after its own last turn, and the stages of later turns are released, too
  void producer_tail() noexcept {
    copy_detail::stage_position at = head_;
    for (u32 i = 0; i < count_; ++i, at.advance(count_)) acquire(at);
  }

  /// Commits the copies that the thread began since producer_acquire, and advances to the next stage.
  /// Order:    release, of plain writes and of copies; pairs with consumer_wait of that stage
  /// Requires: the thread has called producer_acquire for this stage
  void producer_commit() noexcept {
    wait_for_own_copies();
    ensure_acquired();
    arrive(stages_[head_.stage].produced);
    head_.advance(count_);
  }

  /// Commits as producer_commit, without synchronizing the agent: for an agent of which one thread fills the stages.
  /// The other threads of the agent wait for nothing, and do not call the functions of a producer.
  /// Source:   extension
  /// Order:    release, of what the caller has written and copied; pairs with consumer_wait of that stage
  /// Requires: one thread of the agent calls producer_acquire, memcpy_async for itself alone, and this function, and it
  ///           is the same thread for every stage; what other threads wrote to the stage happens before the call
  /// Example:
  ///     template <class Pipeline> // the agent is a warp
  ///     __device__ void fill(Pipeline& stages, float* to, float const* from, cudax::aligned_size_t<16> size) {
  ///       if (cudax::this_warp.thread_rank() != 0) return;
  ///       stages.producer_acquire();
  ///       cudax::memcpy_async(to, from, size, stages);
  ///       stages.producer_commit(cudax::this_thread);
  ///     }
  void producer_commit(thread_detail::group<machine::level::thread> const&) noexcept {
    wait_for_own_copies();
    ensure_acquired();
    // No other thread of the agent has a part in the stage, so the caller's own release suffices.
    (void)stages_[head_.stage].produced.arrive();
    head_.advance(count_);
  }

  /// Commits as producer_commit(this_thread), and makes the stage await `bytes` more bytes: producer_expect(bytes) and
  /// the commit in one instruction. The copies may have begun before.
  /// Source:   extension; PTX ISA, mbarrier.arrive.expect_tx
  /// Order:    as producer_commit(this_thread) and producer_expect
  /// Requires: as producer_commit(this_thread) and producer_expect
  /// Errors:   as producer_expect
  /// Example:
  ///     template <class Pipeline> // one thread calls it
  ///     __device__ void fill(Pipeline& stages, float* to, float const* from, cudax::aligned_size_t<16> n) {
  ///       stages.producer_acquire();
  ///       cudax::device::memcpy_async_tx(to, from, n, stages.stage_barrier());
  ///       stages.producer_commit(cudax::this_thread, n);
  ///     }
  void producer_commit(thread_detail::group<machine::level::thread> const&, ptrdiff_t bytes) noexcept {
    copy_detail::ensure_bytes(bytes);
    void* const mbarrier = copy_detail::ensure_hardware(stage_barrier());
    wait_for_own_copies();
    ensure_acquired();
    // One arrival, which releases as that of the commit: the phase expects the bytes before the arrival takes effect.
    if (machine::gpu::has_bulk_copy()) (void)machine::gpu::shared_barrier::arrive_expect_bytes(mbarrier, 1, u32(bytes));
    else (void)stages_[head_.stage].produced.arrive();
    head_.advance(count_);
  }

  /// Commits as producer_commit(this_thread, bytes) a stage that is filled by copies alone, which fill(stage_barrier())
  /// begins. From sm_90 the thread arrives before the copies begin: the stage awaits their bytes.
  /// Source:   extension; PTX ISA, mbarrier.arrive.expect_tx
  /// Order:    release, of what precedes the call and of the copies; pairs with consumer_wait of that stage
  /// Requires: as producer_commit(this_thread, bytes); `fill` does no more to the stage than to begin copies and stores
  ///           that complete at the barrier that it gets, and keeps no reference to the barrier. Together with those of
  ///           other blocks they complete `bytes` bytes there
  /// Errors:   as producer_expect
  /// Example:
  ///     template <class Pipeline> // one thread calls it
  ///     __device__ void fill(Pipeline& stages, float* to, float const* from, cudax::aligned_size_t<16> n) {
  ///       stages.producer_acquire();
  ///       stages.producer_commit_by(n, [&](auto& barrier) { cudax::device::memcpy_async_tx(to, from, n, barrier); });
  ///     }
  template <class Fill>
    requires requires(Fill fill, barrier<thread_scope_block>& produced) { fill(produced); }
  void producer_commit_by(ptrdiff_t bytes, Fill fill) noexcept {
    copy_detail::ensure_bytes(bytes);
    barrier<thread_scope_block>& produced = stage_barrier();
    void* const mbarrier = copy_detail::ensure_hardware(produced);
    wait_for_own_copies();
    ensure_acquired();
    // The phase cannot end before the bytes are complete, because the arrival itself makes it expect them.
    if (machine::gpu::has_bulk_copy()) (void)machine::gpu::shared_barrier::arrive_expect_bytes(mbarrier, 1, u32(bytes));
    fill(produced);
    if (!machine::gpu::has_bulk_copy()) (void)produced.arrive(); // the copies were complete when they returned
    head_.advance(count_);
  }

  /// Makes the stage at the head await `bytes` more bytes, which copies and stores of the caller's own complete at
  /// stage_barrier(). consumer_wait returns when they are complete and the producers have committed. Before sm_90 the
  /// copies are complete when their functions return, which the caller's producer_commit publishes: nothing is counted.
  /// Source:   extension; PTX ISA, mbarrier.expect_tx
  /// Order:    relaxed; the completion of the bytes pairs with consumer_wait. Of bytes that another block completes it
  ///           pairs with consumer_wait_cluster
  /// Requires: Scope is block, and the state is in shared memory; the call is between producer_acquire and
  ///           producer_commit, by one thread for these bytes, also where an agent has several, and so are the calls of
  ///           the copies; as device::barrier_expect_tx
  /// Errors:   other scopes are rejected; checked builds stop if the state is not in shared memory, and at a number of
  ///           bytes that a phase cannot await
  /// Example:
  ///     template <class Pipeline> // one thread calls it; two arrays make up a stage
  ///     __device__ void fill(Pipeline& stages, float* a, float* b, float const* from, cudax::aligned_size_t<16> n) {
  ///       stages.producer_acquire();
  ///       stages.producer_expect(2 * n);
  ///       cudax::device::memcpy_async_tx(a, from, n, stages.stage_barrier());
  ///       cudax::device::memcpy_async_tx(b, from, n, stages.stage_barrier());
  ///       stages.producer_commit(cudax::this_thread);
  ///     }
  void producer_expect(ptrdiff_t bytes) noexcept {
    copy_detail::ensure_bytes(bytes);
    void* const mbarrier = copy_detail::ensure_hardware(stage_barrier());
    // Else the copies are calls that precede the commit of the caller, whose arrival the stage awaits in any case.
    if (machine::gpu::has_bulk_copy()) machine::gpu::shared_barrier::expect_bytes(mbarrier, u32(bytes));
  }

  /// Returns the barrier that consumer_wait awaits for the stage at the head. Copies of every kind that complete bytes
  /// at a barrier can complete them there. The caller must not arrive at it, and must not wait for a token.
  /// Source:   extension
  /// Requires: the call is between producer_acquire and producer_commit; the reference is not used after producer_commit
  /// Errors:   scopes other than block are rejected
  barrier<thread_scope_block>& stage_barrier() noexcept {
    static_assert(Scope == thread_scope_block,
                  "cudax.sync: pipeline::stage_barrier, producer_expect: only a pipeline of block scope has barriers "
                  "that count bytes; use pipeline_shared_state<thread_scope_block, Stages> in shared memory");
    ensure_active();
    return stages_[head_.stage].produced;
  }

  /// Blocks until the stage at the tail is filled.
  /// Order:    acquire at the scope Reach; pairs with producer_commit of that stage, and in a cluster with the
  ///           completion of bytes by other blocks. Their bytes are in shared memory, and for no other memory does the
  ///           call acquire what other blocks release
  /// Requires: the thread is a consumer
  void consumer_wait() noexcept { wait_filled(tail_); }

  /// Blocks until the stage at `ahead` is filled. The stages from the tail to this one then belong to the consumer, who
  /// releases them one by one. pipeline_position has an example.
  /// Source:   extension
  /// Order:    as consumer_wait()
  /// Requires: `ahead` is the position of the tail, or less than the number of stages after it
  /// Errors:   checked builds stop at any other position
  void consumer_wait(pipeline_position const& ahead) noexcept { wait_filled(checked(ahead, tail_)); }

  /// Return whether the stage at the tail, or at `ahead`, is filled. They do not block. After true, consumer_wait for
  /// that stage is not needed: if (!ready) p.consumer_wait(ahead).
  /// Source:   extension
  /// Order:    as consumer_wait if they return true
  /// Requires: as consumer_wait
  [[nodiscard]] bool consumer_try_wait() noexcept { return try_filled(tail_); }
  [[nodiscard]] bool consumer_try_wait(pipeline_position const& ahead) noexcept {
    return try_filled(checked(ahead, tail_));
  }

  /// Blocks as consumer_wait, for a stage in which other blocks of the cluster complete bytes. A pipeline of a cluster
  /// does not need it.
  /// Source:   extension
  /// Order:    acquire at cluster scope, for shared memory alone: the copies and stores of other blocks that complete in
  ///           the stage happen before the return. consumer_wait acquires at block scope, which does not include their
  ///           threads; this does so, too, for all memory
  /// Requires: as producer_expect; the thread is a consumer
  void consumer_wait_cluster() noexcept {
    static_assert(Scope == thread_scope_block,
                  "cudax.sync: pipeline::consumer_wait_cluster: only a pipeline of block scope has barriers that count "
                  "bytes; use consumer_wait");
    ensure_active();
    device::barrier_wait_parity_cluster(stages_[tail_.stage].produced, tail_.is_odd(), device::sync_restrict_shared);
  }

  /// Blocks as consumer_wait, but for at most `length` on the steady clock; returns whether the stage is filled.
  /// Order:    acquire if it returns true
  /// Units:    any duration
  template <duration_like D>
  [[nodiscard]] bool consumer_wait_for(D const& length) noexcept {
    ensure_active();
    barrier<Scope>& produced = stages_[tail_.stage].produced;
    if constexpr (in_cluster)
      return device::barrier_try_wait_parity_cluster_for(produced, tail_.is_odd(), length,
                                                         device::sync_restrict_shared);
    else return produced.try_wait_parity_for(tail_.is_odd(), length);
  }

  /// Blocks as consumer_wait, but at most until `point`, a time point of any clock; returns whether the stage is
  /// filled.
  /// Order:    acquire if it returns true
  template <time_point_like P>
  [[nodiscard]] bool consumer_wait_until(P const& point) noexcept {
    ensure_active();
    barrier<Scope>& produced = stages_[tail_.stage].produced;
    if constexpr (in_cluster)
      return device::barrier_try_wait_parity_cluster_until(produced, tail_.is_odd(), point,
                                                           device::sync_restrict_shared);
    else return produced.try_wait_parity_until(tail_.is_odd(), point);
  }

  /// Releases the stage at the tail, in a cluster for the producers of all blocks, and advances to the next stage.
  /// Order:    release at the scope Reach; pairs with producer_acquire of that stage. In a cluster it is of the block's
  ///           shared memory alone: what the consumers have written to global memory, or to another block's shared
  ///           memory, is not ordered before what follows producer_acquire
  /// Requires: the thread has called consumer_wait for this stage, or a timed wait that returned true
  void consumer_release() noexcept {
    ensure_filled();
    barrier<Scope>& consumed = stages_[tail_.stage].consumed;
    if constexpr (in_cluster) {
      agent_.sync(); // what the agent's threads have read happens before each of the arrivals below
      if constexpr (is_alone) arrive_in_each(blocks_, 0, 1, consumed);
      else arrive_by_agent(consumed);
    } else {
      arrive(consumed);
    }
    tail_.advance(count_);
  }

  /// Releases as consumer_release, without synchronizing the agent: for an agent of which one thread uses the stages.
  /// Source:   extension
  /// Order:    release, of what the caller has read and written; pairs with producer_acquire of that stage
  /// Requires: one thread of the agent calls consumer_wait and this function, and it is the same thread for every stage
  void consumer_release(thread_detail::group<machine::level::thread> const&) noexcept {
    ensure_filled();
    if constexpr (in_cluster) arrive_in_each(blocks_, 0, 1, stages_[tail_.stage].consumed);
    else (void)stages_[tail_.stage].consumed.arrive();
    tail_.advance(count_);
  }

  /// Releases the stage at the tail by an arrival that other hardware makes later, and advances. `arrive(barrier)` asks
  /// for the arrival, at the barrier that producer_acquire awaits. In a cluster the arrival must come at the barrier at
  /// this place in each block to which the stages are released.
  /// Source:   extension
  /// Order:    that of the arrival; pairs with producer_acquire of that stage
  /// Requires: the thread has waited for this stage. `arrive` causes one arrival at the barrier, in place of that of the
  ///           agent, and keeps no reference to it; one thread of the agent calls this function, and the same for every
  ///           stage
  /// Example:
  ///     template <class Pipeline> // one thread calls it, which has issued multiplications that read the stage
  ///     __device__ void release(Pipeline& filled) {
  ///       filled.consumer_release_by([](auto& barrier) { cudax::device::tensor_core_commit(barrier); });
  ///     }
  template <class Arrive>
    requires requires(Arrive arrive, barrier<Scope>& consumed) { arrive(consumed); }
  void consumer_release_by(Arrive arrive) noexcept {
    ensure_filled();
    arrive(stages_[tail_.stage].consumed);
    tail_.advance(count_);
  }

private:
  friend copy_detail::pipeline_access;

  pipeline(stage* stages, u32* users, u32 count, Agent const& agent, u32 blocks) noexcept
    : agent_(agent), stages_(stages), users_(users), count_(count), blocks_(blocks) {}

  static void wait(barrier<Scope>& barrier, bool parity) noexcept {
    if constexpr (in_cluster) device::barrier_wait_parity_cluster(barrier, parity, device::sync_restrict_shared);
    else barrier.wait_parity(parity);
  }

  static bool polls(barrier<Scope>& barrier, bool parity) noexcept {
    if constexpr (in_cluster)
      return device::barrier_try_wait_parity_cluster(barrier, parity, device::sync_restrict_shared);
    else return barrier.try_wait_parity(parity);
  }

  // In round 0 a producer waits for the phase before the first phase; that phase counts as complete.
  void acquire(copy_detail::stage_position at) const noexcept {
    ensure_active();
    wait(stages_[at.stage].consumed, !at.is_odd());
    if constexpr (in_cluster) copy_detail::acquire_for_bulk_copies();
  }
  bool try_acquire(copy_detail::stage_position at) const noexcept {
    ensure_active();
    bool const is_free = polls(stages_[at.stage].consumed, !at.is_odd());
    if constexpr (in_cluster)
      if (is_free) copy_detail::acquire_for_bulk_copies();
    return is_free;
  }
  void wait_filled(copy_detail::stage_position at) const noexcept {
    ensure_active();
    wait(stages_[at.stage].produced, at.is_odd());
  }
  bool try_filled(copy_detail::stage_position at) const noexcept {
    ensure_active();
    return polls(stages_[at.stage].produced, at.is_odd());
  }

  copy_detail::stage_position checked(pipeline_position const& ahead, copy_detail::stage_position own) const noexcept {
    return copy_detail::ensure_ahead(ahead, own, count_);
  }

  // The phases tell what was not waited for: the caller's arrival is pending, so neither barrier can be a phase ahead.
  // Only in a cluster may `consumed` be: there the consumers of other blocks may release what they have got before the
  // producer of this block commits.
  void ensure_acquired() const noexcept {
    CUDAX_ENSURE(in_cluster || polls(stages_[head_.stage].consumed, !head_.is_odd()),
                 "pipeline::producer_commit: stage %lld is still in use; call producer_acquire first", head_.stage);
  }
  void ensure_filled() const noexcept {
    ensure_active();
    CUDAX_ENSURE(polls(stages_[tail_.stage].produced, tail_.is_odd()),
                 "pipeline::consumer_release: stage %lld is not filled; call consumer_wait first", tail_.stage);
  }

  // Arrive at the barrier at the place of `barrier` in the blocks of the mask. It is a release at cluster scope in the
  // caller's own block, too, where the producers acquire at cluster scope. One fence serves all arrivals of a thread.
  static void arrive_in(u32 block, barrier<Scope>& barrier) noexcept {
    copy_detail::arrive_remote_relaxed(*machine::gpu::cluster_shared(&barrier, block));
  }
  static void arrive_in_each(u32 blocks, u32 block, u32 step, barrier<Scope>& barrier) noexcept {
    copy_detail::release_shared();
#pragma clang loop unroll(disable)
    for (; blocks != 0; block += step, blocks >>= step)
      if (blocks & 1) arrive_in(block, barrier);
  }
  // The agent has met: so the fence of each thread that arrives releases what the others have done, too. Of a warp,
  // each thread has one block at most: that arrival is no part of a loop, and ptxas makes no branch of its condition.
  void arrive_by_agent(barrier<Scope>& barrier) const noexcept {
    u32 const first = u32(agent_.thread_rank()), step = u32(agent_.size());
    if (first < copy_detail::most_blocks_of_cluster && (blocks_ >> first & 1)) {
      copy_detail::release_shared();
      arrive_in(first, barrier);
    }
    if (step >= copy_detail::most_blocks_of_cluster) return;
    if (u32 const rest = blocks_ >> first >> step) arrive_in_each(rest, first + step, step, barrier);
  }

  // The release of the first thread's arrival covers the whole agent, because sync() comes before it.
  void arrive(barrier<Scope>& barrier) const noexcept {
    if (thread_detail::sync_and_choose_first(agent_)) (void)barrier.arrive();
  }

  void ensure_active() const noexcept { copy_detail::ensure_active(users_); }

  // Those that `produced` does not await.
  void wait_for_own_copies() noexcept {
    ensure_active();
    if (units_begun_) copy_detail::wait_for_units();
    if (bulk_begun_) copy_detail::wait_for_bulk_to_global();
    units_begun_ = bulk_begun_ = false;
  }

  template <copy_detail::copy_promise Promise, class T, class Size>
  async_contract_fulfillment copy(auto const& group, T* to, T const* from, Size size) noexcept {
    ensure_active();
    constexpr auto use = is_alone ? copy_detail::copy_use::in_pipeline : copy_detail::copy_use::by_agent;
    auto const told = copy_detail::barrier_of(stages_[head_.stage].produced);
    switch (copy_detail::begin_copy_of<use, Promise>(group, to, from, size, told)) {
    case copy_detail::copy_way::awaited: break;
    case copy_detail::copy_way::units: units_begun_ = true; break;
    case copy_detail::copy_way::bulk_to_global: bulk_begun_ |= group.thread_rank() == 0; break;
    case copy_detail::copy_way::plain: return async_contract_fulfillment::none;
    }
    return async_contract_fulfillment::async;
  }

  [[no_unique_address]] Agent agent_;
  stage* stages_;
  u32* users_; // null: quit or moved from
  u32 count_;
  u32 blocks_; // if in_cluster: the mask of the blocks to which the block releases
  copy_detail::stage_position head_;
  copy_detail::stage_position tail_;
  // Since the last commit, what `produced` does not await:
  bool units_begun_ = false; // cp.async, where `produced` is no mbarrier
  bool bulk_begun_ = false;  // bulk copies to global memory
};

/// The pipeline of one thread (pipeline_thread.cppm).
template <>
class pipeline<thread_scope_thread>;

} // namespace cudax

CUDAX_EVERYWHERE_END
