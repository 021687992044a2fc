// SPDX-License-Identifier: Apache-2.0
//
// async_stores: stores and reductions that go on while the thread continues.  PTX ISA, "cp.reduce.async.bulk",
// "st.async", "red.async"
//
//   reduce_async_bulk            own shared to global memory       -> the thread's bulk groups (bulk_copies.cppm)
//   reduce_async_bulk_tx_remote  own shared to another block's     -> bytes at that block's barrier
//   store_async_tx_remote        a value to a block's shared       -> bytes at that block's barrier
//   reduce_async_tx_remote       the same                          -> bytes at that block's barrier
//
// The last two also serve the own block, but only in a launch that names the size of its clusters, be it one block
// (cudax::launch_cluster(1), cudaLaunchAttributeClusterDimension). In others both are illegal instructions on an H100
// and on the emulator. PTX promises less: of st.async it demands a cluster of more than one block, and of red.async
// another block than the thread's ("st.async", "red.async", "Conditions"; PTX ISA 9.4). On an H100 the own block is
// right for both, in clusters of one block and of two.
//
// Proxies. The reductions of arrays access memory through the asynchronous proxy, as bulk copies do, with the same
// fences. The stores and reductions of one value are accesses of the generic proxy: they need no proxy fence, and
// there is no promise to make. A fence would only cost time.
//
// Order. A bulk reduction reads its source by weak accesses, and modifies each element by a read-modify-write of its
// own, relaxed at device scope. So several of them may modify the same elements at the same time, also from different
// blocks, and none is lost. Nothing is known about their order, and an element may show a part of the reductions of an
// array. With atomic operations of this library on the same elements they must not be concurrent: the proxies differ,
// so the two are not morally strong (PTX ISA, "Morally strong operations"). reduce_async_tx_remote is a
// read-modify-write of the generic proxy, relaxed at cluster scope: it may be concurrent with atomic operations, too.
// store_async_tx_remote stores by a weak access: no other thread may access the object at the same time.
//
// The end. Bytes are completed with release at cluster scope, as those of copies. So a wait that acquires at cluster
// scope (barrier_wait_cluster and its kin) sees the operations that completed in the phase. bulk_wait says that the
// reductions of the caller's groups are complete; what they did happens before what the caller does next.
//
// Before sm_90 the calling thread itself does all this, one element after the other, with the same orders and scopes,
// and it is complete when the function returns. A cluster is one block there: reduce_async_bulk_tx_remote has no
// target, and stops the kernel; the operations on one value can have a target in the own block, and a stage of a
// pipeline awaits them (pipeline::producer_expect). On the host all of them stop the program.
module;
#include "../base/macros.hpp"
export module cudax.sync:async_stores;
import :aligned_size;
import :barrier;
import :barrier_cluster;
import :barrier_native;
import :bits;
import :bulk_copies;
import :cache_policy;
import :copy_ways;
import :device_barrier;
import :device_copy;
import :machine;
import :modify;
import :proxy_fence;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax::device {

/// What a reduction computes from an element of the target and the operand. inc: 0 if the element is not less than the
/// operand, else the element plus 1. dec: the operand if the element is 0 or greater than the operand, else the element
/// minus 1.
/// Source:   extension; PTX ISA, "red"
/// Example:
///     __device__ void keep_largest(int* largest, int* own) { // one thread; `own`, 256 numbers, is in shared memory
///       using cudax::device::reduction;
///       cudax::device::reduce_async_bulk<reduction::max>(largest, own, cudax::aligned_size_t<16>(1024));
///       cudax::device::bulk_commit();
///       cudax::device::bulk_wait<0>();
///     }
enum class reduction : int { add, min, max, inc, dec, bit_and, bit_or, bit_xor };

} // namespace cudax::device

