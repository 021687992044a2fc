// SPDX-License-Identifier: Apache-2.0
//
// tile_pipelines: matrix products c = a * b whose tiles go through pipelines: by the blocks of a cluster, which share
// tiles (multicast); by a pair of blocks, one of which sends its sums to the other's shared memory; and several
// products of different sizes in one launch, by two warpgroups that take turns. The arithmetic is plain, so that it
// runs everywhere; where a kernel for tensor cores would wait for its multiplications, a comment says so.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "example.hpp"

#if defined(__CUDA__)
import cudax.sync;

namespace {

using namespace cudax;
using enum pipeline_role;

constexpr int side = 32, depth = 16, stages = 3; // a tile of c has side * side sums
using halves = tensor_map<float, tensor_box<depth, side / 2>, tensor_swizzle::bytes_64>;
using wholes = tensor_map<float, tensor_box<depth, side>, tensor_swizzle::bytes_64>;
using results = tensor_map<float, tensor_box<side, side / 2>>; // a half of a tile of c
using block_state = pipeline_shared_state<thread_scope_block, stages>;

/// Thread `thread` of 128 has eight sums of a row of the tile.
struct sums {
  float sum[8]{};
  int const thread = int(threadIdx.x % 128), row = thread / 4, column = thread % 4 * 8;

