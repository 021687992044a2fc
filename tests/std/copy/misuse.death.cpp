// SPDX-License-Identifier: Apache-2.0
//
// memcpy_async, pipeline, operations that require an mbarrier (libcu++): misuse that only a run can detect stops the
// program (checked builds). Misuse known at compile time: misuse.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

using block_barrier = barrier<thread_scope_block>;

/// The test's own memory, and a barrier of one thread, in local memory or on the host.
struct memory {
  alignas(16) char source[64];
  alignas(16) char target[64];
  block_barrier b{1};
};

/// A group of several threads, of which the caller is the first. Its sync() does not wait.
struct group_of {
  unsigned threads;

  unsigned size() const { return threads; }
  unsigned thread_rank() const { return 0; }
  void sync() const {}
};

/// A group of which the caller is not the first, which makes the state.
struct second_of_three {
  unsigned size() const { return 3; }
  unsigned thread_rank() const { return 1; }
  void sync() const {}
};

/// A barrier in shared memory. On the host any barrier: there every function of `device` stops the program.
inline block_barrier& shared_barrier(int count = 1) {
#if defined(__CUDA_ARCH__)
  __shared__ block_barrier b;
#else
  static block_barrier b;
#endif
  init(&b, count);
  return b;
}

SURVIVAL("correct use of copies and pipelines") {
  memory m{};
  memcpy_async(m.target, m.source, hidden(64), m.b);
  memcpy_async(m.target, m.source, hidden(0), m.b);
  memcpy_async(m.source, m.source, hidden(0), m.b);
  memcpy_async(m.source + 32, m.source, hidden(32), m.b);
  memcpy_async(m.source, m.source + 32, aligned_size_t<16>(hidden(32)), m.b);
  m.b.arrive_and_wait();
  pipeline_shared_state<thread_scope_device, 2> state;
  auto first = make_pipeline(this_thread, &state);
  auto p = static_cast<decltype(first)&&>(first);
  (void)first.quit();
  p.producer_acquire();
  memcpy_async(m.target, m.source, hidden(64), p);
  p.producer_commit();
  p.consumer_wait();
  p.consumer_release();
  (void)p.quit();
  (void)p.quit();
  auto alone = make_pipeline();
  memcpy_async(m.target, m.source, hidden(64), alone);
  alone.producer_commit();
  alone.consumer_wait();
  pipeline_shared_state<thread_scope_block, 1> of_three;
  (void)make_pipeline(group_of{3}, &of_three, hidden(2));
}

DEATH("an aligned_size_t that is not a multiple of its alignment",
      "cudax.sync: aligned_size_t: the size 20 is no multiple of the alignment") {
  (void)aligned_size_t<16>(hidden(20));
}
DEATH("a zero_filled_size_t with more valid bytes than are copied",
      "cudax.sync: zero_filled_size_t: 17 bytes are valid, more than are copied") {
  (void)zero_filled_size_t<16>(16, hidden(17));
}
DEATH("a negative size", "cudax.sync: memcpy_async: the size -8 is negative") {
  memory m{};
  memcpy_async(m.target, m.source, hidden(-8), m.b);
}
#define ALIGNMENT(alignment)                                                                                           \
  "cudax.sync: memcpy_async: an address is no multiple of " #alignment                                                 \
  ", the alignment of its type or of aligned_size_t"
DEATH("a target without the alignment of the aligned_size_t", ALIGNMENT(16)) {
  memory m{};
  memcpy_async(m.target + hidden(8), m.source, aligned_size_t<16>(16), m.b);
}
DEATH("a source without the alignment of its type", ALIGNMENT(4)) {
  memory m{};
  memcpy_async(reinterpret_cast<int*>(m.target), reinterpret_cast<int*>(m.source + hidden(2)), 8, m.b);
}
#define OVERLAP(distance)                                                                                              \
  "cudax.sync: memcpy_async: source and target overlap: the target begins " #distance " bytes after the source"
DEATH("a target that begins inside the source", OVERLAP(31)) {
  memory m{};
  memcpy_async(m.source + hidden(31), m.source, 32, m.b);
}
DEATH("a source that begins inside the target", OVERLAP(-8)) {
  memory m{};
  auto p = make_pipeline();
  memcpy_async(m.source, m.source + hidden(8), 32, p);
}
DEATH("a copy to itself", OVERLAP(0)) {
  memory m{};
  memcpy_async(this_thread, static_cast<void*>(m.source), m.source + hidden(0), 1, m.b);
}