namespace cudax::copy_detail {
using namespace machine;

/// The types of arch/abi.hpp.
enum class element_type : int { u32, s32, u64, s64, f32, f64, f16, bf16 };

/// Whether PTX has the operation for T in global memory, and in shared memory.
template <device::reduction Op, class T>
inline constexpr bool reduces_global = [] {
  using enum device::reduction;
  constexpr bool is_integer = integer<T> && (sizeof(T) == 4 || sizeof(T) == 8);
  if (Op == add) return is_integer || floating<T>;
  if (Op == min || Op == max) return is_integer || half<T> || bfloat16<T>;
  if (Op == inc || Op == dec) return is_integer && sizeof(T) == 4 && !__is_signed(T);
  return is_integer;
}();
template <device::reduction Op, class T>
inline constexpr bool reduces_shared =
    integer<T> && reduces_global<Op, T> && (sizeof(T) == 4 || (sizeof(T) == 8 && Op == device::reduction::add));

/// The type of the instruction: that of T. Additions and bitwise operations have the unsigned ones only, which compute
/// the same.
template <device::reduction Op, class T>
inline constexpr element_type type_of_reduction = [] {
  if constexpr (same_as<T, float>) return element_type::f32;
  else if constexpr (same_as<T, double>) return element_type::f64;
  else if constexpr (half<T>) return element_type::f16;
  else if constexpr (bfloat16<T>) return element_type::bf16;
  else if constexpr (__is_signed(T) && (Op == device::reduction::min || Op == device::reduction::max))
    return sizeof(T) == 4 ? element_type::s32 : element_type::s64;
  else return sizeof(T) == 4 ? element_type::u32 : element_type::u64;
}();

template <device::reduction Op, class T>
constexpr void require_reduction_of_shared() noexcept {
  static_assert(
      reduces_shared<Op, T>,
      "cudax.sync: asynchronous reductions in shared memory: add takes integers of 4 and 8 bytes, min and max "
      "integers of 4 bytes, inc and dec unsigned ones of 4 bytes, bit_and, bit_or and bit_xor integers of 4 "
      "bytes; use atomic_ref for others");
}

/// Checks the target of a store of one value, and the barrier.
template <class T>
void* ensure_remote_value([[maybe_unused]] T* to, block_barrier& barrier) noexcept {
  void* const mbarrier = remote_mbarrier(barrier);
  CUDAX_ENSURE(may_be_of_cluster(to),
               "device::..._async_tx_remote: the target at %llx is not in the shared memory of a block of the cluster; "
               "pass what this_cluster.map_shared_rank returns for a __shared__ variable",
               (long long)checked_address(to));
  CUDAX_ENSURE(checked_address(to) % sizeof(T) == 0,
               "device::..._async_tx_remote: the address of the target is no multiple of its size, %lld bytes",
               (long long)sizeof(T));
  return mbarrier;
}

} // namespace cudax::copy_detail

