// SPDX-License-Identifier: Apache-2.0
//
// tensor: a tensor map of a matrix of int, and the instructions that copy tiles of it, without line information.
#pragma once

#include "program.hpp"
#include "ptx.hpp"

#include <cuda.h>

namespace check {

/// A matrix of `rows` rows of `columns` elements, copied in tiles of the same size as the matrix.
inline CUtensorMap matrix_map(int* data, unsigned columns, unsigned rows) {
  static auto const encode = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    CHECK_MUST(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  }();
  CUtensorMap map;
  cuuint64_t const extent[] = {columns, rows}, stride[] = {columns * sizeof(int)};
  cuuint32_t const box[] = {columns, rows}, step[] = {1, 1};
  CUresult const made =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, extent, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (made != CUDA_SUCCESS) must(cudaErrorInvalidValue, "cuTensorMapEncodeTiled");
  return map;
}

} // namespace check

namespace ptx {

TEST_PTX void tensor_load(u32 to, CUtensorMap const* map, u32 barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {0, 0}], "
               "[%2];" ::"r"(to),
               "l"(map), "r"(barrier)
               : "memory");
}
TEST_PTX void tensor_store(CUtensorMap const* map, u32 from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {0, 0}], [%1];" ::"l"(map), "r"(from)
               : "memory");
}
TEST_PTX void tensor_store_at(CUtensorMap const* map, int x, int y, u32 from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map), "r"(from),
               "r"(x), "r"(y)
               : "memory");
}
TEST_PTX void tensor_add(CUtensorMap const* map, u32 from) {
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {0, 0}], [%1];" ::"l"(map),
               "r"(from)
               : "memory");
}
/// The barrier and everything else that a copy by the async proxy reads or writes.
TEST_PTX void fence_proxy_async_all() { asm volatile("fence.proxy.async;" ::: "memory"); }
TEST_PTX void fence_proxy_alias() { asm volatile("fence.proxy.alias;" ::: "memory"); }
TEST_PTX void release_tensor_maps() { asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory"); }
TEST_PTX void release_tensor_maps_to_cluster() {
  asm volatile("fence.proxy.tensormap::generic.release.cluster;" ::: "memory");
}
TEST_PTX void fence_tensor_map_of_cluster(CUtensorMap const* map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.cluster [%0], 128;" ::"l"(map) : "memory");
}
/// A warp copies a map from shared to global memory, and releases it.
TEST_PTX void publish_tensor_map(CUtensorMap* to, u32 from) {
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], "
               "128;" ::"l"(__cvta_generic_to_global(to)),
               "r"(from)
               : "memory");
}
TEST_PTX void fence_tensor_map(CUtensorMap const* map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}

} // namespace ptx