  __device__ void add(auto a, auto b) {
    for (int k = 0; k < depth; ++k)
      for (int i = 0; i < 8; ++i) sum[i] += a(k, row) * b(k, column + i);
  }
};

/// Stores the tile of a warpgroup in two halves: while one is stored, the other is written.
__device__ void store(sums const& s, results const& c, int x, int y, results::tile (&tile)[2], auto& stores) {
  for (int half = 0; half < 2; ++half) {
    stores.acquire();
    results::tile& here = tile[stores.index()];
    if (s.row / (side / 2) == half)
      for (int i = 0; i < 8; ++i) here(s.column + i, s.row % (side / 2)) = s.sum[i];
    stores.commit([&] { device::copy_tensor_async_bulk(c, {x, y + half * side / 2}, here); });
  }
}

/// A cluster of 2 * 2 blocks. Each block copies a half of its row's tile of a to both blocks of the row, and a half of
/// its column's tile of b to both blocks of the column. Warps 0 to 3 calculate, warp 4 copies.
__global__ void __launch_bounds__(160) by_clusters(halves const __grid_constant__ a, halves const __grid_constant__ b,
                                                   results const __grid_constant__ c, int length) {
  __shared__ halves::tile tile_a[stages][2], tile_b[stages][2];
  __shared__ results::tile tile_c[2];
  __shared__ block_state state;
  int const column = int(blockIdx.x % 2), row = int(blockIdx.y % 2), x = int(blockIdx.x) * side,
            y = int(blockIdx.y) * side;
  unsigned const of_row = 0b0011u << 2 * row, of_column = 0b0101u << column; // ranks: x varies fastest
  auto const agent = this_warpgroup.group<1>();
  auto filled = make_pipeline(this_cluster, &state, threadIdx.x < 128 ? consumer : producer, agent, of_row | of_column);
  if (threadIdx.x == 128) {
    for (int k = 0; k < length; k += depth) {
      filled.producer_acquire(); // free in the blocks of the row and of the column
      filled.producer_commit_by(4 * halves::tile_bytes, [&](auto& barrier) {
        unsigned const i = filled.producer_position().index();
        device::copy_tensor_async_tx_multicast(tile_a[i][column], a, {k, y + column * side / 2}, barrier, of_row);
        device::copy_tensor_async_tx_multicast(tile_b[i][row], b, {k, x + row * side / 2}, barrier, of_column);
      });
    }
    filled.producer_tail(); // other blocks arrive here until then
  } else if (threadIdx.x < 128) {
    sums s;
    auto const of = [](halves::tile(&tile)[2]) {
      return [&tile](int k, int i) { return tile[i / (side / 2)](k, i % (side / 2)); };
    };
    pipeline_position next = filled.consumer_position();
    bool is_ready = filled.consumer_try_wait(next);
    for (int k = 0; k < length; k += depth) {
      if (!is_ready) filled.consumer_wait(next);
      s.add(of(tile_a[next.index()]), of(tile_b[next.index()]));
      ++next;
      is_ready = k + depth < length && filled.consumer_try_wait(next);
      if (k > 0) filled.consumer_release(); // the multiplications before these are complete
    }
    filled.consumer_release();
    device::store_pipeline<2, decltype(agent)> stores(agent);
    store(s, c, x, y, tile_c, stores);
  }
}

/// A cluster of two blocks for each tile of c: each block adds up half of the length. The second block sends its sums
/// to the shared memory of the first, several tiles one after the other.
__global__ void __launch_bounds__(160)
    by_pairs(float const* a, float const* b, float* c, int columns, int length, int tiles) {
  struct alignas(16) quad {
    float sum[4];
  };
  struct message {
    quad sums[side * side / 4];
  };
  __shared__ message sent[stages];
  __shared__ block_state state;
  bool const sends = blockIdx.x % 2 == 1, calculates = threadIdx.x < 128;
  auto const agent = this_warpgroup.group<1>();
  // The first block's warp 4 only announces what the second block sends. Its own warps 0 to 3 use it.
  auto received = make_pipeline(this_cluster, &state,
                                calculates ? (sends ? producer : consumer) : (sends ? none : producer), agent);
  if (!calculates) {
    if (sends || threadIdx.x != 128) return;
    for (int tile = int(blockIdx.x) / 2; tile < tiles; tile += int(gridDim.x) / 2) {
      received.producer_acquire();
      received.producer_commit(this_thread, sizeof(message));
    }
    return received.producer_tail();
  }
  for (int tile = int(blockIdx.x) / 2; tile < tiles; tile += int(gridDim.x) / 2) {
    int const x = tile % (columns / side) * side, y = tile / (columns / side) * side;
    sums s;
    for (int k = sends ? length / 2 : 0; k < (sends ? length : length / 2); k += depth)
      s.add([&](int i, int row) { return a[(y + row) * length + k + i]; },
            [&](int i, int column) { return b[(x + column) * length + k + i]; });
    if (sends) {
      received.producer_acquire(); // the first block has used what this place held
      message& place = *this_cluster.map_shared_rank(&sent[received.producer_position().index()], 0);
      auto& barrier = *this_cluster.map_shared_rank(&received.stage_barrier(), 0);
      for (int i = 0; i < 8; i += 4)
        device::store_async_tx_remote(&place.sums[(s.row * side + s.column + i) / 4],
                                      {{s.sum[i], s.sum[i + 1], s.sum[i + 2], s.sum[i + 3]}}, barrier);
      received.producer_commit();
    } else {
      received.consumer_wait();
      message const& here = sent[received.consumer_position().index()];
      for (int i = 0; i < 8; ++i)
        c[(y + s.row) * columns + x + s.column + i] =
            s.sum[i] + here.sums[(s.row * side + s.column + i) / 4].sum[i % 4];
      received.consumer_release();
    }
  }
  if (sends) received.producer_tail(); // the first block arrives here until then
}

struct product {
  wholes a, b;
  results c;
  int rows, columns, length;
};
struct products {
  product of[3];
};

/// Products of different sizes. Warp 8 copies the tiles of all of them; the two warpgroups before it take turns: while
/// one stores its tile of c, the other one calculates the next.
__global__ void __launch_bounds__(288) grouped(products const __grid_constant__ all, int count) {
  __shared__ wholes::tile tile_a[stages], tile_b[stages];
  __shared__ results::tile tile_c[2][2];
  __shared__ block_state state;
  auto const agent = this_warpgroup.group<1>();
  auto filled = make_pipeline(this_block, &state, pipeline_arrivals{1, 1}, agent); // a stage is for one warpgroup
  auto const for_each_tile = [&](auto act) {                                       // of this block
    int next = int(blockIdx.x), first = 0;
    for (int i = 0; i < count; ++i) {
      product const& p = all.of[i];
      int const across = p.columns / side, tiles = across * (p.rows / side);
      for (; next < first + tiles; next += int(gridDim.x))
        act(p, (next - first) % across * side, (next - first) / across * side);
      first += tiles;
    }
  };
  if (threadIdx.x >= 256) {
    if (threadIdx.x != 256) return;
    for_each_tile([&](product const& p, int x, int y) {
      for (int k = 0; k < p.length; k += depth) {
        filled.producer_acquire();
        filled.producer_commit_by(2 * wholes::tile_bytes, [&](auto& barrier) {
          unsigned const i = filled.producer_position().index();
          device::copy_tensor_async_tx(tile_a[i], p.a, {k, y}, barrier);
          device::copy_tensor_async_tx(tile_b[i], p.b, {k, x}, barrier);
        });
      }
    });
    return;
  }
  int const warpgroup = int(threadIdx.x) / 128;
  using turns = named_barrier_ids<3, 2>; // barrier i: warpgroup i may calculate
  device::store_pipeline<2, decltype(agent)> stores(agent);
  int tile = 0;
  for_each_tile([&](product const& p, int x, int y) {
    if (tile++ % 2 != warpgroup) return filled.consumer_skip(p.length / depth);
    if (tile > 1) turns::at(warpgroup, 256).sync();
    sums s;
    pipeline_position next = filled.consumer_position();
    for (int k = 0; k < p.length; k += depth, ++next) {
      filled.consumer_wait(next);
      s.add(tile_a[next.index()], tile_b[next.index()]);
      if (k > 0) filled.consumer_release();
    }
    turns::at(1 - warpgroup, 256).arrive(); // the other one may wait for its stages
    filled.consumer_release();
    store(s, p.c, x, y, tile_c[warpgroup], stores);
  });
  if (tile % 2 == warpgroup && tile > 0) turns::at(warpgroup, 256).sync(); // the last turn is passed on, too
}

/// Small integers, so that the sums are exact; b is transposed.
struct matrices {
  int rows, columns, length;
  managed_ptr<float[]> a = make_managed<float[]>(size_t(rows * length));
  managed_ptr<float[]> b = make_managed<float[]>(size_t(columns * length));
  managed_ptr<float[]> c = make_managed<float[]>(size_t(rows * columns));

