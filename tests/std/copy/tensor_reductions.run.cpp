// SPDX-License-Identifier: Apache-2.0
//
// reduce_tensor_async_bulk (extension): each operation with each type, of one block and of several at the same time.
#include "support/test.hpp"

#include <cstring>
#include <vector>
import cudax.sync;
import cudax.sync.host;
#include "tiles.hpp"

using namespace cudax;
using namespace cudax_test;

namespace {

template <device::reduction How, class Map>
__global__ void reduce_tiles(Map const __grid_constant__ map, coordinate_list const* list) {
  using box = typename Map::box;
  __shared__ typename Map::tile tile;
  device::l2_policy const policy(device::l2_eviction::evict_normal);
  for (unsigned k = 0; k < list->count; ++k) {
    for (unsigned n = threadIdx.x; n < box::size; n += blockDim.x)
      with_each<Map::rank>(indices_of<box>(n),
                           [&](auto... i) { tile(i...) = element_of<typename Map::value_type>(n, k + 1); });
    this_block.sync();
    if (threadIdx.x == 0) {
      with_each<Map::rank>(list->at[k], [&](auto... c) {
        if (k % 3 == 1) device::reduce_tensor_async_bulk<How>(map, {c...}, tile, policy);
        else device::reduce_tensor_async_bulk<How>(map, {c...}, tile);
      });
      device::bulk_commit();
      device::bulk_wait<0>();
    }
    this_block.sync();
  }
}

template <device::reduction How, class T> T reduced(T x, T y) {
  using enum device::reduction;
  if constexpr (How == add) return T(x + y);
  else if constexpr (How == min) return y < x ? y : x;
  else if constexpr (How == max) return x < y ? y : x;
  else if constexpr (How == inc) return x >= y ? T(0) : T(x + 1);
  else if constexpr (How == dec) return x == 0 || x > y ? y : T(x - 1);
  else if constexpr (How == bit_and) return x & y;
  else if constexpr (How == bit_or) return x | y;
  else return x ^ y;
}

/// Integers below 2^11 only, so that the sums of every type are exact.
template <device::reduction How, class Map> void check_reduction(context& test_) {
  using box = typename Map::box;
  tensor<Map> t;
  managed_list<coordinate_list> list(1);
  *list.at = t.coordinates(false);
  if (list.at->count > 8) list.at->count = 8;
  if constexpr (typename Map::value_type(-1) < typename Map::value_type(0) && How != device::reduction::add)
    for (unsigned n = 0; n < t.size; n += 3) t.element(n) = t.values[n] = -t.values[n];
  device_report found;
  reduce_tiles<How, Map><<<1, 64>>>(t.map, list.at);
  found.finish(*test_.result);
  for (unsigned k = 0; k < list.at->count; ++k)
    for (unsigned n = 0; n < box::size; ++n) {
      int const number = t.number_in_tile(list.at->at[k], n);
      if (number < 0) continue;
      auto& value = t.values[unsigned(number)];
      value = reduced<How>(value, element_of<typename Map::value_type>(n, k + 1));
    }
  CHECK_EQUAL(t.differences(), 0u);
}

template <class T, device::reduction... How> void check_reductions(context& test_) {
  (check_reduction<How, tensor_map<T, tensor_box<16, 5>>>(test_), ...);
}

DEVICE_TEST("each reduction is made with each element of the tile that is in the tensor") {
  if (!has_tensors(test_)) return;
  using enum device::reduction;
  check_reductions<unsigned, add, min, max, inc, dec, bit_and, bit_or, bit_xor>(test_);
  check_reductions<int, add, min, max, bit_and, bit_or, bit_xor>(test_);
  check_reductions<unsigned long long, add, min, max, bit_and, bit_or, bit_xor>(test_);
  check_reductions<long long, min, max>(test_);
  check_reductions<_Float16, add, min, max>(test_);
  check_reductions<float, add>(test_);
  check_reductions<double, add>(test_);
  check_reduction<add, tensor_map<unsigned, tensor_box<64>>>(test_);
  check_reduction<add, tensor_map<unsigned, tensor_box<8, 4, 3>, tensor_swizzle::bytes_32>>(test_);
  check_reduction<bit_xor, tensor_map<unsigned, tensor_box<8, 3, 2, 2>>>(test_);
  check_reduction<max, tensor_map<unsigned, tensor_box<4, 3, 2, 2, 3>>>(test_);
}

using counted = tensor_map<unsigned, tensor_box<32, 8>>;

__global__ void add_ones(counted const __grid_constant__ map) {
  __shared__ counted::tile ones;
  for (unsigned n = threadIdx.x; n < counted::tile_size; n += blockDim.x) ones[n] = 1;
  this_block.sync();
  if (threadIdx.x != 0) return;
  for (unsigned k = 0; k < 20; ++k)
    device::reduce_tensor_async_bulk<device::reduction::add>(map, {4 * int(k % 5), int(k % 3)}, ones);
  device::bulk_commit();
  device::bulk_wait<0>();
}

DEVICE_TEST("reductions of several blocks into the same elements lose nothing") {
  if (!has_tensors(test_)) return;
  tensor<counted> t;
  device_report found;
  constexpr unsigned blocks = 6;
  add_ones<<<blocks, 64>>>(t.map);
  found.finish(*test_.result);
  for (unsigned k = 0; k < 20; ++k)
    for (unsigned n = 0; n < counted::box::size; ++n) {
      int const number = t.number_in_tile(five{{4 * int(k % 5), int(k % 3)}}, n);
      if (number >= 0) t.values[unsigned(number)] += blocks;
    }
  CHECK_EQUAL(t.differences(), 0u);
}

} // namespace
