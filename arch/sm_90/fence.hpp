// SPDX-License-Identifier: Apache-2.0
//
// fence: the one-sided thread fences of sm_90.  PTX ISA, "membar / fence"
// An acquire fence becomes CCTL.IVALL alone and a release fence MEMBAR alone; fence.acq_rel is both.
//
// Fences of shared memory alone. At cluster scope the fences above are those of device scope: they wait for every
// access under way to global memory, and empty the L1. With .sync_restrict a release orders what comes before it in the
// own block's shared memory, and an acquire what comes after it in the shared memory of any block of the cluster;
// neither orders global memory. The releases become MEMBAR.ALL.CTA and FENCE.VIEW.ASYNC.S, the acquires no instruction
// (ptxas 13.0, sm_90). The proxy fences are one-sided: accesses by the generic proxy before the release happen before
// asynchronous ones after the acquire.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {

constexpr bool has_acquire_fence = true;

// fence.acquire{.scope};                                 PTX ISA 8.6, sm_90
template <scope Scope>
void fence_acquire() {
  asm volatile((text("fence.acquire", spelling(Scope), ";")) : : : "memory");
}

// fence.release{.scope};                                 PTX ISA 8.6, sm_90
template <scope Scope>
void fence_release() {
  asm volatile((text("fence.release", spelling(Scope), ";")) : : : "memory");
}

// clang-format off

// fence.acquire.sync_restrict::shared::cluster.cluster;  PTX ISA 8.6, sm_90
inline void fence_acquire_shared() { asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" : : : "memory"); }

// fence.release.sync_restrict::shared::cta.cluster;      PTX ISA 8.6, sm_90
inline void fence_release_shared() { asm volatile("fence.release.sync_restrict::shared::cta.cluster;" : : : "memory"); }

// fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;    PTX ISA 8.6, sm_90
inline void fence_proxy_async_acquire_shared() { asm volatile("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;" : : : "memory"); }

// fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;        PTX ISA 8.6, sm_90
inline void fence_proxy_async_release_shared() { asm volatile("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;" : : : "memory"); }

// clang-format on
} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
