// SPDX-License-Identifier: Apache-2.0
//
// assign_tensor_map, replace_tensor_map_address, replace_tensor_map_extents, replace_tensor_map_strides,
// publish_tensor_map (extensions): maps that a kernel makes. The kernels need an SM with a letter. Whether copies by
// such a map move the tiles of the new tensor.
#include "support/test.hpp"

#include <cstring>
#include <vector>
import cudax.sync;
#if defined(__CUDA__)
import cudax.sync.host;
#endif
#include "copying.hpp"
#include "tensors.hpp"
#if defined(__CUDA__)
#include "../../guide/ragged_batch.hpp"
#endif

using namespace cudax;
using namespace cudax_test;

HOST_TEST("a map is assigned as a whole, also where it is in an array that is aligned once") {
  using tiles = tensor_map<float, tensor_box<8, 4>>;
  static_assert(sizeof(tiles) == 128); // so all maps of the array are aligned for a publication
  alignas(128) tiles maps[3] = {};
  tiles like{};
  std::memset(static_cast<void*>(&like), 0x5a, sizeof(like));
  device::assign_tensor_map(maps[1], like);
  CHECK(std::memcmp(&maps[1], &like, sizeof(like)) == 0);
  tiles const zeros{};
  CHECK(std::memcmp(&maps[0], &zeros, sizeof(zeros)) == 0);
  CHECK(std::memcmp(&maps[2], &zeros, sizeof(zeros)) == 0);
}

#if defined(__CUDA__)

namespace {

/// A tensor as a kernel knows it.
struct described {
  void* memory;
  five extents;
  long long strides[5]; // strides[d]: to the next element of dimension d, in bytes
};

/// Makes `map` that of the tensor; a thread.
template <class Map> __device__ void replace_all(Map& map, described const& t) {
  tensor_extents<Map::rank> extents;
  tensor_strides<Map::rank> strides;
  for (unsigned d = 0; d < Map::rank; ++d) extents.at[d] = t.extents.at[d];
  for (unsigned d = 1; d < Map::rank; ++d) strides.at[d - 1] = t.strides[d];
  device::replace_tensor_map_address(map, static_cast<typename Map::value_type*>(t.memory));
  device::replace_tensor_map_extents(map, extents);
  if constexpr (Map::rank > 1) device::replace_tensor_map_strides(map, strides);
}

/// Makes the map of the tensor, in shared memory or in place, and loads a tile at each of the coordinates.
template <class Map>
__global__ void load_by_changed(Map const __grid_constant__ like, described t, bool in_place, Map* made,
                                coordinate_list const* list, typename Map::value_type* out, report* result) {
  using box = typename Map::box;
  context test_{result, nullptr, nullptr};
  __shared__ typename Map::tile tile;
  __shared__ block_barrier ready;
  __shared__ alignas(128) Map map;
  make_barrier(ready);
  if (in_place && threadIdx.x == 0) {
    device::assign_tensor_map(*made, like);
    replace_all(*made, t);
    device::fence_tensor_map_release();
  }
  if (!in_place && threadIdx.x < 32) {
    if (this_warp.elect()) {
      device::assign_tensor_map(map, like);
      replace_all(map, t);
    }
    device::publish_tensor_map(*made, map);
  }
  this_block.sync();
  // Another thread than the one that made the map, and of another warp.
  if (threadIdx.x == 63) device::fence_tensor_map_acquire(*made);
  for (unsigned k = 0; k < list->count; ++k) {
    if (threadIdx.x == 63) {
      with_each<Map::rank>(list->at[k], [&](auto... c) { device::copy_tensor_async_tx(tile, *made, {c...}, ready); });
      (void)device::barrier_arrive_tx(ready, 1, Map::tile_bytes);
    }
    AWAIT(ready.try_wait_parity(k % 2 != 0));
    note_check(test_);
    for (unsigned n = threadIdx.x; n < box::size; n += blockDim.x)
      with_each<Map::rank>(indices_of<box>(n), [&](auto... i) { out[k * box::size + n] = tile(i...); });
    this_block.sync();
  }
}

template <class Map> void check_changed(context& test_, bool in_place) {
  using value_type = typename Map::value_type;
  using box = typename Map::box;
  tensor<Map> t(3), other(11); // the template is the map of the other one
  described d{t.memory, {}, {}};
  for (unsigned i = 0; i < 5; ++i) {
    d.extents.at[i] = int(t.extents[i]);
    d.strides[i] = i < Map::rank ? t.strides[i] : 0;
  }
  managed_list<coordinate_list> list(1);
  *list.at = t.coordinates(true);
  managed_list<value_type> out(list.at->count * box::size);
  managed_list<Map> made(1);
  device_report found;
  load_by_changed<Map><<<1, 64>>>(other.map, d, in_place, made.at, list.at, out.at, found.on_device());
  found.finish(*test_.result);
  unsigned wrong = 0, outside = 0;
  for (unsigned k = 0; k < list.at->count; ++k)
    for (unsigned n = 0; n < box::size; ++n) {
      int const number = t.number_in_tile(list.at->at[k], n);
      value_type const expected = number < 0 ? value_type{} : t.values[unsigned(number)];
      outside += number < 0;
      wrong += std::memcmp(&out.at[k * box::size + n], &expected, sizeof(expected)) != 0;
    }
  CHECK_EQUAL(wrong, 0u);
  CHECK(outside > 0);
}

DEVICE_TEST("a map whose address, extents and strides a kernel has replaced is that of the new tensor") {
  for (bool in_place : {false, true}) {
    check_changed<tensor_map<unsigned, tensor_box<64>>>(test_, in_place);
    check_changed<tensor_map<unsigned, tensor_box<16, 8>>>(test_, in_place);
    check_changed<tensor_map<unsigned short, tensor_box<64, 5>, tensor_swizzle::bytes_128>>(test_, in_place);
    check_changed<tensor_map<double, tensor_box<4, 4, 3>, tensor_swizzle::bytes_32>>(test_, in_place);
    check_changed<tensor_map<unsigned, tensor_box<8, 3, 2, 2>>>(test_, in_place);
    check_changed<tensor_map<unsigned char, tensor_box<16, 3, 2, 2, 3>>>(test_, in_place);
  }
}

// --- a ragged batch: the code of the guide --------------------------------------------------------------------------

using guide::ragged_batch::matrix;
using grouped = guide::ragged_batch::tiles;
constexpr unsigned groups = 6, rounds = 3, padding = 0xbadbad;

/// Matrices of different extents in one buffer. In each round each block makes the map of one of them, and moves the
/// tiles of another one, by the map that another block has made.
struct batch {
  alignas(128) grouped maps[groups];
  matrix matrices[groups];
  guide::ragged_batch::flag made[groups], used[groups]; // in so many rounds
  unsigned wrong;
};

constexpr unsigned element_of(unsigned group, unsigned x, unsigned y) { return group << 20 | y << 10 | x; }

__global__ void move_groups(grouped const __grid_constant__ like, batch* all, report* result) {
  context test_{result, nullptr, nullptr};
  __shared__ grouped::tile tile;
  __shared__ block_barrier ready;
  __shared__ alignas(128) grouped map;
  make_barrier(ready);
  unsigned const mine = blockIdx.x, other = (blockIdx.x + 1) % groups;
  unsigned phase = 0, wrong = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    if (threadIdx.x < 32) {
      guide::ragged_batch::make(all->maps[mine], map, like, all->matrices[(mine + round * 2) % groups]);
      guide::ragged_batch::tell(all->made[mine], round + 1);
    }
    unsigned const group = (other + round * 2) % groups;
    matrix const m = all->matrices[group];
    if (threadIdx.x == 32) AWAIT(guide::ragged_batch::may_copy(all->made[other], round + 1, all->maps[other]));
    for (int y = 0; y < m.rows; y += 8)
      for (int x = 0; x < m.columns; x += 32) {
        if (threadIdx.x == 32) {
          device::copy_tensor_async_tx(tile, all->maps[other], {x, y}, ready);
          (void)device::barrier_arrive_tx(ready, 1, grouped::tile_bytes);
        }
        AWAIT(ready.try_wait_parity(phase % 2 != 0));
        note_check(test_);
        ++phase;
        for (unsigned n = threadIdx.x; n < 256; n += blockDim.x) {
          int const i = int(n % 32), j = int(n / 32);
          bool const inside = x + i < m.columns && y + j < m.rows;
          // A matrix is moved in each round, by another block.
          wrong += tile(i, j) != (inside ? element_of(group, unsigned(x + i), unsigned(y + j)) + round : 0);
          tile(i, j) += 1;
        }
        this_block.sync();
        if (threadIdx.x == 32) {
          device::copy_tensor_async_bulk(all->maps[other], {x, y}, tile);
          device::bulk_commit();
          device::bulk_wait<0>();
        }
        this_block.sync();
      }
    // All blocks meet: in the next round the map is made again, and another block reads this matrix.
    if (threadIdx.x == 32) all->used[other].store(round + 1, memory_order_release);
    if (threadIdx.x == 32)
      for (auto& u : all->used) AWAIT(u.load(memory_order_acquire) > round);
    this_block.sync();
  }
  atomic_ref<unsigned, thread_scope_device>(all->wrong).fetch_add(wrong, memory_order_relaxed);
}

