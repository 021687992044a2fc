// SPDX-License-Identifier: Apache-2.0
//
// tensor_map, im2col_box, interleaved_box, copy_tensor_async_tx, copy_tensor_async_tx_multicast,
// copy_tensor_async_bulk, reduce_tensor_async_bulk, prefetch_tensor_bulk, prefetch_tensor_map, l2_policy,
// fence_tensor_map_release, fence_tensor_map_acquire (extensions). On a device from sm_90 on; the kernels and their
// maps are made by the tests on the host. Everywhere: where the elements of a tile are. The hardware's answer to that
// is compared with tensor_map::offset element by element.
#include "support/test.hpp"

#include <cstring>
#include <system_error>
#include <vector>
import cudax.sync;
#if defined(__CUDA__)
import cudax.sync.host;
#endif
#include "copying.hpp"
#include "tensors.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// Each element has a place of its own, in chunks of 16 bytes that stay whole and within their row.
template <class Map>
void check_places(context& test_) {
  constexpr unsigned chunk = 16 / sizeof(typename Map::value_type), size = unsigned(Map::box::size);
  bool taken[Map::tile_size] = {};
  for (unsigned n = 0; n < size; ++n) {
    size_t const place = place_of<Map>(n);
    unsigned const row = n / Map::box::extents[0];
    CHECK(place < Map::tile_size && !taken[place]);
    if (place < Map::tile_size) taken[place] = true;
    CHECK_EQUAL(place % chunk, size_t(n % Map::box::extents[0] % chunk));
    CHECK_EQUAL(place / Map::row_pitch, size_t(row));
  }
}

TEST("each element of a tile has a place of its own") {
  check_places<tensor_map<float, tensor_box<12, 5>>>(test_);
  check_places<tensor_map<float, tensor_box<8, 9>, tensor_swizzle::bytes_32>>(test_);
  check_places<tensor_map<double, tensor_box<8, 3, 3>, tensor_swizzle::bytes_64>>(test_);
  check_places<tensor_map<unsigned short, tensor_box<64, 9>, tensor_swizzle::bytes_128>>(test_);
  check_places<tensor_map<unsigned short, tensor_box<24, 9>, tensor_swizzle::bytes_128>>(test_);
}

using swizzled = tensor_map<unsigned, tensor_box<32, 16>, tensor_swizzle::bytes_128>;
static_assert(swizzled::tile_bytes == 2048 && swizzled::alignment == 1024 && swizzled::row_pitch == 32);
static_assert(swizzled::offset(0, 0) == 0 && swizzled::offset(31, 0) == 31 && swizzled::offset(0, 1) == 36 &&
              swizzled::offset(5, 3) == 96 + 9 && swizzled::offset(0, 7) == 7 * 32 + 28 &&
              swizzled::offset(0, 8) == 256);
static_assert(sizeof(swizzled) == 128 && alignof(swizzled) == 64 && __is_trivially_copyable(swizzled));
static_assert(sizeof(swizzled::tile) == 2048 && alignof(swizzled::tile) == 1024);
using narrow = tensor_map<unsigned, tensor_box<4, 8>, tensor_swizzle::bytes_128>; // rows of 16 bytes in 128
static_assert(narrow::tile_bytes == 128 && narrow::tile_size == 256 && narrow::offset(0, 1) == 36);
static_assert(tensor_type_of<short> == tensor_type::u16 && tensor_type_of<long> == tensor_type::s64 &&
              tensor_type_of<_Float16> == tensor_type::f16 && tensor_type_of<tensor_tf32> == tensor_type::tf32);

using im2col = tensor_map<unsigned, im2col_box<4, 8, 20>, tensor_swizzle::bytes_32>;
static_assert(im2col::rank == 4 && im2col::tile_bytes == 640 && im2col::row_pitch == 8 && im2col::tile_size == 160);
static_assert(im2col::offset(7, 3) == 31 && im2col::offset(0, 4) == 36);

TEST("each channel of each pixel of an im2col tile has a place of its own") {
  check_places<im2col>(test_);
  check_places<tensor_map<float, im2col_box<3, 12, 7>>>(test_);
  check_places<tensor_map<short, im2col_box<5, 64, 9>, tensor_swizzle::bytes_128>>(test_);
}

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
}

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