export namespace cudax::device {

/// Begins a reduction of an array in global memory: each element of `to` becomes the result of Op with the element of
/// `from`, which is in the block's shared memory. It belongs to the caller's current bulk group.
/// Source:   extension; PTX ISA, cp.reduce.async.bulk
/// Order:    each element is modified by a read-modify-write, relaxed at device scope, in any order. Reductions of
///           several threads may modify the same elements concurrently. The source is read, and the target modified, as
///           if the caller did so at the call: a proxy fence precedes the reduction, unless the last arguments include
///           proxy_fenced. After bulk_wait the caller sees the complete reduction; other threads see it after they have
///           synchronized with the caller
/// Scope:    device: the host and other devices must not access the target at the same time
/// Units:    bytes, a multiple of 16, less than 2^32; both addresses are multiples of 16. Sums of float turn subnormal
///           numbers into zero, sums of the other types do not
/// Requires: as memcpy_async_bulk, except that other threads may reduce into the target by this function; no
///           thread accesses the target in another way, by an atomic operation either, before it has synchronized with
///           every thread that reduces into it, after its bulk_wait. Op is one that PTX has for T: add of integers of 4
///           and 8 bytes, of float, double and the 16-bit types; min and max of integers of 4 and 8 bytes and the
///           16-bit types; inc and dec of unsigned integers of 4 bytes; bit_and, bit_or and bit_xor of integers of 4
///           and 8 bytes. A last argument may also be an l2_policy, for the target
/// Errors:   other operations are rejected; checked builds stop as in memcpy_async_bulk
/// Example:
///     __device__ void add_to_sums(float* sums, float* own) { // `own`, 256 sums of this block, is in shared memory
///       cudax::this_block.sync();                            // all threads have written their part
///       if (threadIdx.x != 0) return;
///       using cudax::device::reduction;
///       cudax::device::reduce_async_bulk<reduction::add>(sums, own, cudax::aligned_size_t<16>(1024));
///       cudax::device::bulk_commit();
///       cudax::device::bulk_wait<0>();
///     }
template <reduction Op, class T, size_t Alignment, class... Option>
  requires copy_detail::valid_copy_options<Option...>
void reduce_async_bulk(T* to, T const* from, aligned_size_t<Alignment> size, Option... option) noexcept {
  static_assert(
      copy_detail::reduces_global<Op, T>,
      "cudax.sync: reduce_async_bulk: add takes integers of 4 and 8 bytes and floating-point numbers, min and "
      "max integers of 4 and 8 bytes and 16-bit floating-point numbers, inc and dec unsigned integers of 4 "
      "bytes, bit_and, bit_or and bit_xor integers of 4 and 8 bytes; use atomic_ref for others");
  copy_detail::require_bulk<T, Alignment>();
  copy_detail::ensure_bulk_bytes(size.value, copy_detail::most_bulk_bytes);
  CUDAX_ENSURE(
      machine::gpu::is_global(to) && machine::gpu::is_shared(from),
      "reduce_async_bulk: reduces from this block's shared memory into global memory, not what was given (%lld "
      "bytes)",
      (long long)size.value);
  copy_detail::ensure_copy(to, from, size.value, Alignment);
  // The fence of memcpy_async_bulk, for the same two spaces: plain accesses to source and target come before.
  if constexpr (!(copy_detail::promises_fence<Option> || ...)) machine::gpu::bulk_copy::fence();
  machine::gpu::bulk_copy::reduce_to_global(int(Op), int(copy_detail::type_of_reduction<Op, T>), to, from,
                                            u32(size.value), copy_detail::options_of(option...));
}

/// Begins a reduction of an array in the shared memory of another block of the cluster, as reduce_async_bulk. It
/// completes its bytes at the current phase of that block's barrier. `to` and `barrier` are addresses in the cluster's
/// shared memory, as this_cluster.map_shared_rank returns them, of the same block.
/// Source:   extension; PTX ISA, cp.reduce.async.bulk
/// Order:    each element is modified by a read-modify-write, relaxed at device scope, in any order; reductions of
///           several blocks may modify the same elements concurrently. As memcpy_async_tx_remote in all else: a thread
///           of the other block that has waited for the phase by barrier_wait_cluster, or a function like it, sees the
///           complete reduction
/// Units:    bytes, a multiple of 16, at most 2^20 - 16; both addresses are multiples of 16
/// Requires: as memcpy_async_tx_remote, except that several threads may reduce into the target; no thread accesses the
///           target in another way before the wait. T is an integer: add takes 4 and 8 bytes, the other operations 4
///           bytes, inc and dec unsigned ones
/// Errors:   other operations are rejected; checked builds stop as in memcpy_async_tx_remote
/// Example:
///     __device__ void count(unsigned* histogram, unsigned* own, cudax::barrier<cudax::thread_scope_block>* done) {
///       using cudax::device::reduction; // one thread of every block but block 0, whose barrier expects the bytes
///       cudax::aligned_size_t<16> const size(1024);
///       unsigned* const target = cudax::this_cluster.map_shared_rank(histogram, 0);
///       auto& there = *cudax::this_cluster.map_shared_rank(done, 0);
///       cudax::device::reduce_async_bulk_tx_remote<reduction::add>(target, own, size, there);
///     }
template <reduction Op, class T, size_t Alignment, copy_detail::copy_promise Promise = copy_detail::nothing_promised>
void reduce_async_bulk_tx_remote(T* to, T const* from, aligned_size_t<Alignment> size,
                                 barrier<thread_scope_block>& barrier, Promise = {}) noexcept {
  copy_detail::require_reduction_of_shared<Op, T>();
  copy_detail::require_bulk<T, Alignment>();
  copy_detail::ensure_bulk_bytes(size.value, size_t(copy_detail::most_transactions));
  CUDAX_ENSURE(!machine::gpu::is_shared(to) && copy_detail::may_be_of_cluster(to) && machine::gpu::is_shared(from),
               "reduce_async_bulk_tx_remote: reduces from this block's shared memory into that of another block, not "
               "what was given (%lld bytes)",
               (long long)size.value);
  copy_detail::ensure_copy(to, from, size.value, Alignment);
  // The fence of memcpy_async_tx_remote: source and target are in the cluster's shared memory.
  if constexpr (!copy_detail::promises_fence<Promise>) machine::gpu::bulk_copy::fence_cluster();
  machine::gpu::bulk_copy::reduce_to_cluster(int(Op), int(copy_detail::type_of_reduction<Op, T>), to, from,
                                             u32(size.value), copy_detail::remote_mbarrier(barrier));
}

/// Begins a store of a value to the shared memory of a block of the cluster. It completes sizeof(T) bytes at the
/// current phase of that block's barrier. `to` and `barrier` are addresses in the cluster's shared memory, as
/// this_cluster.map_shared_rank returns them, of the same block.
/// Source:   extension; PTX ISA, st.async
/// Order:    a weak store, which happens before the end of the phase: a thread of the target's block that has waited for
///           the phase by barrier_wait_cluster, or a function like it, sees the value. It releases nothing else that
///           the caller wrote. It is no access of the asynchronous proxy, so no proxy fence is needed
/// Units:    T has 4, 8 or 16 bytes, and is aligned to its size
/// Requires: from sm_90, the launch names the size of its clusters: launch_cluster(1) at least. The block may be the
///           caller's (on an H100; PTX promises it of other blocks only), has not ended, and has published the barrier
///           (fence_barrier_init); its phase expects the bytes, by barrier_arrive_tx there, by
///           barrier_arrive_tx_remote here, or by pipeline::producer_expect; earlier accesses to the object happen
///           before the call; no thread accesses it between the call and the wait. T is trivially copyable
/// Errors:   other sizes are rejected; checked builds stop at other memory and at a misaligned address
/// Example:
///     __device__ void tell(float* inbox, float value, cudax::barrier<cudax::thread_scope_block>* ready, int other) {
///       float* const slot = cudax::this_cluster.map_shared_rank(inbox + threadIdx.x, other);
///       auto& there = *cudax::this_cluster.map_shared_rank(ready, other); // expects 4 bytes of each thread
///       cudax::device::store_async_tx_remote(slot, value, there);
///     }
template <class T>
void store_async_tx_remote(T* to, choose<true, T, void> const& value, barrier<thread_scope_block>& barrier) noexcept {
  constexpr bool is_word = __is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
  static_assert(is_word, "cudax.sync: store_async_tx_remote: stores trivially copyable objects of 4, 8 or 16 bytes");
  if constexpr (is_word)
    machine::gpu::async_store::store(to, to_word(value), copy_detail::ensure_remote_value(to, barrier));
}

/// Begins a reduction of an object in the shared memory of a block of the cluster: it becomes the result of Op
/// with `value`. It completes sizeof(T) bytes at the current phase of that block's barrier. Addresses are as in
/// store_async_tx_remote.
/// Source:   extension; PTX ISA, red.async
/// Order:    a read-modify-write, relaxed at cluster scope, which happens before the end of the phase; else as
///           store_async_tx_remote. Reductions and atomic operations of several threads may modify the object
///           concurrently
/// Units:    T has 4 or 8 bytes, and is aligned to its size
/// Requires: as store_async_tx_remote, except for concurrent atomic accesses to the object, whose scope includes the
///           cluster. T is an integer: add takes 4 and 8 bytes, the other operations 4 bytes, inc and dec unsigned ones
/// Errors:   other operations are rejected; checked builds stop at other memory and at a misaligned address
/// Example:
///     __device__ void count(unsigned* bins, int key, cudax::barrier<cudax::thread_scope_block>* done, int owner) {
///       using cudax::device::reduction; // 256 bins in each block; the owner's barrier expects 4 bytes of each thread
///       unsigned* const bin = cudax::this_cluster.map_shared_rank(bins + key % 256, owner);
///       auto& there = *cudax::this_cluster.map_shared_rank(done, owner);
///       cudax::device::reduce_async_tx_remote<reduction::add>(bin, 1, there);
///     }
template <reduction Op, class T>
void reduce_async_tx_remote(T* to, choose<true, T, void> value, barrier<thread_scope_block>& barrier) noexcept {
  copy_detail::require_reduction_of_shared<Op, T>();
  void* const mbarrier = copy_detail::ensure_remote_value(to, barrier);
  machine::gpu::async_store::reduce(int(Op), int(copy_detail::type_of_reduction<Op, T>), to, to_word(value), mbarrier);
}

} // namespace cudax::device

CUDAX_EVERYWHERE_END