#define PRODUCERS(number)                                                                                              \
  "cudax.sync: make_pipeline: with " #number " producers the pipeline has no producer or no consumer; it needs both"
DEATH("a pipeline without producers", PRODUCERS(0)) {
  pipeline_shared_state<thread_scope_block, 1> state;
  (void)make_pipeline(group_of{3}, &state, hidden(0));
}
DEATH("a pipeline without consumers", PRODUCERS(3)) {
  pipeline_shared_state<thread_scope_block, 1> state;
  (void)make_pipeline(group_of{3}, &state, hidden(3));
}
DEATH("a pipeline with more producers than threads", PRODUCERS(4)) {
  pipeline_shared_state<thread_scope_device, 2> state;
  (void)make_pipeline(group_of{3}, &state, hidden(4));
}
DEATH("a pipeline whose only thread consumes", PRODUCERS(0)) {
  pipeline_shared_state<thread_scope_system, 1> state;
  (void)make_pipeline(this_thread, &state, pipeline_role::consumer);
}

#define ARRIVALS(number, role)                                                                                         \
  "cudax.sync: make_pipeline: pipeline_arrivals of " #number " " #role                                                 \
  ": a stage awaits one at least, and at most as many as the group has threads"
DEATH("a stage that awaits no consumer", ARRIVALS(0, consumers)) {
  pipeline_shared_state<thread_scope_block, 1> state;
  (void)make_pipeline(group_of{3}, &state, pipeline_arrivals{1, unsigned(hidden(0))}, this_thread);
}
DEATH("a stage that awaits more consumers than there are threads", ARRIVALS(4, consumers)) {
  pipeline_shared_state<thread_scope_block, 1> state;
  (void)make_pipeline(group_of{3}, &state, pipeline_arrivals{1, unsigned(hidden(4))}, this_thread);
}
DEATH("a stage that awaits more producers than there are threads", ARRIVALS(4, producers)) {
  pipeline_shared_state<thread_scope_block, 1> state;
  (void)make_pipeline(group_of{3}, &state, pipeline_arrivals{unsigned(hidden(4)), 1}, this_thread);
}

#define ACTIVE                                                                                                         \
  "cudax.sync: pipeline: this thread takes no part (0): it has quit, moved its pipeline away, or has the role none"
/// A pipeline after its thread has called quit().
inline auto quitted(pipeline_shared_state<thread_scope_block, 1>& state) {
  auto p = make_pipeline(this_thread, &state);
  (void)p.quit();
  return p;
}
DEATH("acquiring a stage after quitting", ACTIVE) {
  pipeline_shared_state<thread_scope_block, 1> state;
  quitted(state).producer_acquire();
}
DEATH("committing a stage after quitting", ACTIVE) {
  pipeline_shared_state<thread_scope_block, 1> state;
  quitted(state).producer_commit();
}
DEATH("waiting for a stage after quitting", ACTIVE) {
  pipeline_shared_state<thread_scope_block, 1> state;
  quitted(state).consumer_wait();
}
DEATH("waiting for a stage after quitting, with a duration", ACTIVE) {
  pipeline_shared_state<thread_scope_block, 1> state;
  (void)quitted(state).consumer_wait_for(nanoseconds(5));
}
DEATH("waiting for a stage after quitting, until a time point", ACTIVE) {
  pipeline_shared_state<thread_scope_block, 1> state;
  (void)quitted(state).consumer_wait_until(steady_clock::now());
}
DEATH("releasing a stage after quitting", ACTIVE) {
  pipeline_shared_state<thread_scope_block, 1> state;
  quitted(state).consumer_release();
}
DEATH("copying with a moved-from pipeline", ACTIVE) {
  memory m{};
  pipeline_shared_state<thread_scope_device, 1> state;
  auto first = make_pipeline(this_thread, &state);
  auto const second = static_cast<decltype(first)&&>(first);
  memcpy_async(m.target, m.source, 16, first);
}
DEATH("copying with a moved-from pipeline of a thread", ACTIVE) {
  memory m{};
  auto first = make_pipeline();
  auto const second = static_cast<decltype(first)&&>(first);
  memcpy_async(m.target, m.source, 16, first);
}
DEATH("waiting with a moved-from pipeline of a thread", ACTIVE) {
  auto first = make_pipeline();
  auto const second = static_cast<decltype(first)&&>(first);
  first.consumer_wait();
}
DEATH("pipeline_consumer_wait_prior after quitting", ACTIVE) {
  auto p = make_pipeline();
  (void)p.quit();
  pipeline_consumer_wait_prior<1>(p);
}

