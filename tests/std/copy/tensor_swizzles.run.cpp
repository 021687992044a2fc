// SPDX-License-Identifier: Apache-2.0
//
// tensor_swizzle (extension): where each mode puts the elements of a tile, and that copies put them there, in both
// directions. The answer of tensor_map::offset is compared with the tables of PTX ISA, and with the hardware's.
#include "support/test.hpp"

#include <cstring>
#include <system_error>
#include <vector>
import cudax.sync;
#if defined(__CUDA__)
import cudax.sync.host;
#endif
#include "tile_copies.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

using swizzled = tensor_map<unsigned, tensor_box<32, 16>, tensor_swizzle::bytes_128>;
static_assert(swizzled::tile_bytes == 2048 && swizzled::alignment == 1024 && swizzled::row_pitch == 32);
static_assert(swizzled::offset(0, 0) == 0 && swizzled::offset(31, 0) == 31 && swizzled::offset(0, 1) == 36 &&
              swizzled::offset(5, 3) == 96 + 9 && swizzled::offset(0, 7) == 7 * 32 + 28 &&
              swizzled::offset(0, 8) == 256);
static_assert(sizeof(swizzled) == 128 && alignof(swizzled) == 64 && __is_trivially_copyable(swizzled));
static_assert(sizeof(swizzled::tile) == 2048 && alignof(swizzled::tile) == 1024);
using narrow = tensor_map<unsigned, tensor_box<4, 8>, tensor_swizzle::bytes_128>; // rows of 16 bytes in 128
static_assert(narrow::tile_bytes == 128 && narrow::tile_size == 256 && narrow::offset(0, 1) == 36);

/// The tables of PTX ISA, "Swizzling modes", 128-byte swizzle: which 16 bytes of a row are at each place of the row.
constexpr int atoms_32[4][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}};
constexpr int atoms_64[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 0, 1, 2, 3}};

/// Whether 32 rows of 128 bytes are as the table says, whose rows repeat. `flips`: 8 bytes change places with the next
/// 8 in every other row.
template <tensor_swizzle Swizzle, int Rows>
constexpr bool is_as_in_table(int const (&table)[Rows][8], bool flips = false) {
  using map = tensor_map<unsigned char, tensor_box<128, 32>, Swizzle>;
  bool same = map::alignment == 1024 && map::row_pitch == 128;
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 128; ++x) {
      int const in_chunk = x % 16 ^ (flips && y % 2 ? 8 : 0);
      int const from = table[y % Rows][x / 16] * 16 + in_chunk; // what is at x
      same &= map::offset(from, y) == size_t(y * 128 + x);
    }
  return same;
}
static_assert(is_as_in_table<tensor_swizzle::bytes_128_atoms_32>(atoms_32));
static_assert(is_as_in_table<tensor_swizzle::bytes_128_atoms_32_flip_8>(atoms_32, true));
static_assert(is_as_in_table<tensor_swizzle::bytes_128_atoms_64>(atoms_64));

TEST("the columns of a swizzled tile are in different banks") {
  for (unsigned x = 0; x < 32; ++x) {
    unsigned banks = 0; // chunks of 16 bytes, in 128
    for (unsigned y = 0; y < 8; ++y) banks |= 1u << swizzled::offset(x, y) % 32 / 4;
    CHECK_EQUAL(banks, 255u);
  }
}

TESTS_END

#if defined(__CUDA__)

namespace {

DEVICE_TEST("swizzles put each element where offset() says") {
  if (!has_tensors(test_)) return;
  check_both<tensor_map<unsigned, tensor_box<8, 20>, tensor_swizzle::bytes_32>>(test_);
  check_both<tensor_map<unsigned, tensor_box<4, 20>, tensor_swizzle::bytes_32>>(test_);
  check_both<tensor_map<unsigned, tensor_box<16, 20>, tensor_swizzle::bytes_64>>(test_);
  check_both<tensor_map<unsigned, tensor_box<8, 20>, tensor_swizzle::bytes_64>>(test_);
  check_both<tensor_map<unsigned, tensor_box<32, 20>, tensor_swizzle::bytes_128>>(test_);
  check_both<tensor_map<unsigned, tensor_box<12, 20>, tensor_swizzle::bytes_128>>(test_);
  check_both<tensor_map<unsigned char, tensor_box<128, 9>, tensor_swizzle::bytes_128>>(test_);
  check_both<tensor_map<short, tensor_box<64, 9>, tensor_swizzle::bytes_128>>(test_);
  check_both<tensor_map<double, tensor_box<16, 3, 5>, tensor_swizzle::bytes_128>>(test_);
  check_both<tensor_map<unsigned, tensor_box<8, 3, 2, 2, 3>, tensor_swizzle::bytes_64>>(test_);
  check_both<tensor_map<unsigned, tensor_box<8>, tensor_swizzle::bytes_32>>(test_);
}

DEVICE_TEST("swizzles with larger atoms put each element where offset() says, from sm_100 on") {
  if (!has_tensors(test_)) return;
  using both = tensor_map<unsigned, tensor_box<32, 20>, tensor_swizzle::bytes_128_atoms_32>;
  int major = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major < 10) {
    managed_list<unsigned> memory(1024);
    std::error_code error;
    (void)try_make_tensor_map<both>(error, memory.at, {32, 20});
    CHECK(error == std::errc::invalid_argument);
    return;
  }
  if (major > 10) return; // PTX ISA has no such copies to shared memory for sm_120
  check_both<both>(test_);
  check_both<tensor_map<short, tensor_box<24, 9>, tensor_swizzle::bytes_128_atoms_32>>(test_);
  check_both<tensor_map<unsigned char, tensor_box<128, 9>, tensor_swizzle::bytes_128_atoms_64>>(test_);
  check_both<tensor_map<double, tensor_box<16, 3, 5>, tensor_swizzle::bytes_128_atoms_64>>(test_);
  check_loads<tensor_map<float, tensor_box<32, 20>, tensor_swizzle::bytes_128_atoms_32_flip_8>>(test_);
  check_loads<tensor_map<unsigned char, tensor_box<80, 9>, tensor_swizzle::bytes_128_atoms_32_flip_8>>(test_);
}

} // namespace

#endif
