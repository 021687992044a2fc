// SPDX-License-Identifier: Apache-2.0
//
// barrier_cluster: barriers of a block that other blocks of the cluster use: bytes and arrivals from there, and waits
// that acquire at cluster scope.  PTX ISA, "mbarrier", "mapa", "fence"
// A block waits only at its own barrier. Other blocks reach the barrier by its address in the cluster's shared memory,
// which this_cluster.map_shared_rank returns. They arrive, expect bytes, and begin copies that complete there
// (bulk_copies.cppm). An arrival of another block releases at cluster scope, and so do the bytes of a copy. A wait at
// block scope would not synchronize with them, so the waits here acquire at cluster scope. On the host and before sm_90
// a cluster is one block: arrivals and waits are those of the barrier itself. What expects bytes stops the program.
//
// Making a barrier. Before another block uses it, its initialization must happen before that use:
//
//   init; this_cluster.sync()                                        sync() releases and acquires at cluster scope
//   init; fence_barrier_init(); arrive_relaxed(), wait(arrival)      the fence releases the initialization only
//
// Neither needs a proxy fence, and fence.mbarrier_init orders no data: what a copy is to read or overwrite still needs
// its proxy fence (proxy_fence.cppm has both reasons, with the sections of the PTX ISA).
//
// Shared memory alone. On sm_90 a release at cluster scope waits for every access of the thread to global memory
// (MEMBAR.ALL.GPU), and an acquire empties the L1 (CCTL.IVALL): where all that a barrier guards is in shared memory,
// both are in vain. With sync_restrict_shared an arrival is fence.release.sync_restrict::shared::cta and a relaxed
// arrival, a wait is relaxed polls and fence.acquire.sync_restrict::shared::cluster ("membar / fence" has this pair as
// an example). The fences are morally strong with each other, since both have cluster scope. They order an access
// before the arrival and one after the wait if the object is in the shared memory of the arriving thread's block. What
// it is not:
//   global memory                          not in the state space of either fence
//   another block's shared memory          not in .shared::cta of the arriving thread: its stores there are not
//   released
// Both are ordered all the same between threads of one block, whose arrivals at the own barrier (barrier::arrive)
// release all memory at block scope: the wait has a fence.acquire.cta, too, which becomes no instruction. Bytes of
// copies and asynchronous stores are in the shared memory of the barrier's block, by which the wait is made, and
// complete with release at cluster scope: the acquire above suffices for them.
//
// Tensor cores arrive, too (tensor_core_commit): that is how a thread that issues tcgen05 operations by hand learns of
// their end, and how the owner of their input learns that it may be overwritten.
//
// Ending a barrier. destroy(&b) is mbarrier.inval. It comes after every use by other blocks, for example after a
// this_cluster.sync(), which is also needed before a block exits whose shared memory other blocks access.
module;
#include "../base/macros.hpp"
#pragma clang diagnostic ignored "-Wc++26-extensions" // = delete("sentence")
export module cudax.sync:barrier_cluster;
import :barrier;
import :barrier_native;
import :barrier_state;
import :bits;
import :device_barrier;
import :device_copy;
import :duration;
import :machine;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax::device {

/// The type of sync_restrict_shared.
/// Source:   extension; the form of [thread.lock], adopt_lock_t
/// Example:
///     template <class... Restriction> // cudax::device::sync_restrict_shared_t, or nothing
///     __device__ void await(cudax::barrier<cudax::thread_scope_block>& b, bool parity, Restriction... r) {
///       cudax::device::barrier_wait_parity_cluster(b, parity, r...);
///     }
struct sync_restrict_shared_t {
  explicit sync_restrict_shared_t() = default;
};

/// The last argument of an arrival at another block's barrier, and of a wait at cluster scope: the call orders shared
/// memory alone. It is for barriers that guard nothing else, such as those of stages that copies fill. On sm_90 such an
/// arrival is a fence of the block in place of one of the device, and such a wait leaves the L1 cache as it is. Before
/// sm_90 and on the host the argument has no effect.
/// Source:   extension; PTX ISA, "membar / fence", .sync_restrict; libcu++, cuda::ptx::fence_sync_restrict
/// Order:    the arrival releases, at cluster scope, accesses to the shared memory of the caller's block, its own and
///           those that happen before. The wait acquires at cluster scope for accesses to the shared memory of every
///           block of the cluster, and at block scope for all memory. Between blocks the two order nothing in global
///           memory, not even the read of a copy's source, and none of the caller's stores to the shared memory of
///           another block. Either of the two orders no more in a pair with a call without the argument
/// Errors:   undefined behavior if the program relies on more; tools/emulate --check reports a race
/// Example:
///     __device__ void give(int* own, cudax::barrier<cudax::thread_scope_block>& b, unsigned rank, int* result) {
///       using cudax::device::sync_restrict_shared; // one thread of each of two blocks; `b` expects one arrival
///       if (rank == 0) *own = 42; // in shared memory
///       if (rank == 0) barrier_arrive_remote(*cudax::this_cluster.map_shared_rank(&b, 1), 1, sync_restrict_shared);
///       else barrier_wait_parity_cluster(b, false, sync_restrict_shared);
///       if (rank != 0) *result = *cudax::this_cluster.map_shared_rank(own, 0);
///     } // this_cluster.sync() follows, before block 0 ends
inline constexpr sync_restrict_shared_t sync_restrict_shared{};

/// The type of order_relaxed.
/// Source:   extension; the form of [thread.lock], adopt_lock_t
/// Example:
///     template <class... Order> // cudax::device::order_relaxed_t, or nothing
///     __device__ void arrive(cudax::barrier<cudax::thread_scope_block>& of_block, Order... order) {
///       cudax::device::barrier_arrive_remote(of_block, 1, order...);
///     }
struct order_relaxed_t {
  explicit order_relaxed_t() = default;
};

/// As the last argument where sync_restrict_shared is one: the call orders nothing, and fences do. One fence serves
/// several arrivals, and one serves several waits.
/// Source:   extension; PTX ISA, "mbarrier.arrive", "mbarrier.try_wait", .relaxed
/// Order:    relaxed at cluster scope
/// Example:
///     __device__ void release(cudax::barrier<cudax::thread_scope_block>& free, unsigned blocks) { // one thread
///       cudax::device::fence_release_shared();
///       for (unsigned block = 0; block < blocks; ++block)
///         barrier_arrive_remote(*cudax::this_cluster.map_shared_rank(&free, int(block)), 1,
///                               cudax::device::order_relaxed);
///     }
inline constexpr order_relaxed_t order_relaxed{};

} // namespace cudax::device

