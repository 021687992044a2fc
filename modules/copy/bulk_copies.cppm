// SPDX-License-Identifier: Apache-2.0
//
// bulk_copies: bulk copies that one thread begins, by their own names: to global memory, to another block of the
// cluster, to several blocks, and into L2.  PTX ISA, "cp.async.bulk", "cp.async.bulk.prefetch"
//
//   memcpy_async_tx            global to own shared memory           -> bytes at the own barrier (barrier_native.cppm)
//   memcpy_async_tx_remote     own shared to another block's         -> bytes at that block's barrier
//   memcpy_async_tx_multicast  global to the shared memory of blocks -> bytes at the barrier of each of them
//   memcpy_async_bulk          own shared to global memory           -> the thread's bulk groups
//   prefetch_bulk              global memory into L2                 -> nothing to wait for
//
// Proxies. The copies access memory through the asynchronous proxy (proxy_fence.cppm), their barrier through the
// generic proxy. So each begins with the fence for the state spaces of its source and its target, unless the caller
// promises proxy_fenced. A fence is limited to objects in the space that it names:
//
//   memcpy_async_bulk          .shared::cta for the source, .global for the target
//   memcpy_async_tx_remote     .shared::cluster: the source is in it, too, and nothing is in global memory
//   memcpy_async_tx_multicast  .global for the source, .shared::cluster for the targets: not all are in this block
//   prefetch_bulk              none: it neither gives a value nor changes one
//
// An l2_policy as a last argument is a hint for what is in global memory (cache_policy.cppm).
//
// After the copy no fence is needed: its completion includes one. The bytes are completed with release at cluster
// scope, so the threads of another block wait by barrier_wait_cluster and its kin (barrier_cluster.cppm).
//
// Before sm_90 the calling thread itself copies, with the same meaning: the copy is complete when the function returns,
// so bulk_commit and bulk_wait have nothing to do. It is slower, since one thread copies all. A cluster is one block
// there, so memcpy_async_tx_remote has no target, and stops the kernel. On the host all of them stop the program.
module;
#include "../base/macros.hpp"
export module cudax.sync:bulk_copies;
import :aligned_size;
import :barrier;
import :barrier_cluster;
import :barrier_native;
import :bits;
import :cache_policy;
import :copy_ways;
import :device_barrier;
import :device_copy;
import :machine;
import :proxy_fence;
import :scope;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

template <class T, size_t Alignment>
constexpr void require_bulk() noexcept {
  static_assert(Alignment >= 16, "cudax.sync: bulk copies need an alignment of 16; use aligned_size_t<16>");
  if constexpr (!__is_void(T))
    static_assert(__is_trivially_copyable(T),
                  "cudax.sync: bulk copies: the objects are not trivially copyable; copy them one by one");
}

inline void ensure_bulk_bytes([[maybe_unused]] size_t size, [[maybe_unused]] size_t most) noexcept {
  ensure_on_device();
  CUDAX_ENSURE(size <= most, "bulk copies: %lld bytes are more than one copy or phase can have; use several",
               (long long)size);
}
inline constexpr size_t most_bulk_bytes = ~u32(0);

} // namespace cudax::copy_detail

export namespace cudax::device {

/// Begins a bulk copy from the block's shared memory to global memory. It belongs to the caller's current bulk group.
/// Source:   extension; PTX ISA, cp.async.bulk
/// Order:    the copy reads and writes as if the caller did so at the call: a proxy fence precedes the copy, unless
///           proxy_fenced is a last argument. After bulk_wait the caller sees the complete copy; other threads see it
///           after they have synchronized with the caller
/// Units:    bytes, a multiple of 16, less than 2^32; both addresses are multiples of 16
/// Requires: with proxy_fenced, what it promises; no thread writes the source before bulk_wait_read returns, and none
///           accesses the target before bulk_wait returns; the block's shared memory outlives the copy's reads: a
///           thread calls bulk_wait_read before its block ends. T is trivially copyable. A last argument may also be an
///           l2_policy, for the target
/// Errors:   checked builds stop at other memory, misaligned addresses and too many bytes
/// Example:
///     __device__ void flush(float* to, float* tile) { // `tile` is in shared memory
///       cudax::this_block.sync();                     // all threads have written their part
///       if (threadIdx.x != 0) return;
///       cudax::device::memcpy_async_bulk(to, tile, cudax::aligned_size_t<16>(1024));
///       cudax::device::bulk_commit();
///       cudax::device::bulk_wait_read<0>(); // the tile has been read, and may be written again
///     }
template <class T, size_t Alignment, class... Option>
  requires copy_detail::valid_copy_options<Option...>
void memcpy_async_bulk(T* to, T const* from, aligned_size_t<Alignment> size, Option... option) noexcept {
  copy_detail::require_bulk<T, Alignment>();
  copy_detail::ensure_bulk_bytes(size.value, copy_detail::most_bulk_bytes);
  CUDAX_ENSURE(machine::gpu::is_global(to) && machine::gpu::is_shared(from),
               "memcpy_async_bulk: copies from this block's shared memory to global memory, not what was given (%lld "
               "bytes)",
               (long long)size.value);
  copy_detail::ensure_copy(to, from, size.value, Alignment);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) machine::gpu::bulk_copy::fence();
  machine::gpu::bulk_copy::to_global(to, from, u32(size.value), copy_detail::options_of(option...));
}

