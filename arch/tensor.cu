// SPDX-License-Identifier: Apache-2.0
//
// tensor: the device entry points of abi.hpp for copies of tensors.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

// clang-format off
CUDAX_ENTRY void cudax_tensor_copy_to_shared(void* shared, u32 rank, tile const& tile, void* barrier, u32 options, copy_operands const& operands) {
  arch::with_tile(rank, options, [=]<u32 Rank, u32 Options> { target::template cp_async_bulk_tensor_shared_global<Rank, Options>(shared, tile, barrier, operands); });
}
CUDAX_ENTRY void cudax_tensor_copy_multicast(void* shared, u32 rank, tile const& tile, void* barrier, u32 blocks, u32 options, copy_operands const& operands) {
  arch::with_tile(rank, options, [=]<u32 Rank, u32 Options> { target::template cp_async_bulk_tensor_multicast_global<Rank, Options>(shared, tile, barrier, u16(blocks), operands); });
}
CUDAX_ENTRY void cudax_tensor_copy_to_global(u32 rank, tile const& tile, void const* shared, u32 options, copy_operands const& operands) {
  arch::with_tile(rank, options, [=]<u32 Rank, u32 Options> { target::template cp_async_bulk_tensor_global_shared<Rank, Options>(tile, shared, operands); });
}
CUDAX_ENTRY void cudax_tensor_reduce(u32 reduction, u32 rank, tile const& tile, void const* shared, u32 options, copy_operands const& operands) {
  arch::with_operation(reduction, [=]<arch::reduction Op> {
    arch::with_tile(rank, options, [=]<u32 Rank, u32 Options> { target::template cp_reduce_async_bulk_tensor_global_shared<Op, Rank, Options>(tile, shared, operands); });
  });
}
CUDAX_ENTRY void cudax_tensor_prefetch(u32 rank, tile const& tile, u32 options, copy_operands const& operands) {
  arch::with_tile(rank, options, [=]<u32 Rank, u32 Options> { target::template cp_async_bulk_prefetch_tensor_L2<Rank, Options>(tile, operands); });
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