namespace cudax::copy_detail {
using namespace machine;

/// What a call orders that is not restricted: all memory.
struct unrestricted {};

template <class R>
inline constexpr bool is_restricted = false;
template <>
inline constexpr bool is_restricted<device::sync_restrict_shared_t> = true;

template <class R>
concept order_restriction = is_restricted<R> || __is_same(R, device::order_relaxed_t) || __is_same(R, unrestricted);

/// The orders of an arrival and of a wait: where they are restricted, fences do the rest.
template <order_restriction R>
inline constexpr memory_order order_of_arrival =
    __is_same(R, unrestricted) ? memory_order::release : memory_order::relaxed;
template <order_restriction R>
inline constexpr memory_order order_of_wait =
    __is_same(R, unrestricted) ? memory_order::acquire : memory_order::relaxed;

/// Precedes relaxed arrivals. Pairs with finish_wait.
inline void release_shared() noexcept {
  if (gpu::has_bulk_copy()) gpu::shared_barrier::fence_shared(memory_order::release);
}
/// Follows a wait that has acquired: accesses to shared memory by the program that happen before are ordered before
/// those of bulk copies that the caller begins next. Pairs with release_shared() in the other threads.
inline void acquire_for_bulk_copies() noexcept {
  if (gpu::has_bulk_copy()) gpu::shared_barrier::fence_shared(memory_order::acquire, true);
}
template <order_restriction R>
void before_arrival() noexcept {
  if constexpr (is_restricted<R>) release_shared();
}

/// Follows the poll that saw the phase over. The first fence pairs with release_shared(), with releases at cluster
/// scope, and with the completion of bytes; the second with arrivals of threads of this block at block scope.
template <order_restriction R>
void finish_wait() noexcept {
  if constexpr (is_restricted<R>) {
    gpu::shared_barrier::fence_shared(memory_order::acquire);
    fence<thread_scope_block>(memory_order::acquire);
  }
}
template <order_restriction R>
bool finish_wait(bool is_over) noexcept {
  if (is_over) finish_wait<R>();
  return is_over;
}

/// Whether the address may be in the shared memory of a block of the cluster. The device link refuses an address of
/// which the compiler knows that it is not (arch/ptx.hpp).
inline bool may_be_of_cluster(void const* address) noexcept {
  return !gpu::is_global(address) && !gpu::is_local(address);
}

inline void ensure_of_cluster([[maybe_unused]] block_barrier& barrier) noexcept {
  if constexpr (traits::has_grid)
    CUDAX_ENSURE(may_be_of_cluster(thread_detail::barrier_access::word(barrier)),
                 "device::barrier_...: the barrier at %llx is not in the shared memory of a block of the cluster; "
                 "declare it as a __shared__ variable, and pass its address by this_cluster.map_shared_rank",
                 (long long)checked_address(thread_detail::barrier_access::word(barrier)));
}

/// Returns the mbarrier of any block of the cluster.
inline void* remote_mbarrier(block_barrier& barrier) noexcept {
  ensure_on_device();
  ensure_of_cluster(barrier);
  return thread_detail::barrier_access::word(barrier);
}

/// Arrives once, relaxed at cluster scope, at the barrier of any block of the cluster, after release_shared().
inline void arrive_remote_relaxed(block_barrier& barrier) noexcept {
  ensure_of_cluster(barrier); // before sm_90, too
  if (!gpu::has_bulk_copy()) return (void)barrier.arrive();
  gpu::shared_barrier::arrive_remote(thread_detail::barrier_access::word(barrier), 1, memory_order::relaxed);
}

/// Return the predicate of a timed wait, as those of barrier_hardware, but acquire at cluster scope.
template <order_restriction R>
auto polls_cluster(void const* object, u64 state) noexcept {
  return [object, state]() noexcept {
    return finish_wait<R>(gpu::shared_barrier::test_wait_cluster(object, state, order_of_wait<R>));
  };
}
template <order_restriction R>
auto polls_parity_cluster(void const* object, bool parity) noexcept {
  return [object, parity]() noexcept {
    return finish_wait<R>(gpu::shared_barrier::test_wait_parity_cluster(object, parity, order_of_wait<R>));
  };
}

} // namespace cudax::copy_detail

