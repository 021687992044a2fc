// SPDX-License-Identifier: Apache-2.0
//
// The order between copies of tiles and the plain accesses of threads: the fences that copies imply, proxy_fenced,
// fence_tensor_map_release, fence_tensor_map_acquire and publish_tensor_map (extensions).
#include "support/test.hpp"

#include <cstring>
#include <vector>
import cudax.sync;
import cudax.sync.host;
#include "tiles.hpp"

using namespace cudax;
using namespace cudax_test;

namespace {

using counted = tensor_map<unsigned, tensor_box<32, 8>>;

/// In each round the block writes the tensor by plain stores; a copy reads it, all threads change the tile, and a copy
/// writes it back, one row further down. Then threads read the tensor by plain loads.
__global__ void pass_through(counted const __grid_constant__ map, unsigned* memory, unsigned pitch, report* result) {
  context test_{result, nullptr, nullptr};
  __shared__ counted::tile tile;
  __shared__ block_barrier ready;
  make_barrier(ready);
  for (unsigned round = 0; round < 6; ++round) {
    for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) memory[n / 32 * pitch + n % 32] = n + 1000 * round;
    this_block.sync();
    if (threadIdx.x == 0) {
      device::copy_tensor_async_tx(tile, map, {0, 0}, ready);
      (void)device::barrier_arrive_tx(ready, 1, counted::tile_bytes);
    }
    AWAIT(ready.try_wait_parity(round % 2 != 0));
    for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) {
      CHECK_EQUAL(tile(n % 32, n / 32), n + 1000 * round);
      tile(n % 32, n / 32) += 7;
    }
    this_block.sync();
    if (threadIdx.x == 0) {
      device::copy_tensor_async_bulk(map, {0, 1}, tile);
      device::bulk_commit();
      device::bulk_wait<0>();
    }
    this_block.sync();
    for (unsigned n = threadIdx.x; n < 256; n += blockDim.x)
      CHECK_EQUAL(memory[(n / 32 + 1) * pitch + n % 32], n + 1000 * round + 7);
    this_block.sync();
  }
  if (threadIdx.x == 0) destroy(&ready);
}

DEVICE_TEST("copies read what threads have written, and threads read what copies have written") {
  if (!has_tensors(test_)) return;
  tensor<counted> t;
  device_report found;
  pass_through<<<1, 64>>>(t.map, reinterpret_cast<unsigned*>(t.memory), unsigned(t.strides[1] / 4), found.on_device());
  found.finish(*test_.result);
}

using columns = tensor_map<unsigned, im2col_box<3, 32, 8>>;

/// In each round the blocks of a cluster write the tensor and their tiles by plain stores. Then one block copies the
/// tensor to the tiles of all blocks, or, unless `ToAll`, to its own one.
template <class Map, bool ToAll>
__global__ void pass_to_blocks(Map const __grid_constant__ map, unsigned* memory, report* result) {
  context test_{result, nullptr, nullptr};
  __shared__ typename Map::tile tile;
  __shared__ block_barrier ready;
  unsigned const rank = blockIdx.x, blocks = gridDim.x; // the grid is one cluster
  make_barriers_of_cluster(ready);
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned n = rank * blockDim.x + threadIdx.x; n < 256; n += blocks * blockDim.x) memory[n] = n + 1000 * round;
    for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) tile(n % 32, n / 32) = 7;
    if (threadIdx.x == 0) (void)device::barrier_arrive_tx(ready, 1, Map::tile_bytes);
    this_cluster.sync();
    if (threadIdx.x == 0 && rank == round % blocks) {
      if constexpr (!ToAll) device::copy_tensor_async_tx(tile, map, {0, 0, 0}, im2col_offsets<3>(0), ready);
      else if constexpr (Map::box::is_im2col)
        device::copy_tensor_async_tx_multicast(tile, map, {0, 0, 0}, im2col_offsets<3>(0), ready, (1u << blocks) - 1);
      else device::copy_tensor_async_tx_multicast(tile, map, {0, 0}, ready, (1u << blocks) - 1);
    }
    AWAIT(device::barrier_try_wait_parity_cluster(ready, round % 2 != 0));
    for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) CHECK_EQUAL(tile(n % 32, n / 32), n + 1000 * round);
    this_cluster.sync();
  }
  if (threadIdx.x == 0) destroy(&ready);
}

DEVICE_TEST("copies to several blocks, and copies of pixels, read and overwrite what threads have written") {
  if (!has_tensors(test_)) return;
  managed_list<unsigned> memory(256);
  auto const tiles = make_tensor_map<counted>(memory.at, {32, 8});
  auto const pixels = make_tensor_map<columns>(memory.at, {32, 8, 1}, im2col_pixels<3>{});
  device_report found;
  launch_in_clusters(pass_to_blocks<counted, true>, 2, 64, 2, tiles, memory.at, found.on_device());
  launch_in_clusters(pass_to_blocks<columns, true>, 2, 64, 2, pixels, memory.at, found.on_device());
  launch_in_clusters(pass_to_blocks<columns, false>, 1, 64, 1, pixels, memory.at, found.on_device());
  found.finish(*test_.result);
}

