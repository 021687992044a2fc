// SPDX-License-Identifier: Apache-2.0
//
// tensor: the device entry points of abi.hpp for copies of tensors.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

// clang-format off
CUDAX_ENTRY void cudax_tensor_copy_to_shared(void* shared, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void* barrier) {
  arch::with_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_shared_global<Rank>(shared, map, x, y, z, u, v, barrier); });
}
CUDAX_ENTRY void cudax_tensor_copy_multicast(void* shared, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void* barrier, u32 blocks) {
  arch::with_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_multicast_global<Rank>(shared, map, x, y, z, u, v, barrier, u16(blocks)); });
}
CUDAX_ENTRY void cudax_tensor_copy_to_global(void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void const* shared) {
  arch::with_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_global_shared<Rank>(map, x, y, z, u, v, shared); });
}
CUDAX_ENTRY void cudax_tensor_reduce(u32 reduction, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void const* shared) {
  arch::with_operation(reduction, [=]<arch::reduction Op> {
    arch::with_rank(rank, [=]<u32 Rank> { target::template cp_reduce_async_bulk_tensor_global_shared<Op, Rank>(map, x, y, z, u, v, shared); });
  });
}
CUDAX_ENTRY void cudax_tensor_prefetch(void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v) {
  arch::with_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_prefetch_tensor_L2<Rank>(map, x, y, z, u, v); });
}
CUDAX_ENTRY void cudax_tensor_copy_to_shared_hinted(void* shared, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void* barrier, u64 policy) {
  arch::with_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_shared_global_cache_hint<Rank>(shared, map, x, y, z, u, v, barrier, policy); });
}
CUDAX_ENTRY void cudax_tensor_copy_multicast_hinted(void* shared, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void* barrier, u32 blocks, u64 policy) {
  arch::with_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_multicast_global_cache_hint<Rank>(shared, map, x, y, z, u, v, barrier, u16(blocks), policy); });
}
CUDAX_ENTRY void cudax_tensor_copy_to_global_hinted(void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void const* shared, u64 policy) {
  arch::with_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_global_shared_cache_hint<Rank>(map, x, y, z, u, v, shared, policy); });
}
CUDAX_ENTRY void cudax_tensor_reduce_hinted(u32 reduction, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void const* shared, u64 policy) {
  arch::with_operation(reduction, [=]<arch::reduction Op> {
    arch::with_rank(rank, [=]<u32 Rank> { target::template cp_reduce_async_bulk_tensor_global_shared_cache_hint<Op, Rank>(map, x, y, z, u, v, shared, policy); });
  });
}
CUDAX_ENTRY void cudax_tensor_prefetch_hinted(void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  arch::with_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_prefetch_tensor_L2_cache_hint<Rank>(map, x, y, z, u, v, policy); });
}
CUDAX_ENTRY void cudax_im2col_copy_to_shared(void* shared, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void* barrier, u16 i, u16 j, u16 k) {
  arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_im2col_shared_global<Rank>(shared, map, x, y, z, u, v, barrier, i, j, k); });
}
CUDAX_ENTRY void cudax_im2col_copy_multicast(void* shared, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void* barrier, u32 blocks, u16 i, u16 j, u16 k) {
  arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_im2col_multicast_global<Rank>(shared, map, x, y, z, u, v, barrier, u16(blocks), i, j, k); });
}
CUDAX_ENTRY void cudax_im2col_copy_to_global(void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void const* shared) {
  arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_im2col_global_shared<Rank>(map, x, y, z, u, v, shared); });
}
CUDAX_ENTRY void cudax_im2col_reduce(u32 reduction, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void const* shared) {
  arch::with_operation(reduction, [=]<arch::reduction Op> {
    arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_reduce_async_bulk_tensor_im2col_global_shared<Op, Rank>(map, x, y, z, u, v, shared); });
  });
}
CUDAX_ENTRY void cudax_im2col_prefetch(void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k) {
  arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_prefetch_tensor_im2col_L2<Rank>(map, x, y, z, u, v, i, j, k); });
}
CUDAX_ENTRY void cudax_im2col_copy_to_shared_hinted(void* shared, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void* barrier, u16 i, u16 j, u16 k, u64 policy) {
  arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_im2col_shared_global_cache_hint<Rank>(shared, map, x, y, z, u, v, barrier, i, j, k, policy); });
}
CUDAX_ENTRY void cudax_im2col_copy_multicast_hinted(void* shared, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void* barrier, u32 blocks, u16 i, u16 j, u16 k, u64 policy) {
  arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_im2col_multicast_global_cache_hint<Rank>(shared, map, x, y, z, u, v, barrier, u16(blocks), i, j, k, policy); });
}
CUDAX_ENTRY void cudax_im2col_copy_to_global_hinted(void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void const* shared, u64 policy) {
  arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_tensor_im2col_global_shared_cache_hint<Rank>(map, x, y, z, u, v, shared, policy); });
}
CUDAX_ENTRY void cudax_im2col_reduce_hinted(u32 reduction, void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, void const* shared, u64 policy) {
  arch::with_operation(reduction, [=]<arch::reduction Op> {
    arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_reduce_async_bulk_tensor_im2col_global_shared_cache_hint<Op, Rank>(map, x, y, z, u, v, shared, policy); });
  });
}
CUDAX_ENTRY void cudax_im2col_prefetch_hinted(void const* map, u32 rank, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k, u64 policy) {
  arch::with_im2col_rank(rank, [=]<u32 Rank> { target::template cp_async_bulk_prefetch_tensor_im2col_L2_cache_hint<Rank>(map, x, y, z, u, v, i, j, k, policy); });
}
CUDAX_ENTRY void cudax_tensor_map_prefetch(void const* map) { target::prefetch_tensormap(map); }
CUDAX_ENTRY void cudax_fence_tensor_map_release(int scope) {
  arch::with_scope(scope, []<arch::scope Scope> { target::template fence_proxy_tensormap_release<Scope>(); });
}
CUDAX_ENTRY void cudax_fence_tensor_map_acquire(void const* map, int scope) {
  arch::with_scope(scope, [=]<arch::scope Scope> { target::template fence_proxy_tensormap_acquire<Scope>(map); });
}
CUDAX_ENTRY void cudax_tensor_map_publish(void* to, void const* from, int scope) {
  arch::with_scope(scope, [=]<arch::scope Scope> { target::template tensormap_cp_fenceproxy<Scope>(to, from); });
}
// clang-format on
#endif
