// SPDX-License-Identifier: Apache-2.0
//
// copy_tensor_async_tx_multicast (extension): one block loads a tile for the blocks of a mask. Mode im2col:
// tensor_im2col.run.cpp.
#include "support/test.hpp"

#include <cstring>
#include <vector>
import cudax.sync;
import cudax.sync.host;
#include "tiles.hpp"

using namespace cudax;
using namespace cudax_test;

namespace {

/// In each round one block of the cluster loads a tile for the blocks of a mask. Each block writes its tile to its part
/// of `out`.
template <class Map>
__global__ void load_for_all(Map const __grid_constant__ map, coordinate_list const* list,
                             typename Map::value_type* out, report* result) {
  using box = typename Map::box;
  context test_{result, nullptr, nullptr};
  __shared__ typename Map::tile tile;
  __shared__ block_barrier ready;
  unsigned const rank = blockIdx.x, blocks = gridDim.x; // the grid is one cluster
  make_barriers_of_cluster(ready);
  device::l2_policy const policy(device::l2_eviction::evict_unchanged);
  bool parity = false;
  for (unsigned k = 0; k < list->count; ++k) {
    unsigned const mask = k % 3 == 2 ? 1u << (k / 3 % blocks) : (1u << blocks) - 1;
    bool const takes_part = (mask >> rank & 1) != 0;
    for (unsigned i = threadIdx.x; i < Map::tile_size; i += blockDim.x) tile[i] = poison<typename Map::value_type>();
    if (takes_part && threadIdx.x == 0) (void)device::barrier_arrive_tx(ready, 1, Map::tile_bytes);
    this_cluster.sync(); // the tiles of all blocks may be overwritten
    if (threadIdx.x == 0 && rank == k % blocks)
      with_each<Map::rank>(list->at[k], [&](auto... c) {
        if (k % 2 == 0) device::copy_tensor_async_tx_multicast(tile, map, {c...}, ready, mask);
        else device::copy_tensor_async_tx_multicast(tile, map, {c...}, ready, mask, policy);
      });
    if (takes_part) {
      AWAIT(device::barrier_try_wait_parity_cluster(ready, parity));
      parity = !parity;
    }
    note_check(test_);
    for (unsigned n = threadIdx.x; n < box::size; n += blockDim.x)
      with_each<Map::rank>(indices_of<box>(n),
                           [&](auto... i) { out[(k * blocks + rank) * box::size + n] = tile(i...); });
    this_block.sync();
  }
  this_cluster.sync();
  if (threadIdx.x == 0) destroy(&ready);
}

template <class Map> void check_multicast(context& test_) {
  using value_type = typename Map::value_type;
  using box = typename Map::box;
  constexpr unsigned blocks = 2;
  tensor<Map> t;
  managed_list<coordinate_list> list(1);
  *list.at = t.coordinates(true);
  managed_list<value_type> out(list.at->count * blocks * box::size);
  device_report found;
  launch_in_clusters(load_for_all<Map>, blocks, 64, blocks, t.map, static_cast<coordinate_list const*>(list.at), out.at,
                     found.on_device());
  found.finish(*test_.result);
  unsigned wrong = 0;
  for (unsigned k = 0; k < list.at->count; ++k)
    for (unsigned block = 0; block < blocks; ++block)
      for (unsigned n = 0; n < box::size; ++n) {
        int const number = t.number_in_tile(list.at->at[k], n);
        bool const takes_part = k % 3 != 2 || k / 3 % blocks == block;
        value_type const expected = !takes_part  ? value_type(113)
                                    : number < 0 ? value_type{}
                                                 : t.values[unsigned(number)];
        wrong += out.at[(k * blocks + block) * box::size + n] != expected;
      }
  CHECK_EQUAL(wrong, 0u);
}

DEVICE_TEST("one copy fills the tiles of several blocks") {
  if (!has_tensors(test_)) return;
  check_multicast<tensor_map<unsigned, tensor_box<64>>>(test_);
  check_multicast<tensor_map<unsigned, tensor_box<32, 8>, tensor_swizzle::bytes_128>>(test_);
  check_multicast<tensor_map<unsigned, tensor_box<8, 4, 3>>>(test_);
  check_multicast<tensor_map<unsigned, tensor_box<8, 3, 2, 2>>>(test_);
  check_multicast<tensor_map<unsigned, tensor_box<4, 3, 2, 2, 3>>>(test_);
}

} // namespace