using two_stages = pipeline_shared_state<thread_scope_block, 2>;
SURVIVAL("waits ahead of releases") {
  two_stages state;
  auto p = make_pipeline(this_thread, &state);
  pipeline_position ahead = p.consumer_position();
  p.producer_commit();
  p.producer_acquire(p.producer_position());
  p.producer_commit();
  p.consumer_wait(ahead);
  p.consumer_wait(++ahead);
  p.consumer_release();
  p.consumer_release();
  p.producer_tail();
}
#define AHEAD(number)                                                                                                  \
  "cudax.sync: pipeline: the position is " #number                                                                     \
  " stages after the pipeline's own; it must be from 0 to below the number of stages, so commit or release first"
DEATH("waiting for a stage that is to be released first", AHEAD(2)) {
  two_stages state;
  auto p = make_pipeline(this_thread, &state);
  pipeline_position ahead = p.consumer_position();
  ahead += unsigned(hidden(2));
  p.consumer_wait(ahead);
}
DEATH("a check of a stage that is released already", AHEAD(-1)) {
  two_stages state;
  auto p = make_pipeline(this_thread, &state);
  pipeline_position const before = p.consumer_position();
  p.producer_commit();
  p.consumer_wait();
  p.consumer_release();
  (void)p.consumer_try_wait(before);
}
DEATH("acquiring a stage that is to be committed first", AHEAD(3)) {
  two_stages state;
  auto p = make_pipeline(this_thread, &state);
  pipeline_position ahead = p.producer_position();
  ahead += unsigned(hidden(3));
  p.producer_acquire(ahead);
}
DEATH("a position of another pipeline",
      "cudax.sync: pipeline: the position is of a pipeline with 1 stages; take it from this pipeline") {
  two_stages state;
  pipeline_shared_state<thread_scope_device, 1> other;
  auto p = make_pipeline(this_thread, &state);
  auto q = make_pipeline(this_thread, &other);
  (void)p.producer_try_acquire(q.producer_position());
}
DEATH("releasing a stage that is not filled",
      "cudax.sync: pipeline::consumer_release: stage 0 is not filled; call consumer_wait first") {
  two_stages state;
  auto p = make_pipeline(this_thread, &state);
  p.consumer_release();
}
DEATH("releasing a second stage that is not filled, in another way",
      "cudax.sync: pipeline::consumer_release: stage 1 is not filled; call consumer_wait first") {
  two_stages state;
  auto p = make_pipeline(this_thread, &state);
  p.producer_commit();
  p.consumer_wait();
  p.consumer_release(this_thread);
  p.consumer_release_by([](auto& barrier) { (void)barrier.arrive(); });
}
DEATH("committing a stage that is still in use",
      "cudax.sync: pipeline::producer_commit: stage 0 is still in use; call producer_acquire first") {
  pipeline_shared_state<thread_scope_block, 1> state;
  auto p = make_pipeline(this_thread, &state);
  p.producer_commit();
  p.consumer_wait();
  p.producer_commit(this_thread);
}
DEATH("waiting with the role none", ACTIVE) {
  pipeline_shared_state<thread_scope_device, 1> state;
  auto p = make_pipeline(second_of_three(), &state, hidden(0) ? pipeline_role::producer : pipeline_role::none);
  p.consumer_wait();
}

#define BYTES(number)                                                                                                  \
  "cudax.sync: device::barrier_...: " #number " bytes: negative, or more than the 2^20 - 1 that a phase can await"
DEATH("a negative number of bytes", BYTES(-1)) { device::barrier_expect_tx(shared_barrier(), hidden(-1)); }
DEATH("more bytes than a phase can expect", BYTES(1048576)) {
  (void)device::barrier_arrive_tx(shared_barrier(), 1, hidden(1 << 20));
}
#define UPDATE(function, update) "cudax.sync: " function ": update " #update " is not positive, or above max()"
DEATH("arriving with bytes and update 0", UPDATE("barrier_arrive_tx", 0)) {
  (void)device::barrier_arrive_tx(shared_barrier(), hidden(0), 16);
}
DEATH("arriving at another block with a negative update", UPDATE("barrier_arrive_remote", -1)) {
  device::barrier_arrive_remote(shared_barrier(), hidden(-1));
}

