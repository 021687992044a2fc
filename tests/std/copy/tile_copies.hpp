// SPDX-License-Identifier: Apache-2.0
//
// tile_copies: kernels that load and store tiles of a tensor, inside and beyond each of its sides, and what memory must
// have afterwards. CUDA only. Include after the imports and <cstring>, <vector>.
#pragma once

#include "tiles.hpp"

#if defined(__CUDA__)
namespace cudax_test {

/// Loads a tile at each of the coordinates, into the same memory. Writes the elements to `out` row after row, and
/// counts the places of the tile's memory that the copy should not have written but has.
template <class Map>
__global__ void load_tiles(Map const __grid_constant__ map, coordinate_list const* list, typename Map::value_type* out,
                           unsigned* spilled, report* result) {
  using box = typename Map::box;
  context test_{result, nullptr, nullptr};
  __shared__ typename Map::tile tile;
  __shared__ block_barrier ready;
  make_barrier(ready);
  if (threadIdx.x == 0) cudax::device::prefetch_tensor_map(map);
  cudax::device::l2_policy const policy(cudax::device::l2_eviction::evict_last, 0.5f,
                                        cudax::device::l2_eviction::evict_first);
  for (unsigned k = 0; k < list->count; ++k) {
    for (unsigned i = threadIdx.x; i < Map::tile_size; i += blockDim.x) tile[i] = poison<typename Map::value_type>();
    cudax::this_block.sync(); // the copy's fence orders what all threads have written and read before it
    if (threadIdx.x == 0) {
      with_each<Map::rank>(list->at[k], [&](auto... c) {
        if (k % 4 == 1) cudax::device::prefetch_tensor_bulk(map, {c...});
        if (k % 4 == 2) cudax::device::prefetch_tensor_bulk(map, {c...}, policy);
        if (k % 4 == 0) cudax::device::copy_tensor_async_tx(tile, map, {c...}, ready);
        if (k % 4 == 2) cudax::device::copy_tensor_async_tx(tile, map, {c...}, ready, policy);
        (void)cudax::device::barrier_arrive_tx(ready, 1, Map::tile_bytes);
        if (k % 2 == 1) cudax::device::copy_tensor_async_tx(tile, map, {c...}, ready);
      });
    }
    AWAIT(ready.try_wait_parity(k % 2 != 0));
    note_check(test_);
    for (unsigned n = threadIdx.x; n < box::size; n += blockDim.x)
      with_each<Map::rank>(indices_of<box>(n), [&](auto... i) { out[k * box::size + n] = tile(i...); });
    if (threadIdx.x == 0) {
      unsigned others = 0;
      for (unsigned i = 0; i < Map::tile_size; ++i) others += tile[i] != poison<typename Map::value_type>();
      for (unsigned n = 0; n < box::size; ++n) others -= tile[place_of<Map>(n)] != poison<typename Map::value_type>();
      *spilled += others;
    }
    cudax::this_block.sync();
  }
  if (threadIdx.x == 0) destroy(&ready);
}

/// `outside` is the bytes of an element that is outside of the tensor.
template <class Map, template <class> class Tensor = tensor>
void check_loads(context& test_, cudax::tensor_options<Map::rank> options = {},
                 unsigned char const* outside = nullptr) {
  using value_type = typename Map::value_type;
  using box = typename Map::box;
  Tensor<Map> t(3, options);
  managed_list<coordinate_list> list(1);
  *list.at = t.coordinates(true);
  managed_list<value_type> out(list.at->count * box::size);
  managed_list<unsigned> spilled(1);
  device_report found;
  load_tiles<Map><<<1, 64>>>(t.map, list.at, out.at, spilled.at, found.on_device());
  found.finish(*test_.result);
  value_type filled{};
  if (outside) std::memcpy(&filled, outside, sizeof(filled));
  unsigned wrong = 0, filled_in = 0;
  for (unsigned k = 0; k < list.at->count; ++k)
    for (unsigned n = 0; n < box::size; ++n) {
      int const number = t.number_in_tile(list.at->at[k], n);
      filled_in += number < 0;
      value_type const expected = number < 0 ? filled : t.values[unsigned(number)];
      wrong += std::memcmp(&out.at[k * box::size + n], &expected, sizeof(expected)) != 0;
    }
  CHECK_EQUAL(wrong, 0u);
  CHECK(filled_in > 0);
  CHECK_EQUAL(*spilled.at, 0u);
  CHECK_EQUAL(t.differences(), 0u);
}

/// Stores a tile at each of the coordinates, from two places in turn. The k-th has the values with the seed k.
template <class Map> __global__ void store_tiles(Map const __grid_constant__ map, coordinate_list const* list) {
  using box = typename Map::box;
  __shared__ typename Map::tile tiles[2];
  cudax::device::l2_policy const policy(cudax::device::l2_eviction::evict_first);
  for (unsigned k = 0; k < list->count; ++k) {
    typename Map::tile& tile = tiles[k % 2];
    if (threadIdx.x == 0) cudax::device::bulk_wait_read<1>(); // the store before the previous one has read the tile
    cudax::this_block.sync();
    for (unsigned n = threadIdx.x; n < box::size; n += blockDim.x)
      with_each<Map::rank>(indices_of<box>(n),
                           [&](auto... i) { tile(i...) = element_of<typename Map::value_type>(n, k + 1); });
    cudax::this_block.sync();
    if (threadIdx.x == 0) {
      cudax::device::bulk_wait<0>(); // the stores overlap: they are made in the order of the list
      with_each<Map::rank>(list->at[k], [&](auto... c) {
        if (k % 3 == 1) cudax::device::copy_tensor_async_bulk(map, {c...}, tile, policy);
        else cudax::device::copy_tensor_async_bulk(map, {c...}, tile);
      });
      cudax::device::bulk_commit();
    }
  }
  if (threadIdx.x == 0) cudax::device::bulk_wait<0>();
}

template <class Map, template <class> class Tensor = tensor> void check_stores(context& test_) {
  using box = typename Map::box;
  Tensor<Map> t;
  managed_list<coordinate_list> list(1);
  *list.at = t.coordinates(false);
  device_report found;
  store_tiles<Map><<<1, 64>>>(t.map, list.at);
  found.finish(*test_.result);
  for (unsigned k = 0; k < list.at->count; ++k)
    for (unsigned n = 0; n < box::size; ++n) {
      int const number = t.number_in_tile(list.at->at[k], n);
      if (number >= 0) t.values[unsigned(number)] = element_of<typename Map::value_type>(n, k + 1);
    }
  CHECK_EQUAL(t.differences(), 0u);
}

template <class Map, template <class> class Tensor = tensor> void check_both(context& test_) {
  check_loads<Map, Tensor>(test_);
  check_stores<Map, Tensor>(test_);
}

} // namespace cudax_test
#endif