  void fill() {
    for (int i = 0; i < rows * length; ++i) a[i] = float(i * 7 % 23 - 11);
    for (int i = 0; i < columns * length; ++i) b[i] = float(i * 5 % 19 - 9);
    for (int i = 0; i < rows * columns; ++i) c[i] = -1;
  }
  template <class Map>
  static Map map(managed_ptr<float[]> const& at, int width, int height) {
    return make_tensor_map<Map>(at.device_pointer(), {unsigned(width), unsigned(height)});
  }
  template <class Map>
  Map map_a() const {
    return map<Map>(a, length, rows);
  }
  template <class Map>
  Map map_b() const {
    return map<Map>(b, length, columns);
  }
  results map_c() const { return map<results>(c, columns, rows); }

  long long wrong() const {
    long long count = 0;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        float sum = 0;
        for (int k = 0; k < length; ++k) sum += a[y * length + k] * b[x * length + k];
        count += c[y * columns + x] != sum;
      }
    return count;
  }
};

} // namespace
#endif

int main() {
  std::puts("tile_pipelines: matrix products whose tiles go through pipelines, every result checked");
  example::report report;
  std::string reason = example::device_missing();
#if defined(__CUDA__)
  cudaDeviceProp device{};
  if (reason.empty()) {
    CUDA_MUST(cudaGetDeviceProperties(&device, 0));
    if (device.major < 9) reason = "needs sm_90";
  }
  if (reason.empty()) {
    auto const judge = [&](char const* what, example::stopwatch const& time, auto&... products) {
      CUDA_MUST(cudaGetLastError());
      CUDA_MUST(cudaDeviceSynchronize());
      report.line(what, device.name, (0LL + ... + products.wrong()), (0LL + ... + (products.rows * products.columns)),
                  time.seconds());
    };
    {
      matrices m{4 * side, 2 * side, 7 * depth};
      m.fill();
      example::stopwatch const time;
      cudax::launch_coresident(by_clusters, {2, 4}, 160, cudax::launch_cluster(2, 2), 0, nullptr, m.map_a<halves>(),
                               m.map_b<halves>(), m.map_c(), m.length);
      judge("clusters of 2 * 2 blocks, multicast", time, m);
    }
    {
      matrices m{3 * side, 3 * side, 4 * depth};
      m.fill();
      example::stopwatch const time;
      cudax::launch_coresident(by_pairs, 4, 160, cudax::launch_cluster(2), 0, nullptr, m.a.device_pointer(),
                               m.b.device_pointer(), m.c.device_pointer(), m.columns, m.length, 9);
      judge("pairs of blocks, sums sent to the other one", time, m);
    }
    {
      matrices m[3] = {{2 * side, side, 5 * depth}, {side, 3 * side, 2 * depth}, {2 * side, 2 * side, 4 * depth}};
      products all{};
      for (int i = 0; i < 3; ++i) {
        m[i].fill();
        all.of[i] = {m[i].map_a<wholes>(), m[i].map_b<wholes>(), m[i].map_c(), m[i].rows, m[i].columns, m[i].length};
      }
      example::stopwatch const time;
      grouped<<<2, 288>>>(all, 3);
      judge("three products in one launch, by turns", time, m[0], m[1], m[2]);
    }
  }
#endif
  if (!reason.empty()) report.skipped("all products", reason);
  return report.exit_code();
}