/// One fence of the program serves a load, a store and a reduction.
__global__ void pass_promised(counted const __grid_constant__ map, unsigned* out, report* result) {
  context test_{result, nullptr, nullptr};
  __shared__ counted::tile tiles[2];
  __shared__ block_barrier ready;
  make_barrier(ready);
  for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) tiles[1](n % 32, n / 32) = 5000 + n;
  this_block.sync();
  if (threadIdx.x == 0) {
    fence_proxy_async();
    device::copy_tensor_async_tx(tiles[0], map, {4, 2}, ready, proxy_fenced);
    device::copy_tensor_async_bulk(map, {0, 10}, tiles[1], proxy_fenced);
    device::reduce_tensor_async_bulk<device::reduction::add>(map, {36, 10}, tiles[1], proxy_fenced);
    device::bulk_commit();
    (void)device::barrier_arrive_tx(ready, 1, counted::tile_bytes);
    device::bulk_wait<0>();
  }
  AWAIT(ready.try_wait_parity(false));
  note_check(test_);
  for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) out[n] = tiles[0](n % 32, n / 32);
}

DEVICE_TEST("a promise leaves out the fences, and one fence serves several copies") {
  if (!has_tensors(test_)) return;
  tensor<counted> t;
  managed_list<unsigned> out(256);
  device_report found;
  pass_promised<<<1, 64>>>(t.map, out.at, found.on_device());
  found.finish(*test_.result);
  unsigned wrong = 0;
  for (unsigned n = 0; n < 256; ++n) {
    wrong += out.at[n] != element_of<unsigned>(unsigned(t.number_in_tile(five{{4, 2}}, n)));
    int const copied = t.number_in_tile(five{{0, 10}}, n), added = t.number_in_tile(five{{36, 10}}, n);
    if (copied >= 0) t.values[unsigned(copied)] = 5000 + n;
    if (added >= 0) t.values[unsigned(added)] += 5000 + n;
  }
  CHECK_EQUAL(wrong, 0u);
  CHECK_EQUAL(t.differences(), 0u);
}

/// The maps in memory: in turn, block 0 writes another map of `all` to `current`, and block 1 loads a tile by it.
/// Thread 0 assigns the map, or a warp publishes it.
struct changing_map {
  counted current;
  counted all[4];
  unsigned* out; // a tile for each of them
  atomic<unsigned, thread_scope_device> turn{0};
};

template <bool Publishes> __global__ void change_map(changing_map* state, report* result) {
  context test_{result, nullptr, nullptr};
  __shared__ counted::tile tile;
  __shared__ alignas(128) counted made;
  __shared__ block_barrier ready;
  make_barrier(ready);
  for (unsigned round = 0; round < 4; ++round) {
    if (blockIdx.x == 0) {
      if (threadIdx.x >= (Publishes ? 32 : 1)) continue;
      AWAIT(state->turn.load(memory_order_acquire) == 2 * round);
      if constexpr (Publishes) {
        if (threadIdx.x == 0) made = state->all[round];
        device::publish_tensor_map(state->current, made);
      } else {
        state->current = state->all[round];
        device::fence_tensor_map_release();
      }
      if (threadIdx.x == 0) state->turn.store(2 * round + 1, memory_order_release);
    } else {
      if (threadIdx.x == 0) {
        AWAIT(state->turn.load(memory_order_acquire) == 2 * round + 1);
        device::fence_tensor_map_acquire(state->current);
        device::copy_tensor_async_tx(tile, state->current, {4, 2}, ready);
        (void)device::barrier_arrive_tx(ready, 1, counted::tile_bytes);
      }
      AWAIT(ready.try_wait_parity(round % 2 != 0));
      for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) state->out[round * 256 + n] = tile(n % 32, n / 32);
      this_block.sync();
      if (threadIdx.x == 0) state->turn.store(2 * round + 2, memory_order_release);
    }
  }
  note_check(test_);
}

template <bool Publishes> void check_changes(context& test_) {
  if (!has_tensors(test_)) return;
  tensor<counted> tensors[4] = {tensor<counted>(3), tensor<counted>(4), tensor<counted>(5), tensor<counted>(6)};
  managed_list<unsigned> out(4 * 256);
  managed_list<changing_map> state(1);
  state.at->out = out.at;
  for (unsigned i = 0; i < 4; ++i) state.at->all[i] = tensors[i].map;
  device_report found;
  change_map<Publishes><<<2, 64>>>(state.at, found.on_device());
  found.finish(*test_.result);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned n = 0; n < 256; ++n)
      wrong += out.at[i * 256 + n] != tensors[i].values[unsigned(tensors[i].number_in_tile(five{{4, 2}}, n))];
  CHECK_EQUAL(wrong, 0u);
}

DEVICE_TEST("a map in global memory may be changed between two fences") { check_changes<false>(test_); }
DEVICE_TEST("a map in global memory may be changed by a warp that publishes another one") {
  check_changes<true>(test_);
}

} // namespace
