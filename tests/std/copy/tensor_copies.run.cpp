// SPDX-License-Identifier: Apache-2.0
//
// tensor_map, copy_tensor_async_tx, copy_tensor_async_bulk, prefetch_tensor_bulk, prefetch_tensor_map, l2_policy
// (extensions): copies of tiles of tensors of any rank and type, in both directions. On a device from sm_90 on; the
// tests on the host make the maps and launch the kernels. The hardware's answer to where the elements of a tile are is
// compared with tensor_map::offset element by element. Swizzles: tensor_swizzles. Other tiles: tensor_interleaved,
// tensor_im2col.
#include "support/test.hpp"

#include <cstring>
#include <vector>
import cudax.sync;
#if defined(__CUDA__)
import cudax.sync.host;
#endif
#include "tile_copies.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

TEST("each element of a tile has a place of its own") {
  check_places<tensor_map<float, tensor_box<12, 5>>>(test_);
  check_places<tensor_map<float, tensor_box<8, 9>, tensor_swizzle::bytes_32>>(test_);
  check_places<tensor_map<double, tensor_box<8, 3, 3>, tensor_swizzle::bytes_64>>(test_);
  check_places<tensor_map<unsigned short, tensor_box<64, 9>, tensor_swizzle::bytes_128>>(test_);
  check_places<tensor_map<unsigned short, tensor_box<24, 9>, tensor_swizzle::bytes_128>>(test_);
}

static_assert(tensor_type_of<short> == tensor_type::u16 && tensor_type_of<long> == tensor_type::s64 &&
              tensor_type_of<_Float16> == tensor_type::f16 && tensor_type_of<tensor_tf32> == tensor_type::tf32);

TESTS_END

#if defined(__CUDA__)

namespace {

DEVICE_TEST("tiles of tensors of 1 to 5 dimensions are copied, and filled beyond each side") {
  if (!has_tensors(test_)) return;
  check_both<tensor_map<unsigned, tensor_box<64>>>(test_);
  check_both<tensor_map<unsigned, tensor_box<16, 8>>>(test_);
  check_both<tensor_map<unsigned, tensor_box<8, 4, 3>>>(test_);
  check_both<tensor_map<unsigned, tensor_box<8, 3, 2, 2>>>(test_);
  check_both<tensor_map<unsigned, tensor_box<4, 3, 2, 2, 3>>>(test_);
}

DEVICE_TEST("elements of every size are copied") {
  if (!has_tensors(test_)) return;
  check_both<tensor_map<unsigned char, tensor_box<48, 5>>>(test_);
  check_both<tensor_map<short, tensor_box<24, 5>>>(test_);
  check_both<tensor_map<int, tensor_box<12, 5>>>(test_);
  check_both<tensor_map<float, tensor_box<12, 5>>>(test_);
  check_both<tensor_map<tensor_tf32, tensor_box<12, 5>>>(test_);
  check_both<tensor_map<_Float16, tensor_box<24, 5>>>(test_);
  check_both<tensor_map<long long, tensor_box<6, 5>>>(test_);
  check_both<tensor_map<unsigned long long, tensor_box<6, 5>>>(test_);
  check_both<tensor_map<double, tensor_box<6, 5>>>(test_);
}

DEVICE_TEST("elements outside of the tensor become NaN if the map was made so") {
  if (!has_tensors(test_)) return;
  unsigned char const nan[] = {0xf7, 0x7f, 0xf7, 0x7f, 0xf7, 0x7f, 0xf7, 0x7f};
  check_loads<tensor_map<float, tensor_box<16, 5>>>(test_, {.fill = tensor_fill::nan}, nan);
  check_loads<tensor_map<double, tensor_box<16, 5>>>(test_, {.fill = tensor_fill::nan}, nan);
  check_loads<tensor_map<_Float16, tensor_box<16, 5>, tensor_swizzle::bytes_32>>(test_, {.fill = tensor_fill::nan},
                                                                                 nan);
  check_loads<tensor_map<float, tensor_box<16>>>(
      test_, {.fill = tensor_fill::zeros, .promotion = tensor_promotion::bytes_256});
}

/// A tensor whose outer dimensions have one element: its row may have any length, because no stride is used.
template <class Map> void check_one_row(context& test_, unsigned columns) {
  using box = typename Map::box;
  constexpr unsigned size = 64;
  managed_list<unsigned> memory(size);
  for (unsigned i = 0; i < size; ++i) memory.at[i] = 1000 + i;
  cudax::tensor_extents<Map::rank> extents;
  for (auto& extent : extents.at) extent = 1;
  extents.at[0] = columns;
  Map const map = make_tensor_map<Map>(memory.at, extents);
  managed_list<coordinate_list> list(1);
  for (five const& c : {five{}, five{{4, 0}}, five{{-4, 0}}, five{{0, -1}}, five{{4, 1}}, five{{16, 0}}})
    list.at->add(c);
  managed_list<unsigned> out(list.at->count * box::size), spilled(1);
  device_report found;
  load_tiles<Map><<<1, 64>>>(map, list.at, out.at, spilled.at, found.on_device());
  found.finish(*test_.result);
  unsigned wrong = 0;
  for (unsigned k = 0; k < list.at->count; ++k)
    for (unsigned n = 0; n < box::size; ++n) {
      five i = indices_of<box>(n);
      bool inside = true;
      for (unsigned d = 0; d < 5; ++d) {
        i.at[d] += list.at->at[k].at[d];
        inside = inside && i.at[d] >= 0 && i.at[d] < (d == 0 ? int(columns) : 1);
      }
      wrong += out.at[k * box::size + n] != (inside ? 1000 + unsigned(i.at[0]) : 0);
    }
  CHECK_EQUAL(wrong, 0u);
  list.at->count = 1;
  store_tiles<Map><<<1, 64>>>(map, list.at);
  CUDA_MUST(cudaDeviceSynchronize());
  // The copy writes up to the multiple of 16 bytes in which the row ends, and nothing of the other rows of the tile.
  for (unsigned i = 0; i < size; ++i)
    CHECK_EQUAL(memory.at[i], i < (columns + 3) / 4 * 4 && i < box::extents[0] ? element_of<unsigned>(i, 1) : 1000 + i);
}

DEVICE_TEST("a tensor of one row may have a row of any length") {
  if (!has_tensors(test_)) return;
  check_one_row<tensor_map<unsigned, tensor_box<16, 2>>>(test_, 13);
  check_one_row<tensor_map<unsigned, tensor_box<16, 2>>>(test_, 5);
  check_one_row<tensor_map<unsigned, tensor_box<8, 1>>>(test_, 9);
  check_one_row<tensor_map<unsigned, tensor_box<8, 3, 2>, tensor_swizzle::bytes_32>>(test_, 7);
  check_one_row<tensor_map<unsigned, tensor_box<4, 2, 1, 2, 2>>>(test_, 1);
}

} // namespace

#endif