/// Whether this device has these copies. Otherwise prints why the test is skipped.
bool has_tensors(context& test_) {
  int major = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major >= 9) return true;
  note_check(test_);
  return false;
}

/// As make_barrier, for all blocks of the cluster.
__device__ void make_barriers_of_cluster(block_barrier& b) {
  if (threadIdx.x == 0) {
    init(&b, 1);
    device::fence_barrier_init();
  }
  this_cluster.wait(this_cluster.arrive_relaxed());
}

/// The value that memory has before a copy.
template <class T> __device__ T poison() { return T(113); }

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
  if (threadIdx.x == 0) device::prefetch_tensor_map(map);
  device::l2_policy const policy(device::l2_eviction::evict_last, 0.5f, device::l2_eviction::evict_first);
  for (unsigned k = 0; k < list->count; ++k) {
    for (unsigned i = threadIdx.x; i < Map::tile_size; i += blockDim.x) tile[i] = poison<typename Map::value_type>();
    this_block.sync(); // the copy's fence orders what all threads have written and read before it
    if (threadIdx.x == 0) {
      with_each<Map::rank>(list->at[k], [&](auto... c) {
        if (k % 4 == 1) device::prefetch_tensor_bulk(map, {c...});
        if (k % 4 == 2) device::prefetch_tensor_bulk(map, {c...}, policy);
        if (k % 4 == 0) device::copy_tensor_async_tx(tile, map, {c...}, ready);
        if (k % 4 == 2) device::copy_tensor_async_tx(tile, map, {c...}, ready, policy);
        (void)device::barrier_arrive_tx(ready, 1, Map::tile_bytes);
        if (k % 2 == 1) device::copy_tensor_async_tx(tile, map, {c...}, ready);
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
    this_block.sync();
  }
  if (threadIdx.x == 0) destroy(&ready);
}

/// `outside` is the bytes of an element that is outside of the tensor.
template <class Map, template <class> class Tensor = tensor>
void check_loads(context& test_, tensor_options<Map::rank> options = {}, unsigned char const* outside = nullptr) {
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
  device::l2_policy const policy(device::l2_eviction::evict_first);
  for (unsigned k = 0; k < list->count; ++k) {
    typename Map::tile& tile = tiles[k % 2];
    if (threadIdx.x == 0) device::bulk_wait_read<1>(); // the store before the previous one has read the tile
    this_block.sync();
    for (unsigned n = threadIdx.x; n < box::size; n += blockDim.x)
      with_each<Map::rank>(indices_of<box>(n),
                           [&](auto... i) { tile(i...) = element_of<typename Map::value_type>(n, k + 1); });
    this_block.sync();
    if (threadIdx.x == 0) {
      device::bulk_wait<0>(); // the stores overlap: they are made in the order of the list
      with_each<Map::rank>(list->at[k], [&](auto... c) {
        if (k % 3 == 1) device::copy_tensor_async_bulk(map, {c...}, tile, policy);
        else device::copy_tensor_async_bulk(map, {c...}, tile);
      });
      device::bulk_commit();
    }
  }
  if (threadIdx.x == 0) device::bulk_wait<0>();
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

// --- reductions ------------------------------------------------------------------------------------------------------

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

// --- clusters --------------------------------------------------------------------------------------------------------

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

// --- mode im2col -----------------------------------------------------------------------------------------------------

/// Where copies in mode im2col begin: coordinates, and the offsets at which pixels are read.
struct first_pixels {
  static constexpr unsigned most = 12;
  five at[most];
  int offset[most][3];
  unsigned count = 0;

  void add(five const& c, int i = 0, int j = 0, int k = 0) {
    if (count == most) return;
    at[count] = c;
    int const all[] = {i, j, k};
    for (unsigned d = 0; d < 3; ++d) offset[count][d] = all[d];
    ++count;
  }
};

template <class Map, class F> __device__ void with_offsets(int const (&o)[3], F f) {
  if constexpr (Map::rank == 3) f(im2col_offsets<3>(o[0]));
  else if constexpr (Map::rank == 4) f(im2col_offsets<4>(o[0], o[1]));
  else f(im2col_offsets<5>(o[0], o[1], o[2]));
}

/// Loads the pixels at each place of the list. In a cluster, one block after the other loads them for all blocks.
template <class Map>
__global__ void load_pixels(Map const __grid_constant__ map, first_pixels const* list, unsigned* out, report* result) {
  context test_{result, nullptr, nullptr};
  __shared__ typename Map::tile tile;
  __shared__ block_barrier ready;
  unsigned const rank = blockIdx.x, blocks = gridDim.x; // the grid is one cluster
  make_barriers_of_cluster(ready);
  device::l2_policy const policy(device::l2_eviction::evict_last);
  for (unsigned k = 0; k < list->count; ++k) {
    for (unsigned i = threadIdx.x; i < Map::tile_size; i += blockDim.x) tile[i] = poison<unsigned>();
    if (threadIdx.x == 0) (void)device::barrier_arrive_tx(ready, 1, Map::tile_bytes);
    this_cluster.sync(); // the tiles of all blocks may be overwritten
    if (threadIdx.x == 0)
      with_each<Map::rank>(list->at[k], [&](auto... c) {
        with_offsets<Map>(list->offset[k], [&](auto const& o) {
          if (k % 3 == 0) device::prefetch_tensor_bulk(map, {c...}, o);
          if (k % 3 == 1) device::prefetch_tensor_bulk(map, {c...}, o, policy);
          if (blocks == 1 && k % 2 == 0) device::copy_tensor_async_tx(tile, map, {c...}, o, ready);
          else if (blocks == 1) device::copy_tensor_async_tx(tile, map, {c...}, o, ready, policy);
          else if (rank == k % blocks && k % 4 < 2)
            device::copy_tensor_async_tx_multicast(tile, map, {c...}, o, ready, (1u << blocks) - 1);
          else if (rank == k % blocks)
            device::copy_tensor_async_tx_multicast(tile, map, {c...}, o, ready, (1u << blocks) - 1, policy);
        });
      });
    AWAIT(device::barrier_try_wait_parity_cluster(ready, k % 2 != 0));
    note_check(test_);
    for (unsigned n = threadIdx.x; n < Map::box::size; n += blockDim.x)
      out[(k * blocks + rank) * Map::box::size + n] = tile(n % Map::box::extents[0], n / Map::box::extents[0]);
    this_block.sync();
  }
  this_cluster.sync();
  if (threadIdx.x == 0) destroy(&ready);
}

/// Stores pixels at each place of the list, or adds them.
template <class Map> __global__ void store_pixels(Map const __grid_constant__ map, first_pixels const* list,
                                                  bool adds) {
  __shared__ typename Map::tile tile;
  device::l2_policy const policy(device::l2_eviction::evict_first);
  for (unsigned k = 0; k < list->count; ++k) {
    for (unsigned n = threadIdx.x; n < Map::box::size; n += blockDim.x)
      tile(n % Map::box::extents[0], n / Map::box::extents[0]) = element_of<unsigned>(n, k + 1);
    this_block.sync();
    if (threadIdx.x == 0) {
      with_each<Map::rank>(list->at[k], [&](auto... c) {
        if (adds && k % 2 == 0) device::reduce_tensor_async_bulk<device::reduction::add>(map, {c...}, tile);
        else if (adds) device::reduce_tensor_async_bulk<device::reduction::add>(map, {c...}, tile, policy);
        else if (k % 2 == 0) device::copy_tensor_async_bulk(map, {c...}, tile);
        else device::copy_tensor_async_bulk(map, {c...}, tile, policy);
      });
      device::bulk_commit();
      device::bulk_wait<0>();
    }
    this_block.sync();
  }
}

/// A tensor of `extents`, whose pixels the host visits by itself.
template <class Map> struct pixels {
  int extents[5], lower[3], upper[3], steps[3];
  managed_list<unsigned> memory{8192};
  unsigned size = 1;

  explicit pixels(five const& e, five const& low, five const& up, five const& by) {
    for (unsigned d = 0; d < Map::rank; ++d) size *= unsigned(extents[d] = e.at[d]);
    for (unsigned d = 0; d < 3; ++d) lower[d] = low.at[d], upper[d] = up.at[d], steps[d] = by.at[d];
    for (unsigned n = 0; n < 8192; ++n) memory.at[n] = element_of<unsigned>(n);
  }
  Map map() const {
    tensor_extents<Map::rank> e;
    for (unsigned d = 0; d < Map::rank; ++d) e.at[d] = extents[d];
    im2col_pixels<Map::rank> p;
    for (unsigned d = 0; d + 2 < Map::rank; ++d)
      p.lower.at[d] = lower[d], p.upper.at[d] = upper[d], p.steps.at[d] = steps[d] == 1 ? 0 : steps[d];
    return make_tensor_map<Map>(memory.at, e, p);
  }
  /// Calls f(n, where) for each element of the tile, where the index in memory is -1 outside of the tensor.
  template <class F> void visit(five const& first, int const (&offset)[3], F f) const {
    five x = first;
    for (unsigned pixel = 0; pixel < Map::box::extents[1]; ++pixel) {
      for (unsigned channel = 0; channel < Map::box::extents[0]; ++channel) {
        bool inside = true;
        int where = 0;
        for (unsigned d = Map::rank; d-- > 0;) {
          int const c = d == 0 ? x.at[0] + int(channel) : d + 1 == Map::rank ? x.at[d] : x.at[d] + offset[d - 1];
          inside = inside && c >= 0 && c < extents[d];
          where = where * extents[d] + c;
        }
        f(pixel * Map::box::extents[0] + channel, inside ? where : -1);
      }
      unsigned d = 1; // to the next pixel of the box, then to the next image
      while (d + 1 < Map::rank && (x.at[d] += steps[d - 1]) >= extents[d] + upper[d - 1]) {
        x.at[d] = lower[d - 1];
        ++d;
      }
      if (d + 1 == Map::rank) ++x.at[d];
    }
  }
};

template <class Map>
void check_pixels(context& test_, five const& extents, five const& lower, five const& upper, five const& steps,
                  first_pixels const& reads, first_pixels const& writes) {
  constexpr unsigned size = unsigned(Map::box::size);
  pixels<Map> t(extents, lower, upper, steps);
  managed_list<first_pixels> list(1);
  for (unsigned blocks : {1u, 2u}) {
    *list.at = reads;
    managed_list<unsigned> out(reads.count * blocks * size);
    device_report found;
    launch_in_clusters(load_pixels<Map>, blocks, 64, blocks, t.map(), static_cast<first_pixels const*>(list.at), out.at,
                       found.on_device());
    found.finish(*test_.result);
    unsigned wrong = 0, outside = 0;
    for (unsigned k = 0; k < reads.count; ++k)
      for (unsigned block = 0; block < blocks; ++block)
        t.visit(reads.at[k], reads.offset[k], [&](unsigned n, int where) {
          outside += where < 0;
          wrong += out.at[(k * blocks + block) * size + n] != (where < 0 ? 0 : t.memory.at[where]);
        });
    CHECK_EQUAL(wrong, 0u);
    CHECK(outside > 0);
  }
  // Where the tensor is written, the box of pixels is within the tensor.
  for (unsigned d = 0; d < 3; ++d) {
    if (t.lower[d] < 0) t.lower[d] = 0;
    if (t.upper[d] > 0) t.upper[d] = 0;
  }
  for (bool adds : {false, true}) {
    std::vector<unsigned> expected(t.memory.at, t.memory.at + 8192);
    for (unsigned k = 0; k < writes.count; ++k)
      t.visit(writes.at[k], writes.offset[k], [&](unsigned n, int where) {
        if (where < 0) return;
        unsigned& value = expected[unsigned(where)];
        value = (adds ? value : 0) + element_of<unsigned>(n, k + 1);
      });
    *list.at = writes;
    store_pixels<Map><<<1, 64>>>(t.map(), list.at, adds);
    CUDA_MUST(cudaDeviceSynchronize());
    unsigned wrong = 0;
    for (unsigned n = 0; n < 8192; ++n) wrong += t.memory.at[n] != expected[n];
    CHECK_EQUAL(wrong, 0u);
  }
}

DEVICE_TEST("copies in mode im2col move pixels of a box at offsets, through all images") {
  if (!has_tensors(test_)) return;
  first_pixels reads, writes; // channels, x, images
  for (int i = 0; i < 3; ++i) reads.add(five{{4 * i, -1 + i, 0}}, i);
  reads.add(five{{0, 7, 1}}, 2);
  reads.add(five{{8, 3, 2}}, 9);
  reads.add(five{{0, 0, 3}}, 65535);
  writes.add(five{{0, 0, 0}});
  writes.add(five{{4, 5, 1}});
  writes.add(five{{12, 7, 2}});
  check_pixels<tensor_map<unsigned, im2col_box<3, 8, 24>>>(test_, five{{16, 9, 3}}, five{{-1}}, five{{-1}}, five{{1}},
                                                           reads, writes);
  check_pixels<tensor_map<unsigned, im2col_box<3, 8, 24>, tensor_swizzle::bytes_32>>(
      test_, five{{16, 9, 3}}, five{{-1}}, five{{-1}}, five{{2}}, reads, writes);

  first_pixels reads4, writes4; // channels, x, y, images
  for (int i = 0; i < 9; ++i) reads4.add(five{{4 * (i % 2), -1, -1, 0}}, i % 3, i / 3);
  reads4.add(five{{0, 5, 3, 1}}, 2, 1);
  reads4.add(five{{0, 2, 0, 2}}, 255, 0);
  writes4.add(five{{0, 0, 0, 0}});
  writes4.add(five{{4, 3, 2, 1}});
  check_pixels<tensor_map<unsigned, im2col_box<4, 8, 31>>>(test_, five{{8, 7, 5, 3}}, five{{-1, -1}}, five{{-1, -1}},
                                                           five{{1, 1}}, reads4, writes4);
  check_pixels<tensor_map<unsigned, im2col_box<4, 8, 20>, tensor_swizzle::bytes_32>>(
      test_, five{{8, 7, 5, 3}}, five{{-1, -1}}, five{{0, -1}}, five{{2, 1}}, reads4, writes4);
  check_pixels<tensor_map<unsigned, im2col_box<4, 4, 17>, tensor_swizzle::bytes_128>>(
      test_, five{{8, 7, 5, 3}}, five{{-2, -1}}, five{{-1, 1}}, five{{1, 3}}, reads4, writes4);

  first_pixels reads5, writes5; // channels, x, y, z, images
  for (int i = 0; i < 8; ++i) reads5.add(five{{0, -1, i % 2, -1, 0}}, i % 2, i / 2 % 2, i / 4);
  reads5.add(five{{4, 2, 1, 0, 1}}, 31, 0, 2);
  writes5.add(five{{0, 0, 0, 0, 0}});
  writes5.add(five{{4, 3, 2, 1, 1}});
  check_pixels<tensor_map<unsigned, im2col_box<5, 8, 40>, tensor_swizzle::bytes_64>>(
      test_, five{{8, 5, 4, 3, 2}}, five{{-1, -1, -1}}, five{{-1, 0, -1}}, five{{1, 2, 1}}, reads5, writes5);
}

// --- what threads of the same kernel have written --------------------------------------------------------------------

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

/// The maps in memory: in turn, thread 0 of block 0 writes another map of `all` to `current`, and block 1 loads a tile
/// by it.
struct changing_map {
  counted current;
  counted all[4];
  unsigned* out; // a tile for each of them
  atomic<unsigned, thread_scope_device> turn{0};
};

__global__ void change_map(changing_map* state, report* result) {
  context test_{result, nullptr, nullptr};
  __shared__ counted::tile tile;
  __shared__ block_barrier ready;
  make_barrier(ready);
  for (unsigned round = 0; round < 4; ++round) {
    if (blockIdx.x == 0) {
      if (threadIdx.x != 0) continue;
      AWAIT(state->turn.load(memory_order_acquire) == 2 * round);
      state->current = state->all[round];
      device::fence_tensor_map_release();
      state->turn.store(2 * round + 1, memory_order_release);
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

DEVICE_TEST("a map in global memory may be changed between two fences") {
  if (!has_tensors(test_)) return;
  tensor<counted> tensors[4] = {tensor<counted>(3), tensor<counted>(4), tensor<counted>(5), tensor<counted>(6)};
  managed_list<unsigned> out(4 * 256);
  managed_list<changing_map> state(1);
  state.at->out = out.at;
  for (unsigned i = 0; i < 4; ++i) state.at->all[i] = tensors[i].map;
  device_report found;
  change_map<<<2, 64>>>(state.at, found.on_device());
  found.finish(*test_.result);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned n = 0; n < 256; ++n)
      wrong += out.at[i * 256 + n] != tensors[i].values[unsigned(tensors[i].number_in_tile(five{{4, 2}}, n))];
  CHECK_EQUAL(wrong, 0u);
}

} // namespace

#endif
