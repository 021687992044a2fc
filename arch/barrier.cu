// SPDX-License-Identifier: Apache-2.0
//
// barrier: the device entry points of abi.hpp for barrier objects.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;
using cudax::arch::sem;

namespace {
/// Calls f.operator()<Sem>() for an order of the boundary: `Ordered`, unless it is relaxed.
template <sem Ordered, class F>
__attribute__((device)) auto with_order(int order, F f) {
  if (order == arch::relaxed) return f.template operator()<sem::relaxed>();
  return f.template operator()<Ordered>();
}
} // namespace

CUDAX_ENTRY bool cudax_is_shared(void const* object) { return target::isspacep_shared(object); }
CUDAX_ENTRY bool cudax_is_global(void const* object) { return target::isspacep_global(object); }
CUDAX_ENTRY bool cudax_is_local(void const* object) { return target::isspacep_local(object); }

CUDAX_ENTRY bool cudax_has_shared_barrier() { return target::has_mbarrier; }
CUDAX_ENTRY void cudax_shared_barrier_init(void* barrier, u32 count) { target::mbarrier_init(barrier, count); }
CUDAX_ENTRY void cudax_shared_barrier_invalidate(void* barrier) { target::mbarrier_inval(barrier); }

CUDAX_ENTRY u64 cudax_shared_barrier_arrive(void* barrier, u32 count) {
  return target::mbarrier_arrive(barrier, count);
}
CUDAX_ENTRY u64 cudax_shared_barrier_arrive_drop(void* barrier, u32 count) {
  return target::mbarrier_arrive_drop(barrier, count);
}
CUDAX_ENTRY u64 cudax_shared_barrier_arrive_expect_bytes(void* barrier, u32 count, u32 bytes) {
  if (count == 1) return target::mbarrier_arrive_expect_tx(barrier, bytes);
  // Two instructions. The phase cannot end between them, because these arrivals are pending.
  target::mbarrier_expect_tx(barrier, bytes);
  return target::mbarrier_arrive(barrier, count);
}
CUDAX_ENTRY void cudax_shared_barrier_expect_bytes(void* barrier, u32 bytes) {
  target::mbarrier_expect_tx(barrier, bytes);
}
CUDAX_ENTRY void cudax_shared_barrier_complete_bytes(void* barrier, u32 bytes) {
  target::mbarrier_complete_tx(barrier, bytes);
}
CUDAX_ENTRY void cudax_shared_barrier_expect_bytes_remote(void* barrier, u32 bytes) {
  target::mbarrier_expect_tx_remote(barrier, bytes);
}
CUDAX_ENTRY void cudax_shared_barrier_complete_bytes_remote(void* barrier, u32 bytes) {
  target::mbarrier_complete_tx_remote(barrier, bytes);
}
CUDAX_ENTRY void cudax_shared_barrier_arrive_remote(void* barrier, u32 count, int order) {
  with_order<sem::release>(order, [=]<sem Sem>() { target::mbarrier_arrive_remote<Sem>(barrier, count); });
}
CUDAX_ENTRY void cudax_shared_barrier_arrive_expect_bytes_remote(void* barrier, u32 count, u32 bytes, int order) {
  if (count == 1)
    return with_order<sem::release>(order,
                                    [=]<sem Sem>() { target::mbarrier_arrive_expect_tx_remote<Sem>(barrier, bytes); });
  target::mbarrier_expect_tx_remote(barrier, bytes); // two instructions, as above
  cudax_shared_barrier_arrive_remote(barrier, count, order);
}
CUDAX_ENTRY void cudax_shared_barrier_fence_init() { target::fence_mbarrier_init(); }
CUDAX_ENTRY void cudax_fence_shared(int order, bool for_async) {
  if (order == arch::acquire) for_async ? target::fence_proxy_async_acquire_shared() : target::fence_acquire_shared();
  else for_async ? target::fence_proxy_async_release_shared() : target::fence_release_shared();
}

CUDAX_ENTRY bool cudax_shared_barrier_test_wait(void* barrier, u64 token) {
  return target::mbarrier_test_wait(barrier, token);
}
CUDAX_ENTRY bool cudax_shared_barrier_test_wait_parity(void* barrier, u32 parity) {
  return target::mbarrier_test_wait_parity(barrier, parity);
}
CUDAX_ENTRY bool cudax_shared_barrier_try_wait(void* barrier, u64 token) {
  return target::mbarrier_try_wait(barrier, token);
}
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_parity(void* barrier, u32 parity) {
  return target::mbarrier_try_wait_parity(barrier, parity);
}
CUDAX_ENTRY bool cudax_shared_barrier_test_wait_cluster(void* barrier, u64 token, int order) {
  return with_order<sem::acquire>(order,
                                  [=]<sem Sem>() { return target::mbarrier_test_wait_cluster<Sem>(barrier, token); });
}
CUDAX_ENTRY bool cudax_shared_barrier_test_wait_parity_cluster(void* barrier, u32 parity, int order) {
  return with_order<sem::acquire>(
      order, [=]<sem Sem>() { return target::mbarrier_test_wait_parity_cluster<Sem>(barrier, parity); });
}
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_cluster(void* barrier, u64 token, int order) {
  return with_order<sem::acquire>(order,
                                  [=]<sem Sem>() { return target::mbarrier_try_wait_cluster<Sem>(barrier, token); });
}
CUDAX_ENTRY bool cudax_shared_barrier_try_wait_parity_cluster(void* barrier, u32 parity, int order) {
  return with_order<sem::acquire>(
      order, [=]<sem Sem>() { return target::mbarrier_try_wait_parity_cluster<Sem>(barrier, parity); });
}
CUDAX_ENTRY u32 cudax_shared_barrier_pending(u64 token) { return target::mbarrier_pending_count(token); }
#endif
