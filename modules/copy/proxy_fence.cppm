// SPDX-License-Identifier: Apache-2.0
//
// proxy_fence: fences between the program's accesses and bulk copies, and the promise that a copy needs none.
// PTX ISA, "Proxies", "Causality Order", "fence.proxy"
//
// Bulk copies access memory through the asynchronous proxy, the program's own accesses use the generic proxy.
// Synchronization of threads orders accesses of one proxy. An access of the program is ordered before a bulk copy only
// if there is also a proxy fence on the path from the access to the copy. memcpy_async executes the fence in the thread
// that begins the copy, unless the caller promises that another fence serves (proxy_fenced). After the copy no fence is
// needed: the completion of a bulk copy includes one. Kernels and the host need none between them: the start of a
// kernel orders accesses of both proxies (PTX ISA, "API synchronization").
//
// A barrier needs no proxy fence, neither after its initialization nor later. A bulk copy accesses its data through the
// asynchronous proxy, but its mbarrier through the generic proxy, as the threads do. PTX ISA 9.4 says so of the operand
// `mbar` of "cp.async.bulk", "cp.reduce.async.bulk" and "cp.async.bulk.tensor", and of "st.async", "red.async",
// "clusterlaunchcontrol.try_cancel" and "tcgen05.commit"; earlier versions are silent. So synchronization of threads
// orders the initialization before a copy that completes there: program order, a barrier of the block, or
// fence_barrier_init() and a barrier of the cluster. fence.mbarrier_init is such synchronization, not a proxy fence,
// and orders no data (PTX ISA, "membar, fence").
//
// A read needs the fence as a write does. The text of PTX makes no exception for a read that precedes an asynchronous
// write, and the hardware makes none: a thread that arrives at a barrier may have loads from shared memory in flight.
// They are ahead of the stores of threads that wait for the barrier, but not of a bulk copy. Measured on an H200, with
// 1,024 threads that read two tiles of 64 KiB alternately, with bank conflicts, and then arrive at an mbarrier: without
// a fence 312,425 of 1,351,680 sums were wrong; with 256 threads and __syncthreads 6,926 of 337,920; with the fence in
// the thread that begins the copy, or in the readers before they arrive, none.
module;
#include "../base/macros.hpp"
export module cudax.sync:proxy_fence;
import :bits;
import :device_copy;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Order accesses of the program and accesses of bulk copies to the same memory: to global memory, to the shared memory
/// of the caller's block, or to both. Needed only before a copy that is promised to be proxy_fenced, or before an
/// instruction of cuda::ptx that uses the asynchronous proxy. Before sm_90 and on the host the functions do nothing.
/// Source:   extension; PTX ISA, fence.proxy.async; libcu++, cuda::ptx::fence_proxy_async
/// Order:    what happens before the call, in the caller and in other threads, is ordered before the bulk copies whose
///           begin the call happens before; and the other way round. The functions do not synchronize threads
inline void fence_proxy_async_global() noexcept {
  if (machine::gpu::has_bulk_copy()) machine::gpu::bulk_copy::fence_global();
}
inline void fence_proxy_async_shared() noexcept {
  if (machine::gpu::has_bulk_copy()) machine::gpu::bulk_copy::fence_shared();
}
inline void fence_proxy_async() noexcept {
  if (machine::gpu::has_bulk_copy()) machine::gpu::bulk_copy::fence();
}

/// The type of proxy_fenced.
/// Source:   extension; the form of [thread.lock], adopt_lock_t
/// Example:
///     template <class... Promise> // proxy_fenced, or nothing
///     __device__ void load(float* to, float const* from, cudax::barrier<cudax::thread_scope_block>& b, Promise... p) {
///       cudax::memcpy_async(to, from, cudax::aligned_size_t<16>(4096), b, p...);
///     }
struct proxy_fenced_t {
  explicit proxy_fenced_t() = default;
};

/// The last argument of memcpy_async: the caller promises that the copy needs no proxy fence, so the call executes
/// none. It saves a fence where one call of fence_proxy_async serves several copies, and where there is nothing to
/// fence. Copies that are not bulk copies never execute a fence.
/// Source:   extension
/// Requires: each of these accesses by a thread of this kernel happens before a fence_proxy_async for its memory, by a
///           thread of the caller's block, which happens before the call: every access to the target, reads included;
///           every write of the source. The initialization of the barrier needs no fence. What an earlier memcpy_async
///           copied counts as accessed by the kernel, because cp.async may have copied it; the fence comes after the
///           wait for that copy. Other kernels and the host write the source only before this kernel starts.
///           producer_acquire of a pipeline of a cluster is such a fence for accesses of consumers to its stage
/// Errors:   undefined behavior if the promise is broken; tools/emulate --check reports a race
/// Example:
///     __device__ void load(float* a, float* b, float const* from, cudax::barrier<cudax::thread_scope_block>& ready) {
///       cudax::aligned_size_t<16> const size(4096);
///       if (threadIdx.x != 0) return; // thread 0; all threads have read the tiles, and have met since
///       cudax::fence_proxy_async();   // one fence for two copies
///       cudax::memcpy_async(a, from, size, ready, cudax::proxy_fenced);
///       cudax::memcpy_async(b, from + 1024, size, ready, cudax::proxy_fenced);
///     }
inline constexpr proxy_fenced_t proxy_fenced{};

} // namespace cudax

namespace cudax::copy_detail {
using namespace machine;

/// What memcpy_async takes as its last argument, where it is not proxy_fenced: the call executes the fence.
struct nothing_promised {};

template <class P>
inline constexpr bool promises_fence = false;
template <>
inline constexpr bool promises_fence<proxy_fenced_t> = true;

template <class P>
concept copy_promise = promises_fence<P> || __is_same(P, nothing_promised);

} // namespace cudax::copy_detail

CUDAX_EVERYWHERE_END
