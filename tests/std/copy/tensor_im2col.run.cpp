// SPDX-License-Identifier: Apache-2.0
//
// im2col_box, im2col_pixels, im2col_offsets (extensions): copies in mode im2col, to one block and to several, and back;
// reductions. The host visits the pixels by its own loops.
#include "support/test.hpp"

#include <cstring>
#include <vector>
import cudax.sync;
#if defined(__CUDA__)
import cudax.sync.host;
#endif
#include "tiles.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

using im2col = tensor_map<unsigned, im2col_box<4, 8, 20>, tensor_swizzle::bytes_32>;
static_assert(im2col::rank == 4 && im2col::tile_bytes == 640 && im2col::row_pitch == 8 && im2col::tile_size == 160);
static_assert(im2col::offset(7, 3) == 31 && im2col::offset(0, 4) == 36);

TEST("each channel of each pixel of an im2col tile has a place of its own") {
  check_places<im2col>(test_);
  check_places<tensor_map<float, im2col_box<3, 12, 7>>>(test_);
  check_places<tensor_map<short, im2col_box<5, 64, 9>, tensor_swizzle::bytes_128>>(test_);
}

TESTS_END

#if defined(__CUDA__)

namespace {

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

} // namespace

#endif
