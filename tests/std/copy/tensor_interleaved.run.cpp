// SPDX-License-Identifier: Apache-2.0
//
// interleaved_box (extension): copies of slices of channels, in both directions, and where the elements of such a tile
// are.
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

using sliced = tensor_map<short, interleaved_box<8, 16, 4, 2>, tensor_swizzle::bytes_64>;
static_assert(sliced::rank == 4 && sliced::tile_bytes == 2048 && sliced::alignment == 512 && sliced::row_pitch == 8 &&
              sliced::tile_size == 1024);
static_assert(sliced::offset(7, 1, 0, 0) == 15 && sliced::offset(0, 8, 0, 0) == 72 &&
              sliced::offset(3, 0, 1, 0) == 128 + 19 && sliced::offset(0, 0, 0, 1) == 512);

TEST("each channel of each pixel of an interleaved tile has a place of its own") {
  auto const check = [&]<class Map>(Map const*) {
    bool taken[Map::tile_size] = {};
    for (unsigned n = 0; n < unsigned(Map::box::size); ++n) {
      size_t const place = place_of<Map>(n);
      CHECK(place < Map::tile_size && !taken[place]);
      if (place < Map::tile_size) taken[place] = true;
      CHECK_EQUAL(place % (16 / sizeof(typename Map::value_type)), n % (16 / sizeof(typename Map::value_type)));
    }
  };
  check(static_cast<sliced const*>(nullptr));
  check(static_cast<tensor_map<float, interleaved_box<4, 12, 3>> const*>(nullptr));
  check(static_cast<tensor_map<short, interleaved_box<16, 8, 3, 2>, tensor_swizzle::bytes_32> const*>(nullptr));
  check(static_cast<tensor_map<double, interleaved_box<2, 2, 2, 2, 5>, tensor_swizzle::bytes_128> const*>(nullptr));
  // 27 lines of 32 bytes: the swizzle moves the last ones past the end of the elements.
  check(static_cast<tensor_map<double, interleaved_box<2, 6, 9, 1>, tensor_swizzle::bytes_64> const*>(nullptr));
}

TESTS_END

#if defined(__CUDA__)

namespace {

DEVICE_TEST("one slice of each pixel of an interleaved tensor is copied, in both directions") {
  if (!has_tensors(test_)) return;
  using enum tensor_swizzle;
  check_both<tensor_map<short, interleaved_box<8, 8, 2>>, sliced_tensor>(test_);
  check_both<tensor_map<unsigned, interleaved_box<4, 12, 5, 2>>, sliced_tensor>(test_);
  check_both<tensor_map<double, interleaved_box<2, 2, 3, 2, 2>>, sliced_tensor>(test_);
  check_both<tensor_map<unsigned char, interleaved_box<16, 16, 3, 1>>, sliced_tensor>(test_);
  check_both<tensor_map<short, interleaved_box<8, 8, 9, 2>, bytes_32>, sliced_tensor>(test_);
  check_both<tensor_map<double, interleaved_box<2, 6, 9, 1>, bytes_64>, sliced_tensor>(test_);
  check_both<tensor_map<_Float16, interleaved_box<8, 16, 5, 2>, bytes_128>, sliced_tensor>(test_);
  check_both<tensor_map<short, interleaved_box<16, 8, 2>, bytes_32>, sliced_tensor>(test_);
  check_both<tensor_map<unsigned, interleaved_box<8, 4, 3, 2>, bytes_32>, sliced_tensor>(test_);
  check_both<tensor_map<unsigned char, interleaved_box<32, 16, 2, 2, 1>, bytes_32>, sliced_tensor>(test_);
  unsigned char const nan[] = {0xf7, 0x7f, 0xf7, 0x7f};
  check_loads<tensor_map<float, interleaved_box<4, 4, 3, 2>, bytes_64>, sliced_tensor>(test_,
                                                                                       {.fill = tensor_fill::nan}, nan);
}

} // namespace

#endif
