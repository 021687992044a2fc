// SPDX-License-Identifier: Apache-2.0
//
// ragged_batch: the code of the section "Maps that a kernel makes" of the page "Tiles of a tensor". It needs an SM with
// a letter, so it is run by tests/std/copy/tensor_updates.run.cpp, and not by pages.cu. Include after the imports.
#pragma once

namespace guide::ragged_batch {

// [make]
using tiles = cudax::tensor_map<unsigned, cudax::tensor_box<32, 8>>;
struct matrix {
  unsigned* first;
  int columns, rows, pitch; // elements from row to row, a multiple of 4
};

// Called by all lanes of a warp. `map` is __shared__ alignas(128), `to` in global memory,
// a multiple of 128; `like` is a parameter of the kernel, a map of any matrix.
__device__ inline void make(tiles& to, tiles& map, tiles const& like, matrix const& m) {
  if (cudax::this_warp.elect()) {
    cudax::device::assign_tensor_map(map, like);
    cudax::device::replace_tensor_map_address(map, m.first);
    cudax::device::replace_tensor_map_extents(map, {m.columns, m.rows});
    cudax::device::replace_tensor_map_strides(map, {m.pitch * sizeof(unsigned)});
  }
  cudax::device::publish_tensor_map(to, map);
}
// [/make]

// [tell]
using flag = cudax::atomic<unsigned, cudax::thread_scope_device>;

__device__ inline void tell(flag& made, unsigned round) { // the warp, after make()
  if (cudax::this_warp.elect()) made.store(round, cudax::memory_order_release);
}
// In a thread that copies, of any block. One acquire serves all its copies by the map.
__device__ inline bool may_copy(flag& made, unsigned round, tiles const& map) {
  if (made.load(cudax::memory_order_acquire) != round) return false;
  cudax::device::fence_tensor_map_acquire(map);
  return true;
}
// [/tell]

} // namespace guide::ragged_batch
