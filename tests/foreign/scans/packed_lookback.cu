// SPDX-License-Identifier: Apache-2.0
//
// A prefix sum in one pass, in which a tile's status and its value are one word of 8 bytes, so that no fence orders
// them. A warp looks back at 32 tiles at a time, and the last thread replaces the tile's sum by its prefix.
//
// Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016): one word
// Source: NVIDIA/cccl#4556: thread 0 replaced a block's sum by its prefix before later warps had read the sum
// Source: matteospanio/torchfx#96: a status with a tag for each launch, which may wrap, and no fence
// Form: right
// Form: two_stores: race
// Form: replaced_too_early: race
// Form: status_of_last_launch: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, two_stores, replaced_too_early, status_of_last_launch };

constexpr int threads = 64;
enum status : unsigned { nothing, has_sum, has_prefix };

using u64 = unsigned long long;
using descriptor = cudax::atomic_ref<u64, cudax::thread_scope_device>;
using half = cudax::atomic_ref<unsigned, cudax::thread_scope_device>;
using namespace cudax;

template <form f> __device__ void publish(u64* tile, unsigned value, unsigned s) {
  if constexpr (f == two_stores) {
    unsigned* const halves = reinterpret_cast<unsigned*>(tile);
    half(halves[1]).store(s, memory_order_relaxed);     // found: two_stores
    half(halves[0]).store(value, memory_order_relaxed); // found: two_stores
  } else {
    descriptor(*tile).store(u64(s) << 32 | value, memory_order_relaxed);
  }
}

/// The sum of all tiles before `index`, which a whole warp computes.
__device__ unsigned look_back(u64* tiles, int index, unsigned epoch) {
  unsigned sum = 0;
  for (int last = index - 1; last >= 0; last -= 32) {
    int const mine = last - int(threadIdx.x % 32);
    u64 seen = u64(epoch + has_prefix) << 32; // before the first tile
    while (mine >= 0 && unsigned((seen = descriptor(tiles[mine]).load(memory_order_relaxed)) >> 32) <= epoch);
    unsigned const prefixes = __ballot_sync(~0u, unsigned(seen >> 32) == epoch + has_prefix);
    int const nearest = prefixes ? __ffs(int(prefixes)) - 1 : 31;
    unsigned part = int(threadIdx.x % 32) <= nearest ? unsigned(seen) : 0;
    for (int distance = 16; distance; distance /= 2) part += __shfl_xor_sync(~0u, part, distance);
    sum += part;
    if (prefixes) break;
  }
  return sum;
}

template <form f> __global__ void scan(unsigned const* in, unsigned* out, u64* tiles, int* next, unsigned epoch) {
  __shared__ unsigned sums[threads];
  __shared__ unsigned tile_value;
  __shared__ int index;
  if (threadIdx.x == 0) index = atomicAdd(next, 1);
  __syncthreads();
  int const i = index * threads + int(threadIdx.x);
  sums[threadIdx.x] = in[i];
  __syncthreads();
  unsigned before_me = 0;
  for (unsigned j = 0; j < threadIdx.x; ++j) before_me += sums[j];
  if (threadIdx.x == threads - 1) {
    tile_value = before_me + sums[threadIdx.x]; // found: replaced_too_early
    publish<f>(tiles + index, tile_value, epoch + has_sum);
  }
  __syncthreads();
  unsigned const all = tile_value; // found: replaced_too_early
  if constexpr (f != replaced_too_early) __syncthreads();
  if (threadIdx.x < 32) {
    unsigned const before = look_back(tiles, index, epoch);
    if (threadIdx.x == 0) {
      publish<f>(tiles + index, before + all, epoch + has_prefix);
      tile_value = before + all; // found: replaced_too_early
    }
  }
  __syncthreads();
  out[i] = tile_value - all + before_me + in[i];
}

template <form f> bool run(int scale) {
  int const blocks = 5 * scale, size = blocks * threads;
  foreign::memory<unsigned> in(size), out(size);
  foreign::memory<u64> tiles(blocks);
  for (unsigned launch = 0; launch < 2; ++launch) {
    foreign::memory<int> next;
    for (int i = 0; i < size; ++i) in[i] = unsigned(i) % 7 + launch;
    in.to_device();
    foreign::launch(blocks, threads, scan<f>, in.data(), out.data(), tiles.data(), next.data(),
                    f == status_of_last_launch ? 0 : launch * 2);
    out.to_host();
    unsigned sum = 0;
    for (int i = 0; i < size; ++i)
      if (out[i] != (sum += in[i])) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"two_stores", run<two_stores>},
                                {"replaced_too_early", run<replaced_too_early>},
                                {"status_of_last_launch", run<status_of_last_launch>}});

} // namespace