// The host has no mbarriers at all.
#if defined(__CUDA_ARCH__)
#define NO_MBARRIER "cudax.sync: device::barrier_...: the barrier is not in this block's shared memory (0)"
#else
#define NO_MBARRIER "cudax.sync: device::barrier_...: *"
#endif
DEATH("expecting bytes at a barrier that is not an mbarrier", NO_MBARRIER) {
  memory m{};
  device::barrier_expect_tx(m.b, 16);
}
DEATH("expecting bytes in a pipeline whose state is in other memory", NO_MBARRIER) {
  pipeline_shared_state<thread_scope_block, 1> state;
  auto p = make_pipeline(this_thread, &state);
  p.producer_expect(16);
}
DEATH("an arrival with bytes at a barrier that is not an mbarrier", NO_MBARRIER) {
  memory m{};
  (void)device::barrier_arrive_tx(m.b, 1, 16);
}

#if defined(__CUDA__)
#if defined(__CUDA_ARCH__)
alignas(16) inline __device__ char in_global[64];
alignas(16) inline __shared__ char in_shared[64];
#else
alignas(16) inline char in_global[64], in_shared[64];
#endif
inline int* ints(char* at) { return reinterpret_cast<int*>(at); }
DEVICE_DEATH("a wait for other blocks at a barrier that is not an mbarrier", NO_MBARRIER) {
  memory m{};
  device::barrier_wait_parity_cluster(m.b, false);
}
DEVICE_DEATH("copying bytes from local memory",
             "cudax.sync: memcpy_async_tx: copies from global to this block's shared memory, "
             "not what was given (16 bytes)") {
  memory m{};
  device::memcpy_async_tx(in_shared, m.source, aligned_size_t<16>(16), shared_barrier());
}
DEVICE_DEATH("copying bytes to global memory",
             "cudax.sync: memcpy_async_tx: copies from global to this block's shared memory, "
             "not what was given (32 bytes)") {
  device::memcpy_async_tx(in_global, in_global + 32, aligned_size_t<16>(32), shared_barrier());
}
DEVICE_DEATH("a bulk copy from global memory to global memory",
             "cudax.sync: memcpy_async_bulk: copies from this block's shared memory to global memory, "
             "not what was given (16 bytes)") {
  device::memcpy_async_bulk(in_global, in_global + 32, aligned_size_t<16>(16));
}
DEVICE_DEATH("a copy to another block that goes to the own one",
             "cudax.sync: memcpy_async_tx_remote: copies from this block's shared memory to that of another block, "
             "not what was given (16 bytes)") {
  device::memcpy_async_tx_remote(in_shared, in_shared + 32, aligned_size_t<16>(16), shared_barrier());
}
DEVICE_DEATH("a copy to no block",
             "cudax.sync: memcpy_async_tx_multicast: the mask 0 names no block, or one of rank 16 or more") {
  device::memcpy_async_tx_multicast(in_shared, in_global, aligned_size_t<16>(16), shared_barrier(),
                                    unsigned(hidden(0)));
}
DEVICE_DEATH("a bulk reduction of memory that is not global",
             "cudax.sync: reduce_async_bulk: reduces from this block's shared memory into global memory, not what was "
             "given (16 bytes)") {
  device::reduce_async_bulk<device::reduction::add>(ints(in_shared), ints(in_shared + 32), aligned_size_t<16>(16));
}
DEVICE_DEATH("a bulk reduction that is not aligned", ALIGNMENT(16)) {
  device::reduce_async_bulk<device::reduction::max>(ints(in_global + hidden(8)), ints(in_shared),
                                                    aligned_size_t<16>(16));
}
DEVICE_DEATH("a bulk reduction in another block that is in the own one",
             "cudax.sync: reduce_async_bulk_tx_remote: reduces from this block's shared memory into that of another "
             "block, not what was given (16 bytes)") {
  device::reduce_async_bulk_tx_remote<device::reduction::add>(ints(in_shared), ints(in_shared + 32),
                                                              aligned_size_t<16>(16), shared_barrier());
}
DEVICE_DEATH("more bytes than a phase can await in a bulk reduction",
             "cudax.sync: bulk copies: 1048576 bytes are more than one copy or phase can have; use several") {
  device::reduce_async_bulk_tx_remote<device::reduction::add>(
      ints(in_shared), ints(in_shared + 32), aligned_size_t<16>(unsigned(hidden(1 << 20))), shared_barrier());
}
#define TARGET_NOT_IN_CLUSTER                                                                                          \
  "cudax.sync: device::..._async_tx_remote: the target at * is not in the shared memory of a block of the cluster; "   \
  "pass what this_cluster.map_shared_rank returns for a __shared__ variable"
