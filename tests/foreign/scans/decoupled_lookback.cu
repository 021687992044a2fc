// SPDX-License-Identifier: Apache-2.0
//
// A prefix sum in one pass. A block takes the next tile, publishes the tile's sum, and then goes back over the tiles
// before it: it adds their sums until it finds a tile whose prefix is known. A tile's sum and its prefix are words of
// their own, beside a status word that tells which of the two is there.
//
// Source: NVIDIA/cub#591: how a look-back may read the value after the status without stale data
// Source: kokkos/kokkos#2681: the fence between the blocks of parallel_scan was missing, and sums were wrong
// Source: JuliaGPU/AcceleratedKernels.jl#98: a value read by a plain load beside an atomic flag was stale on an A100
// Form: right
// Form: no_release_fence: race
// Form: no_acquire_fence: race
// Form: block_fence: race
// Form: volatile_only: stale
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_release_fence, no_acquire_fence, block_fence, volatile_only };

constexpr int threads = 64;
enum status : int { nothing, has_sum, has_prefix };

struct tile {
  int status, sum, prefix;
};

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;

template <form f> __device__ void publish(tile& t, int& value, int x, status s) {
  if constexpr (f == volatile_only) *static_cast<int volatile*>(&value) = x; // found: volatile_only
  else value = x; // found: no_release_fence, no_acquire_fence, block_fence
  if constexpr (f == block_fence) __threadfence_block();
  else if constexpr (f != no_release_fence && f != volatile_only) __threadfence();
  word(t.status).store(s, cudax::memory_order_relaxed);
}

template <form f> __device__ int value_of(int& value) {
  if constexpr (f == volatile_only) return *static_cast<int volatile*>(&value); // found: volatile_only
  else return value; // found: no_release_fence, no_acquire_fence, block_fence
}

/// The sum of all tiles before `index`.
template <form f> __device__ int look_back(tile* tiles, int index) {
  int sum = 0;
  while (--index >= 0) {
    int s;
    while ((s = word(tiles[index].status).load(cudax::memory_order_relaxed)) == nothing);
    if constexpr (f != no_acquire_fence && f != volatile_only) __threadfence();
    if (s == has_prefix) return sum + value_of<f>(tiles[index].prefix);
    sum += value_of<f>(tiles[index].sum);
  }
  return sum;
}

/// The sum of the values of the threads up to this one.
__device__ int scan_block(int value, int* shared) {
  for (int distance = 1; distance < threads; distance *= 2) {
    shared[threadIdx.x] = value;
    __syncthreads();
    if (int(threadIdx.x) >= distance) value += shared[int(threadIdx.x) - distance];
    __syncthreads();
  }
  return value;
}

template <form f> __global__ void scan(int const* in, int* out, tile* tiles, int* next) {
  __shared__ int shared[threads];
  __shared__ int index, before;
  if (threadIdx.x == 0) index = atomicAdd(next, 1); // not blockIdx.x: a block waits for earlier tiles only
  __syncthreads();
  int const i = index * threads + int(threadIdx.x);
  int const sum = scan_block(in[i], shared);
  if (int(threadIdx.x) == threads - 1) {
    publish<f>(tiles[index], tiles[index].sum, sum, has_sum);
    before = look_back<f>(tiles, index);
    publish<f>(tiles[index], tiles[index].prefix, before + sum, has_prefix);
  }
  __syncthreads();
  out[i] = before + sum;
}

template <form f> bool run(int scale) {
  int const blocks = 6 * scale, size = blocks * threads;
  foreign::memory<int> in(size), out(size), next;
  foreign::memory<tile> tiles(blocks);
  for (int i = 0; i < size; ++i) in[i] = i % 7 + 1;
  in.to_device();
  foreign::launch(blocks, threads, scan<f>, in.data(), out.data(), tiles.data(), next.data());
  out.to_host();
  int sum = 0;
  for (int i = 0; i < size; ++i)
    if (out[i] != (sum += in[i])) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_release_fence", run<no_release_fence>},
                                {"no_acquire_fence", run<no_acquire_fence>},
                                {"block_fence", run<block_fence>},
                                {"volatile_only", run<volatile_only>}});

} // namespace