/// Closes the caller's current bulk group: the copies by memcpy_async_bulk since the last call.
/// Source:   extension; PTX ISA, cp.async.bulk.commit_group
inline void bulk_commit() noexcept {
  copy_detail::ensure_on_device();
  machine::gpu::bulk_copy::commit();
}

/// bulk_wait blocks until at most `Pending` of the caller's bulk groups are incomplete. bulk_wait_read blocks until all
/// but at most `Pending` groups have read their sources, which may then be written; their targets may be incomplete.
/// Source:   extension; PTX ISA, cp.async.bulk.wait_group
/// Order:    after bulk_wait, the copies happen before what the caller does next; after bulk_wait_read, their reads do
/// Units:    groups; more than 8 count as 8
/// Requires: the copies are committed
template <unsigned Pending>
void bulk_wait() noexcept {
  copy_detail::ensure_on_device();
  machine::gpu::bulk_copy::wait_group(Pending);
}
template <unsigned Pending>
void bulk_wait_read() noexcept {
  copy_detail::ensure_on_device();
  machine::gpu::bulk_copy::wait_group_read(Pending);
}

/// Begins a bulk copy from the block's shared memory to the shared memory of another block of the cluster. The copy
/// completes its bytes at the current phase of that block's barrier. `to` and `barrier` are addresses in the cluster's
/// shared memory, as this_cluster.map_shared_rank returns them, of the same block.
/// Source:   extension; PTX ISA, cp.async.bulk
/// Order:    the copy reads and writes as if the caller did so at the call: a proxy fence precedes the copy, unless the
///           last argument is proxy_fenced. A thread of the other block that has waited for the phase by
///           barrier_wait_cluster, or a function like it, sees the complete copy
/// Units:    bytes, a multiple of 16, at most 2^20 - 16; both addresses are multiples of 16
/// Requires: sm_90; the other block is not the caller's, has not ended, and has published the barrier
///           (fence_barrier_init); its phase expects the bytes: by barrier_arrive_tx there, or by
///           barrier_arrive_tx_remote here; with proxy_fenced, what it promises, where a fence for the target comes
///           from a thread of the target's block; no thread writes the source before the phase has ended, which the
///           other block must report. T is trivially copyable
/// Errors:   checked builds stop at other memory, at this block's own memory as the target, at misaligned addresses and
///           too many bytes
/// Example:
///     __device__ void send(float* tile, float* part, cudax::barrier<cudax::thread_scope_block>* ready, int other) {
///       cudax::aligned_size_t<16> const size(1024); // every block has `tile`, `part` and `ready` in shared memory
///       auto& there = *cudax::this_cluster.map_shared_rank(ready, other);
///       cudax::device::barrier_arrive_tx_remote(there, 1, size);
///       cudax::device::memcpy_async_tx_remote(cudax::this_cluster.map_shared_rank(tile, other), part, size, there);
///     }
template <class T, size_t Alignment, copy_detail::copy_promise Promise = copy_detail::nothing_promised>
void memcpy_async_tx_remote(T* to, T const* from, aligned_size_t<Alignment> size, barrier<thread_scope_block>& barrier,
                            Promise = {}) noexcept {
  copy_detail::require_bulk<T, Alignment>();
  copy_detail::ensure_bulk_bytes(size.value, size_t(copy_detail::most_transactions));
  CUDAX_ENSURE(!machine::gpu::is_shared(to) && copy_detail::may_be_of_cluster(to) && machine::gpu::is_shared(from),
               "memcpy_async_tx_remote: copies from this block's shared memory to that of another block, not what was "
               "given (%lld bytes)",
               (long long)size.value);
  copy_detail::ensure_copy(to, from, size.value, Alignment);
  if constexpr (!copy_detail::promises_fence<Promise>) machine::gpu::bulk_copy::fence_cluster();
  machine::gpu::bulk_copy::to_cluster(to, from, u32(size.value), copy_detail::remote_mbarrier(barrier));
}