#define BARRIER_NOT_IN_CLUSTER                                                                                         \
  "cudax.sync: device::barrier_...: the barrier at * is not in the shared memory of a block of the cluster; declare "  \
  "it as a __shared__ variable, and pass its address by this_cluster.map_shared_rank"
inline block_barrier& global_barrier() { return *reinterpret_cast<block_barrier*>(in_global); }
DEVICE_DEATH("an arrival at a barrier of another block that is in global memory", BARRIER_NOT_IN_CLUSTER) {
  init(&global_barrier(), 1);
  device::barrier_arrive_remote(global_barrier());
}
DEVICE_DEATH("an arrival at a barrier of another block that is in local memory", BARRIER_NOT_IN_CLUSTER) {
  memory m{};
  device::barrier_arrive_remote(m.b, 1);
}
DEVICE_DEATH("expecting bytes at a barrier of another block that is in global memory", BARRIER_NOT_IN_CLUSTER) {
  device::barrier_expect_tx_remote(global_barrier(), 16);
}
DEVICE_DEATH("arriving with bytes at a barrier of another block that is in global memory", BARRIER_NOT_IN_CLUSTER) {
  device::barrier_arrive_tx_remote(global_barrier(), 1, 16);
}
DEVICE_DEATH("a copy to another block that goes to local memory",
             "cudax.sync: memcpy_async_tx_remote: copies from this block's shared memory to that of another block, "
             "not what was given (16 bytes)") {
  memory m{};
  device::memcpy_async_tx_remote(m.target, in_shared, aligned_size_t<16>(16), shared_barrier());
}
DEVICE_DEATH("a copy to several blocks that tells a barrier in global memory", NO_MBARRIER) {
  device::memcpy_async_tx_multicast(in_shared, in_global, aligned_size_t<16>(16), global_barrier(), 1);
}
DEVICE_DEATH("the place of a global object in another block",
             "cudax.sync: this_cluster.map_shared_rank: the object at * is not in shared memory; pass the address of a "
             "__shared__ variable") {
  *this_cluster.map_shared_rank(ints(in_global), 0) = 1;
}
DEVICE_DEATH("the place of an object in a block that the cluster does not have",
             "cudax.sync: this_cluster.map_shared_rank: the cluster has no block of rank 1; ranks are below the number "
             "of its blocks") {
  *this_cluster.map_shared_rank(ints(in_shared), hidden(1)) = 1;
}
DEVICE_DEATH("an asynchronous store to global memory", TARGET_NOT_IN_CLUSTER) {
  device::store_async_tx_remote(ints(in_global), hidden(1), shared_barrier());
}
DEVICE_DEATH("an asynchronous store to local memory", TARGET_NOT_IN_CLUSTER) {
  int local = hidden(1);
  device::store_async_tx_remote(&local, hidden(1), shared_barrier());
}
DEVICE_DEATH("an asynchronous store that tells a barrier in local memory", BARRIER_NOT_IN_CLUSTER) {
  memory m{};
  device::store_async_tx_remote(ints(in_shared), hidden(1), m.b);
}
DEVICE_DEATH("an asynchronous reduction in global memory", TARGET_NOT_IN_CLUSTER) {
  device::reduce_async_tx_remote<device::reduction::bit_or>(ints(in_global), hidden(1), shared_barrier());
}
DEVICE_DEATH("an asynchronous store that is not aligned",
             "cudax.sync: device::..._async_tx_remote: the address of the target is no multiple of its size, 4 bytes") {
  device::store_async_tx_remote(ints(in_shared + hidden(2)), hidden(1), shared_barrier());
}
DEVICE_DEATH("copying bytes that are not aligned", ALIGNMENT(16)) {
  device::memcpy_async_tx(in_shared, in_global + hidden(8), aligned_size_t<16>(16), shared_barrier());
}