DEVICE_TEST("each block makes the map of its group, and another block copies by it") {
  managed_list<batch> all(1);
  unsigned begin[groups], size = 0;
  for (int g = 0; g < int(groups); ++g) {
    auto& m = all.at->matrices[g];
    m = {nullptr, 4 + 20 * g, 23 - 4 * g + g * g, 4 + 20 * g + 4 * (g % 3)}; // 4 to 104 columns, 19 to 28 rows
    begin[g] = size;
    size += unsigned(m.pitch * m.rows) + 4;
  }
  managed_list<unsigned> data(size);
  for (unsigned i = 0; i < size; ++i) data.at[i] = padding;
  std::vector<unsigned> expected(size, padding);
  for (unsigned g = 0; g < groups; ++g) {
    auto& m = all.at->matrices[g];
    m.first = data.at + begin[g];
    for (int y = 0; y < m.rows; ++y)
      for (int x = 0; x < m.columns; ++x) {
        m.first[y * m.pitch + x] = element_of(g, unsigned(x), unsigned(y));
        expected[begin[g] + unsigned(y * m.pitch + x)] = element_of(g, unsigned(x), unsigned(y)) + rounds;
      }
  }
  device_report found;
  move_groups<<<groups, 64>>>(make_tensor_map<grouped>(data.at, {32, 8}), all.at, found.on_device());
  found.finish(*test_.result);
  CHECK_EQUAL(all.at->wrong, 0u);
  unsigned different = 0;
  for (unsigned i = 0; i < size; ++i) different += data.at[i] != expected[i];
  CHECK_EQUAL(different, 0u);
}

} // namespace

#endif
