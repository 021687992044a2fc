// SPDX-License-Identifier: Apache-2.0
//
// copy: the device entry points of abi.hpp for asynchronous copies.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

CUDAX_ENTRY bool cudax_has_async_copy() { return target::has_cp_async; }
CUDAX_ENTRY void cudax_async_copy(void* shared, void const* global, u32 bytes) {
  switch (bytes) {
  case 4: return target::cp_async_4(shared, global);
  case 8: return target::cp_async_8(shared, global);
  case 16: return target::cp_async_16(shared, global);
  default: arch::stop("cudax.sync: cp.async: copies 4, 8 or 16 bytes, not %lld\n", bytes);
  }
}
CUDAX_ENTRY void cudax_async_copy_filled(void* shared, void const* global, u32 bytes, u32 valid) {
  switch (bytes) {
  case 4: return target::cp_async_4_filled(shared, global, valid);
  case 8: return target::cp_async_8_filled(shared, global, valid);
  case 16: return target::cp_async_16_filled(shared, global, valid);
  default: arch::stop("cudax.sync: cp.async: copies 4, 8 or 16 bytes, not %lld\n", bytes);
  }
}
CUDAX_ENTRY void cudax_async_copy_commit() { target::cp_async_commit_group(); }
CUDAX_ENTRY void cudax_async_copy_wait_group(u32 pending) {
  arch::with_pending(pending, []<u32 Pending> { target::template cp_async_wait_group<Pending>(); });
}
CUDAX_ENTRY void cudax_async_copy_wait_all() { target::cp_async_wait_all(); }
CUDAX_ENTRY void cudax_async_copy_arrive(void* barrier) { target::cp_async_mbarrier_arrive_noinc(barrier); }
CUDAX_ENTRY void cudax_async_copy_arrive_additional(void* barrier) { target::cp_async_mbarrier_arrive(barrier); }

CUDAX_ENTRY bool cudax_has_bulk_copy() { return target::has_bulk_copy; }
CUDAX_ENTRY void cudax_bulk_copy_to_shared(void* shared, void const* global, u32 bytes, void* barrier, u32 options,
                                           copy_operands const& operands) {
  arch::with_options<bulk_copy_options>(options, [=]<u32 Options> {
    target::template cp_async_bulk_shared_global<Options>(shared, global, bytes, barrier, operands);
  });
}
CUDAX_ENTRY void cudax_bulk_copy_to_global(void* global, void const* shared, u32 bytes, u32 options,
                                           copy_operands const& operands) {
  arch::with_options<bulk_copy_options>(options, [=]<u32 Options> {
    target::template cp_async_bulk_global_shared<Options>(global, shared, bytes, operands);
  });
}
CUDAX_ENTRY void cudax_bulk_copy_to_cluster(void* remote, void const* shared, u32 bytes, void* barrier) {
  target::cp_async_bulk_cluster_shared(remote, shared, bytes, barrier);
}
CUDAX_ENTRY void cudax_bulk_copy_multicast(void* shared, void const* global, u32 bytes, void* barrier, u32 blocks,
                                           u32 options, copy_operands const& operands) {
  arch::with_options<bulk_copy_options>(options, [=]<u32 Options> {
    target::template cp_async_bulk_multicast_global<Options>(shared, global, bytes, barrier, u16(blocks), operands);
  });
}
CUDAX_ENTRY void cudax_bulk_prefetch(void const* global, u32 bytes, u32 options, copy_operands const& operands) {
  arch::with_options<bulk_copy_options>(
      options, [=]<u32 Options> { target::template cp_async_bulk_prefetch_L2<Options>(global, bytes, operands); });
}
CUDAX_ENTRY void cudax_bulk_reduce_to_global(int operation, int type, void* global, void const* shared, u32 bytes,
                                             u32 options, copy_operands const& operands) {
  arch::with_reduction<arch::reduces_global>(operation, type, [=]<arch::reduction Op, arch::element Type> {
    arch::with_options<bulk_copy_options>(options, [=]<u32 Options> {
      target::template cp_reduce_async_bulk_global_shared<Op, Type, Options>(global, shared, bytes, operands);
    });
  });
}
CUDAX_ENTRY void cudax_bulk_reduce_to_cluster(int operation, int type, void* remote, void const* shared, u32 bytes,
                                              void* barrier) {
  auto const reduce = [=]<arch::reduction Op, arch::element Type> {
    target::template cp_reduce_async_bulk_cluster_shared<Op, Type>(remote, shared, bytes, barrier);
  };
  if constexpr (target::has_bulk_copy) arch::with_reduction<arch::reduces_shared>(operation, type, reduce);
  else reduce.template operator()<arch::reduction::add, arch::element::u32>(); // any of them stops the kernel
}
CUDAX_ENTRY u64 cudax_cache_policy(u32 primary, u32 rest, float fraction) {
  u64 policy = 0;
  arch::with_eviction(primary, [&]<arch::eviction Primary> {
    arch::with_eviction(rest, [&]<arch::eviction Rest> {
      if constexpr (Rest == arch::eviction::first || Rest == arch::eviction::unchanged)
        policy = target::template createpolicy_fractional<Primary, Rest>(fraction);
      else arch::stop("cudax.sync: cache policies: the rest is evicted first (0) or unchanged (3), not %lld\n", rest);
    });
  });
  return policy;
}
CUDAX_ENTRY void cudax_store_async_u32(void* remote, u32 value, void* barrier) {
  target::st_async_b32(remote, value, barrier);
}
CUDAX_ENTRY void cudax_store_async_u64(void* remote, u64 value, void* barrier) {
  target::st_async_b64(remote, value, barrier);
}
CUDAX_ENTRY void cudax_store_async_two_u64(void* remote, u64 low, u64 high, void* barrier) {
  target::st_async_v2_b64(remote, low, high, barrier);
}
CUDAX_ENTRY void cudax_reduce_async(int operation, int type, void* remote, u64 value, void* barrier) {
  arch::with_reduction<arch::reduces_shared>(operation, type, [=]<arch::reduction Op, arch::element Type> {
    target::template red_async<Op, Type>(remote, value, barrier);
  });
}
CUDAX_ENTRY void cudax_bulk_commit() { target::cp_async_bulk_commit_group(); }
CUDAX_ENTRY void cudax_bulk_wait_group(u32 pending) {
  arch::with_pending(pending, []<u32 Pending> { target::template cp_async_bulk_wait_group<Pending>(); });
}
CUDAX_ENTRY void cudax_bulk_wait_group_read(u32 pending) {
  arch::with_pending(pending, []<u32 Pending> { target::template cp_async_bulk_wait_group_read<Pending>(); });
}
CUDAX_ENTRY void cudax_fence_proxy_async_global() { target::fence_proxy_async_global(); }
CUDAX_ENTRY void cudax_fence_proxy_async_shared() { target::fence_proxy_async_shared(); }
CUDAX_ENTRY void cudax_fence_proxy_async_cluster() { target::fence_proxy_async_cluster(); }
#endif