using tiles = tensor_map<float, tensor_box<16, 2>>;
#if defined(__CUDA_ARCH__)
inline __shared__ tiles::tile tensor_tile;
#else
inline tiles::tile tensor_tile;
#endif
DEVICE_DEATH("a copy of a tile from local memory",
             "cudax.sync: copies of tensors: the tile is not in this block's shared memory, but at *") {
  tiles const map{};
  tiles::tile local{};
  device::copy_tensor_async_bulk(map, {0, 0}, local);
}
DEVICE_DEATH("a copy to a tile that is not aligned",
             "cudax.sync: copies of tensors: the tile is no multiple of 128, the alignment of its tensor_map; use "
             "tensor_map::tile") {
  tiles const map{};
  device::copy_tensor_async_tx(tensor_tile + hidden(4), map, {0, 0}, shared_barrier());
}
#define COORDINATE(number)                                                                                             \
  "cudax.sync: copies of tensors: the innermost coordinate is " #number                                                \
  ", which is no multiple of 16 bytes; begin at a lower one, and use a larger tile"
DEVICE_DEATH("a copy of a tile that begins between two units", COORDINATE(-3)) {
  tiles const map{};
  device::copy_tensor_async_tx(tensor_tile, map, {hidden(-3), 0}, shared_barrier());
}
DEVICE_DEATH("a hint for a tile that begins between two units", COORDINATE(2)) {
  tiles const map{};
  device::prefetch_tensor_bulk(map, {hidden(2), 0});
}
#define NEGATIVE(number)                                                                                               \
  "cudax.sync: copies of tensors: a coordinate is " #number                                                            \
  " where the tensor is written; only tiles that are read may begin before the tensor"
DEVICE_DEATH("a copy of a tile that begins before the tensor to global memory", NEGATIVE(-1)) {
  tiles const map{};
  device::copy_tensor_async_bulk(map, {0, hidden(-1)}, tensor_tile);
}
DEVICE_DEATH("a reduction that begins before the tensor", NEGATIVE(-4)) {
  tiles const map{};
  device::reduce_tensor_async_bulk<device::reduction::add>(map, {hidden(-4), 0}, tensor_tile);
}
DEVICE_DEATH("a copy by a map in local memory", "cudax.sync: copies of tensors: the map is in local memory, at *") {
  tiles map{};
  device::copy_tensor_async_tx(tensor_tile, map, {hidden(-4), -1}, shared_barrier());
}
DEVICE_DEATH("a pipeline of a cluster whose state is in global memory",
             "cudax.sync: make_pipeline(this_cluster, ...): the state is not in this block's shared memory, but at *") {
  using state = pipeline_shared_state<thread_scope_block, 1>;
  static_assert(sizeof(state) <= sizeof(in_global) && alignof(state) <= 16);
  (void)make_pipeline(this_cluster, reinterpret_cast<state*>(in_global), pipeline_role::producer, this_thread);
}
DEATH("more consumers than the half of a word holds", ARRIVALS(65536, consumers)) {
  using state = pipeline_shared_state<thread_scope_block, 1>;
  (void)make_pipeline(this_cluster, reinterpret_cast<state*>(in_shared), pipeline_arrivals{1, unsigned(hidden(65536))},
                      this_thread, 1);
}
DEVICE_DEATH("a cache policy for more than everything",
             "cudax.sync: l2_policy: the fraction is 2000 thousandths, not above 0 and at most 1") {
  device::l2_policy const policy(device::l2_eviction::evict_last, float(hidden(2)));
  device::prefetch_bulk(in_global, aligned_size_t<16>(16), policy);
}
DEVICE_DEATH("a cache policy that keeps what is not in its fraction",
             "cudax.sync: l2_policy: what is not in the fraction is evict_first or evict_unchanged, not 2") {
  device::l2_policy const policy(device::l2_eviction::evict_first, 0.5f, device::l2_eviction(hidden(2)));
  device::prefetch_bulk(in_global, aligned_size_t<16>(16), policy);
}
using columns = tensor_map<float, im2col_box<4, 16, 2>>;
DEVICE_DEATH("a copy of pixels at an offset that is too large",
             "cudax.sync: copies of tensors: an offset is 256, which is negative or too large for this rank; begin at "
             "another pixel") {
  alignas(columns) __shared__ char bytes[sizeof(columns)]; // in local memory it would be refused before
  auto const& map = *reinterpret_cast<columns const*>(bytes);
  device::prefetch_tensor_bulk(map, {0, 0, 0, 0}, {0, hidden(256)});
}
DEVICE_DEATH("a copy of a tile to no block",
             "cudax.sync: copy_tensor_async_tx_multicast: the mask 0 names no block, or one of rank 16 or more") {
  tiles const map{};
  device::copy_tensor_async_tx_multicast(tensor_tile, map, {0, 0}, shared_barrier(), unsigned(hidden(0)));
}
#endif

DEATHS_END