export namespace cudax::device {

/// Makes the caller's barriers visible to the other blocks of the cluster, if each thread that uses one has waited for
/// the cluster after the call: the caller calls init, this function, this_cluster.arrive_relaxed(), and every thread
/// calls this_cluster.wait(). Before this_cluster.sync(), or arrive(), which also release everything else, the function
/// is not needed. Before sm_90 and on the host it does nothing.
/// Source:   extension; PTX ISA, fence.mbarrier_init; libcu++, cuda::ptx::fence_mbarrier_init
/// Order:    release at cluster scope, of the caller's earlier calls of init and of nothing else; pairs with the wait
///           for the cluster. It is no proxy fence, and none is needed for a barrier: bulk copies access their barrier
///           through the generic proxy (PTX ISA, "cp.async.bulk", operand mbar). What the copies read and write needs
///           the fence that proxy_fenced describes
/// Example:
///     __device__ void make(cudax::barrier<cudax::thread_scope_block>& b) {
///       if (threadIdx.x == 0) {
///         init(&b, 1);
///         cudax::device::fence_barrier_init();
///       }
///       cudax::this_cluster.wait(cudax::this_cluster.arrive_relaxed()); // every block may use `b`
///     }
inline void fence_barrier_init() noexcept {
  if (machine::gpu::has_bulk_copy()) machine::gpu::shared_barrier::fence_init();
}

/// Fences of cluster scope that order shared memory alone. What the caller, and those that it has synchronized with,
/// did in the shared memory of the caller's block before fence_release_shared() happens before what another thread does
/// in the shared memory of the cluster after fence_acquire_shared(), if that thread has seen in between, by a wait, an
/// arrival of the caller. In place of the acquire, fence_proxy_async_acquire_shared() is for bulk copies that the other
/// thread begins next. fence_proxy_async_release_shared() in place of the release is for them alone. Before sm_90 and
/// on the host the functions do nothing: a cluster is one block there, whose arrivals and waits order all memory.
/// Source:   extension; PTX ISA, "membar / fence", .sync_restrict; libcu++, cuda::ptx::fence_sync_restrict,
///           cuda::ptx::fence_proxy_async_generic_sync_restrict
/// Order:    release or acquire at cluster scope, of shared memory; they pair with each other, with arrivals and waits that
///           are not relaxed, and the acquires with the completion of bytes
inline void fence_release_shared() noexcept { copy_detail::release_shared(); }
inline void fence_acquire_shared() noexcept {
  if (machine::gpu::has_bulk_copy()) machine::gpu::shared_barrier::fence_shared(memory_order::acquire);
}
inline void fence_proxy_async_release_shared() noexcept {
  if (machine::gpu::has_bulk_copy()) machine::gpu::shared_barrier::fence_shared(memory_order::release, true);
}
inline void fence_proxy_async_acquire_shared() noexcept { copy_detail::acquire_for_bulk_copies(); }

/// Arrives at the barrier of another block of the cluster. `barrier` refers to the object of that block, by its address
/// in the cluster's shared memory, as map_shared_rank of cooperative groups returns it.
/// Source:   extension
/// Order:    release at cluster scope; pairs with barrier_wait_cluster. With sync_restrict_shared as the last argument,
///           here and below: of shared memory alone
/// Requires: the other block has not ended, and has published the barrier, for example by this_cluster.sync(); as
///           barrier::arrive
/// Errors:   a barrier in global or local memory: from sm_90 the program does not link if the compiler knows the memory,
///           and the name of the missing symbol says why; otherwise checked builds stop. The same holds for the other
///           functions that take a barrier or an object of another block
template <copy_detail::order_restriction R = copy_detail::unrestricted>
void barrier_arrive_remote(barrier<thread_scope_block>& barrier, ptrdiff_t update = 1, R = {}) noexcept
    CUDAX_REFUSE(update <= 0, "barrier_arrive_remote: the update is not positive; use 1 or more") {
  CUDAX_ENSURE(update > 0 && update <= copy_detail::block_barrier::max(),
               "barrier_arrive_remote: update %lld is not positive, or above max()", update);
  copy_detail::ensure_of_cluster(barrier); // before sm_90, too
  if (!machine::gpu::has_bulk_copy()) return (void)barrier.arrive(update);
  copy_detail::before_arrival<R>();
  machine::gpu::shared_barrier::arrive_remote(thread_detail::barrier_access::word(barrier), u32(update),
                                              copy_detail::order_of_arrival<R>);
}

/// Makes the current phase of another block's barrier await `bytes` more bytes. `barrier` is as in
/// barrier_arrive_remote.
/// Source:   extension; PTX ISA, mbarrier.expect_tx
/// Order:    relaxed
/// Requires: sm_90; as barrier_arrive_remote and barrier_expect_tx; an arrival of the phase is pending, for example the
///           caller's own, so that the phase does not end before the call
inline void barrier_expect_tx_remote(barrier<thread_scope_block>& barrier, ptrdiff_t bytes) noexcept
    CUDAX_REFUSE(bytes<0 || bytes> copy_detail::most_transactions,
                 "barrier_expect_tx_remote: negative, or more than the 2^20 - 1 bytes that a phase can await") {
  copy_detail::ensure_bytes(bytes);
  machine::gpu::shared_barrier::expect_bytes_remote(copy_detail::remote_mbarrier(barrier), u32(bytes));
}

/// Makes the current phase of another block's barrier await `bytes` fewer bytes, as barrier_complete_tx does at a
/// barrier of the own block. `barrier` is as in barrier_arrive_remote.
/// Source:   extension; PTX ISA, mbarrier.complete_tx
/// Order:    relaxed: it publishes nothing that the caller wrote
/// Requires: sm_90; as barrier_arrive_remote and barrier_complete_tx
inline void barrier_complete_tx_remote(barrier<thread_scope_block>& barrier, ptrdiff_t bytes) noexcept
    CUDAX_REFUSE(bytes<0 || bytes> copy_detail::most_transactions,
                 "barrier_complete_tx_remote: negative, or more than the 2^20 - 1 bytes that a phase can await") {
  copy_detail::ensure_bytes(bytes);
  machine::gpu::shared_barrier::complete_bytes_remote(copy_detail::remote_mbarrier(barrier), u32(bytes));
}

/// Makes the current phase of another block's barrier await `bytes` more bytes, then arrives there `update` times.
/// Returns no token, because only the barrier's own block can wait.
/// Source:   extension; PTX ISA, mbarrier.arrive.expect_tx
/// Order:    release at cluster scope; pairs with barrier_wait_cluster
/// Requires: as barrier_expect_tx_remote, and as barrier::arrive
template <copy_detail::order_restriction R = copy_detail::unrestricted>
void barrier_arrive_tx_remote(barrier<thread_scope_block>& barrier, ptrdiff_t update, ptrdiff_t bytes, R = {}) noexcept
    CUDAX_REFUSE(update <= 0, "barrier_arrive_tx_remote: the update is not positive; use 1 or more")
        CUDAX_REFUSE(bytes<0 || bytes> copy_detail::most_transactions,
                     "barrier_arrive_tx_remote: negative, or more than the 2^20 - 1 bytes that a phase can await") {
  copy_detail::ensure_bytes(bytes);
  CUDAX_ENSURE(update > 0 && update <= copy_detail::block_barrier::max(),
               "barrier_arrive_tx_remote: update %lld is not positive, or above max()", update);
  void* const mbarrier = copy_detail::remote_mbarrier(barrier);
  copy_detail::before_arrival<R>();
  machine::gpu::shared_barrier::arrive_expect_bytes_remote(mbarrier, u32(update), u32(bytes),
                                                           copy_detail::order_of_arrival<R>);
}

/// As barrier::wait, for a barrier of this block at which other blocks arrive.
/// Source:   extension
/// Order:    acquire at cluster scope; pairs with barrier_arrive_remote. An acquire at block scope would not suffice.
///           With sync_restrict_shared as the last argument, here and below: for shared memory alone
/// Requires: as barrier::wait
/// Example:
///     __device__ void join(cudax::barrier<cudax::thread_scope_block>& b, unsigned rank_of_block) {
///       if (threadIdx.x != 0) return; // `b` is the barrier of block 0 of the cluster, and expects both blocks
///       if (rank_of_block == 0) cudax::device::barrier_wait_cluster(b, b.arrive());
///       else cudax::device::barrier_arrive_remote(b);
///     }
template <copy_detail::order_restriction R = copy_detail::unrestricted>
void barrier_wait_cluster(barrier<thread_scope_block>& barrier, copy_detail::block_barrier::arrival_token&& token,
                          R = {}) noexcept {
  void* const object = copy_detail::ensure_own(barrier);
  if (!machine::gpu::has_bulk_copy())
    return barrier.wait(static_cast<copy_detail::block_barrier::arrival_token&&>(token));
  CUDAX_HANG_WATCH(watch);
  while (!machine::gpu::shared_barrier::try_wait_cluster(object, thread_detail::barrier_access::value(token),
                                                         copy_detail::order_of_wait<R>))
    CUDAX_HANG_CHECK(watch, forever, &barrier, CUDAX_AWAITS(0, "barrier_wait_cluster: arrivals or copies are missing"));
  copy_detail::finish_wait<R>();
}
template <copy_detail::order_restriction R = copy_detail::unrestricted>
void barrier_wait_cluster(barrier<thread_scope_block>&, copy_detail::block_barrier::arrival_token const&, R = {}) =
    delete ("cudax.sync: barrier_wait_cluster: the token serves one wait, which takes it: barrier_wait_cluster(b, "
            "std::move(token))");

/// As barrier::wait_parity, for a barrier of this block at which other blocks arrive.
/// Source:   extension
/// Order:    as barrier_wait_cluster
/// Requires: as barrier::wait_parity
template <copy_detail::order_restriction R = copy_detail::unrestricted>
void barrier_wait_parity_cluster(barrier<thread_scope_block>& barrier, bool parity, R = {}) noexcept {
  void* const object = copy_detail::ensure_own(barrier);
  if (!machine::gpu::has_bulk_copy()) return barrier.wait_parity(parity);
  CUDAX_HANG_WATCH(watch);
  while (!machine::gpu::shared_barrier::try_wait_parity_cluster(object, parity, copy_detail::order_of_wait<R>))
    CUDAX_HANG_CHECK(watch, forever, &barrier,
                     CUDAX_AWAITS(0, "barrier_wait_parity_cluster: arrivals or copies are missing"));
  copy_detail::finish_wait<R>();
}

/// Returns whether the phase of `token` is complete. If not, the token can be used again. Does not block.
/// Source:   extension; as barrier::try_wait
/// Order:    acquire at cluster scope if it returns true
/// Requires: as barrier_wait_cluster
template <copy_detail::order_restriction R = copy_detail::unrestricted>
[[nodiscard]] bool barrier_try_wait_cluster(barrier<thread_scope_block>& barrier,
                                            copy_detail::block_barrier::arrival_token const& token, R = {}) noexcept {
  void* const object = copy_detail::ensure_own(barrier);
  if (!machine::gpu::has_bulk_copy()) return barrier.try_wait(token);
  return copy_detail::finish_wait<R>(machine::gpu::shared_barrier::test_wait_cluster(
      object, thread_detail::barrier_access::value(token), copy_detail::order_of_wait<R>));
}

/// Block as barrier_wait_cluster, but for at most `length` on the steady clock, or at most until `point`, a time point
/// of any clock that the calling code can read; return whether the phase is complete.
/// Source:   extension; as barrier::try_wait_for, barrier::try_wait_until
/// Order:    acquire at cluster scope if they return true
/// Units:    any duration; any clock
/// Requires: as barrier_wait_cluster
template <duration_like D, copy_detail::order_restriction R = copy_detail::unrestricted>
[[nodiscard]] bool barrier_try_wait_cluster_for(barrier<thread_scope_block>& barrier,
                                                copy_detail::block_barrier::arrival_token const& token, D const& length,
                                                R = {}) noexcept {
  void* const object = copy_detail::ensure_own(barrier);
  if (!machine::gpu::has_bulk_copy()) return barrier.try_wait_for(token, length);
  return machine::block_for<thread_scope_block>(
      object, copy_detail::polls_cluster<R>(object, thread_detail::barrier_access::value(token)), length);
}
template <time_point_like P, copy_detail::order_restriction R = copy_detail::unrestricted>
[[nodiscard]] bool barrier_try_wait_cluster_until(barrier<thread_scope_block>& barrier,
                                                  copy_detail::block_barrier::arrival_token const& token,
                                                  P const& point, R = {}) noexcept {
  void* const object = copy_detail::ensure_own(barrier);
  if (!machine::gpu::has_bulk_copy()) return barrier.try_wait_until(token, point);
  return machine::block_until_point<thread_scope_block>(
      object, copy_detail::polls_cluster<R>(object, thread_detail::barrier_access::value(token)), point);
}

/// Returns whether the phase of the given parity is complete. Does not block.
/// Source:   extension; as barrier::try_wait_parity
/// Order:    acquire at cluster scope if it returns true
/// Requires: as barrier_wait_parity_cluster
template <copy_detail::order_restriction R = copy_detail::unrestricted>
[[nodiscard]] bool barrier_try_wait_parity_cluster(barrier<thread_scope_block>& barrier, bool parity, R = {}) noexcept {
  void* const object = copy_detail::ensure_own(barrier);
  if (!machine::gpu::has_bulk_copy()) return barrier.try_wait_parity(parity);
  return copy_detail::finish_wait<R>(
      machine::gpu::shared_barrier::test_wait_parity_cluster(object, parity, copy_detail::order_of_wait<R>));
}

/// Block as barrier_wait_parity_cluster, but for at most `length` on the steady clock, or at most until `point`, a time
/// point of any clock that the calling code can read; return whether the phase is complete.
/// Source:   extension; as barrier::try_wait_parity_for, barrier::try_wait_parity_until
/// Order:    acquire at cluster scope if they return true
/// Units:    any duration; any clock
/// Requires: as barrier_wait_parity_cluster
template <duration_like D, copy_detail::order_restriction R = copy_detail::unrestricted>
[[nodiscard]] bool barrier_try_wait_parity_cluster_for(barrier<thread_scope_block>& barrier, bool parity,
                                                       D const& length, R = {}) noexcept {
  void* const object = copy_detail::ensure_own(barrier);
  if (!machine::gpu::has_bulk_copy()) return barrier.try_wait_parity_for(parity, length);
  return machine::block_for<thread_scope_block>(object, copy_detail::polls_parity_cluster<R>(object, parity), length);
}
template <time_point_like P, copy_detail::order_restriction R = copy_detail::unrestricted>
[[nodiscard]] bool barrier_try_wait_parity_cluster_until(barrier<thread_scope_block>& barrier, bool parity,
                                                         P const& point, R = {}) noexcept {
  void* const object = copy_detail::ensure_own(barrier);
  if (!machine::gpu::has_bulk_copy()) return barrier.try_wait_parity_until(parity, point);
  return machine::block_until_point<thread_scope_block>(object, copy_detail::polls_parity_cluster<R>(object, parity),
                                                        point);
}

/// Makes the tensor cores arrive once at `barrier` when all operations are complete that the calling thread has issued
/// by tcgen05.mma, tcgen05.cp and tcgen05.shift. Does not wait. `Group` is the .cta_group of these operations: 1, or 2
/// for operations of a pair of blocks. The multicast form arrives at the barriers at the same place in the blocks of
/// the cluster whose bits are set in `blocks`.
/// Source:   extension; PTX ISA, "tcgen05.commit"; libcu++, cuda::ptx::tcgen05_commit
/// Order:    the operations happen before what follows a wait for the phase and tensor_core_fence_after_sync() there.
///           The call includes tensor_core_fence_before_sync(). A wait for operations that another block has committed
///           acquires at cluster scope: barrier_wait_cluster
/// Requires: sm_100a or sm_103a; one thread calls it, the one that issued the operations; the phase has a pending
///           arrival for it. All such instructions of a kernel have the same group
/// Errors:   a group that is not 1 or 2 does not compile. For other SMs the program does not link: the name of the
///           missing symbol says so. A mask without a bit, or with bits above 15, is rejected; on the host it stops.
///           The emulator does not run these instructions, and says so when the kernel is launched
/// Example:
///     __device__ void finish(cudax::barrier<cudax::thread_scope_block>& ready, bool phase) { // expects one arrival
///       if (threadIdx.x == 0) cudax::device::tensor_core_commit(ready); // has issued the multiplications
///       ready.wait_parity(phase);
///       cudax::device::tensor_core_fence_after_sync(); // now tcgen05.ld may read the result
///     }
template <int Group = 1>
void tensor_core_commit(barrier<thread_scope_block>& barrier) noexcept {
  static_assert(Group == 1 || Group == 2, "cudax.sync: tensor_core_commit<Group>: the .cta_group must be 1 or 2");
  machine::gpu::shared_barrier::tensor_core_commit<Group>(copy_detail::remote_mbarrier(barrier));
}
template <int Group = 1>
void tensor_core_commit_multicast(barrier<thread_scope_block>& barrier, unsigned blocks) noexcept
    CUDAX_REFUSE(blocks == 0 || blocks > 0xffff,
                 "tensor_core_commit_multicast: the mask names no block, or one of rank 16 or more") {
  static_assert(Group == 1 || Group == 2,
                "cudax.sync: tensor_core_commit_multicast<Group>: the .cta_group must be 1 or 2");
  CUDAX_ENSURE(blocks != 0 && blocks <= 0xffff,
               "tensor_core_commit_multicast: the mask %llx names no block, or one of rank 16 or more", blocks);
  machine::gpu::shared_barrier::tensor_core_commit_multicast<Group>(copy_detail::remote_mbarrier(barrier), blocks);
}

/// Orders the thread's operations of tensor cores and its synchronization with other threads: those issued before
/// tensor_core_fence_before_sync() precede what the thread does afterwards to synchronize; those issued after
/// tensor_core_fence_after_sync() follow what it has waited for. On the host they do nothing.
/// Source:   extension; PTX ISA, "tcgen05.fence"
/// Requires: sm_100a or sm_103a, as tensor_core_commit
inline void tensor_core_fence_before_sync() noexcept { machine::gpu::shared_barrier::tensor_core_fence_before(); }
inline void tensor_core_fence_after_sync() noexcept { machine::gpu::shared_barrier::tensor_core_fence_after(); }

} // namespace cudax::device

CUDAX_EVERYWHERE_END