/// Begins one bulk copy from global memory to the shared memory of several blocks of the cluster: bit i of `blocks`
/// stands for the block of rank i. In each of them, the data go to the place that `to` has in the caller's block, and
/// complete their bytes at the current phase of the barrier at the place of `barrier`. The caller's block takes part if
/// its bit is set.
/// Source:   extension; PTX ISA, cp.async.bulk, .multicast::cluster
/// Order:    as memcpy_async_tx_remote
/// Units:    bytes, a multiple of 16, at most 2^20 - 16; both addresses are multiples of 16
/// Requires: the blocks of the mask exist, have not ended, and have published their barriers (fence_barrier_init); the
///           phase of each expects the bytes, as in memcpy_async_tx; with proxy_fenced, what it promises, where a fence
///           for a target comes from a thread of the target's block. T is trivially copyable. PTX advises to compile
///           for sm_90a, sm_100a and so on: on other targets the instruction may be much slower. A last argument may
///           also be an l2_policy, for the source
/// Errors:   checked builds stop at other memory, misaligned addresses, too many bytes and a mask without blocks
/// Example:
///     __device__ void load(float* tile, float const* in, cudax::barrier<cudax::thread_scope_block>& ready, int rank) {
///       cudax::aligned_size_t<16> const size(1024); // one thread of each of the two blocks calls it
///       auto token = cudax::device::barrier_arrive_tx(ready, 1, size);
///       if (rank == 0) cudax::device::memcpy_async_tx_multicast(tile, in, size, ready, 0b11);
///       cudax::device::barrier_wait_cluster(ready, std::move(token));
///     }
template <class T, size_t Alignment, class... Option>
  requires copy_detail::valid_copy_options<Option...>
void memcpy_async_tx_multicast(T* to, T const* from, aligned_size_t<Alignment> size,
                               barrier<thread_scope_block>& barrier, unsigned blocks, Option... option) noexcept
    CUDAX_REFUSE(blocks == 0 || blocks > 0xffff,
                 "memcpy_async_tx_multicast: the mask names no block, or one of rank 16 or more") {
  copy_detail::require_bulk<T, Alignment>();
  copy_detail::ensure_bulk_bytes(size.value, size_t(copy_detail::most_transactions));
  CUDAX_ENSURE(
      machine::gpu::is_shared(to) && machine::gpu::is_global(from),
      "memcpy_async_tx_multicast: copies from global to shared memory, `to` being the place in this block; not "
      "what was given (%lld bytes)",
      (long long)size.value);
  CUDAX_ENSURE(blocks != 0 && blocks <= 0xffff,
               "memcpy_async_tx_multicast: the mask %llx names no block, or one of rank 16 or more", (long long)blocks);
  copy_detail::ensure_copy(to, from, size.value, Alignment);
  void* const mbarrier = copy_detail::ensure_hardware(barrier);
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) {
    machine::gpu::bulk_copy::fence_global();
    machine::gpu::bulk_copy::fence_cluster();
  }
  machine::gpu::bulk_copy::multicast(to, from, u32(size.value), mbarrier, blocks, copy_detail::options_of(option...));
}

/// Hints that global memory will be read, so that it may be brought into the L2 cache.
/// Source:   extension; PTX ISA, cp.async.bulk.prefetch
/// Order:    none, and no fence is needed: it neither gives a value nor changes one
/// Units:    bytes, a multiple of 16, less than 2^32; the address is a multiple of 16
/// Requires: the memory exists. The last argument may be an l2_policy
/// Errors:   checked builds stop at other memory, a misaligned address and too many bytes
template <class T, size_t Alignment, class... Option>
  requires copy_detail::valid_prefetch_options<Option...>
void prefetch_bulk(T const* from, aligned_size_t<Alignment> size, Option... option) noexcept {
  static_assert(Alignment >= 16, "cudax.sync: prefetch_bulk: needs an alignment of 16; use aligned_size_t<16>");
  copy_detail::ensure_bulk_bytes(size.value, copy_detail::most_bulk_bytes);
  CUDAX_ENSURE(machine::gpu::is_global(from) && machine::checked_address(from) % Alignment == 0,
               "prefetch_bulk: the address is not in global memory, or no multiple of %lld", (long long)Alignment);
  machine::gpu::bulk_copy::prefetch(from, u32(size.value), copy_detail::options_of(option...));
}

} // namespace cudax::device

CUDAX_EVERYWHERE_END
