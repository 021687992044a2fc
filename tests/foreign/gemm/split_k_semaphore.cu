// SPDX-License-Identifier: Apache-2.0
//
// The epilogue of a serial split-K matrix product: the blocks that share a tile of C add their parts in turn. Before a
// block adds, one of its threads polls the tile's semaphore for the block's number; afterwards one thread raises it.
// Blocks take their numbers from a counter, since CUDA does not promise that blocks begin in the order of their
// indices.
//
// Source: NVIDIA/cutlass#2775 and #359: which fence the semaphore of serial split-K needs, and where
// Source: NVIDIA/Fuser#2391: the semaphore was released before the writes of the block's other threads were visible
// Source: NVIDIA/cutlass#1026: how a plain load and store of the semaphore could exclude blocks from each other
// Source: NVIDIA/cutlass#1296: the semaphore's wait never ended on another GPU than those that the kernel was written for
// Form: right
// Form: no_barrier_before_release: race
// Form: no_barrier_after_wait: race
// Form: relaxed_release: race
// Form: relaxed_wait: race
// Form: fence_after_barrier_by_another_thread: race
// Form: order_of_blocks: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  no_barrier_before_release,
  no_barrier_after_wait,
  relaxed_release,
  relaxed_wait,
  fence_after_barrier_by_another_thread,
  order_of_blocks
};

constexpr int edge = 8, threads = edge * edge, depth = 4,
              slices = 3; // a tile of C is edge x edge; a slice has depth steps

using semaphore = cudax::atomic_ref<int, cudax::thread_scope_device>;
using namespace cudax;

template <form f> __device__ void wait(int& tile, int turn) {
  auto const order = f == relaxed_wait ? memory_order_relaxed : memory_order_acquire;
  if (threadIdx.x == 0)
    while (semaphore(tile).load(order) != turn); // found: livelock
  if constexpr (f != no_barrier_after_wait) __syncthreads();
}

template <form f> __device__ void release(int& tile, int next) {
  if constexpr (f != no_barrier_before_release) __syncthreads();
  if constexpr (f == fence_after_barrier_by_another_thread)
    if (threadIdx.x == 1) __threadfence();
  bool const is_relaxed = f == relaxed_release || f == fence_after_barrier_by_another_thread;
  if (threadIdx.x == 0) semaphore(tile).store(next, is_relaxed ? memory_order_relaxed : memory_order_release);
}

/// C = A B; A has rows x (slices depth) elements, B as many columns as C.
template <form f> __global__ void multiply(int const* a, int const* b, int* c, int* semaphores, int* next) {
  __shared__ int number;
  if (threadIdx.x == 0) number = f == order_of_blocks ? int(blockIdx.x) : atomicAdd(next, 1);
  __syncthreads();
  int const tile = number / slices, slice = number % slices, tiles = int(gridDim.x) / slices;
  int const row = int(threadIdx.x) / edge, column = int(threadIdx.x) % edge + tile * edge, width = tiles * edge;
  int sum = 0;
  for (int k = slice * depth; k < (slice + 1) * depth; ++k) sum += a[row * slices * depth + k] * b[k * width + column];
  int& element = c[row * width + column];
  wait<f>(semaphores[tile], slice);
  if (slice == 0) element = sum; // found: race
  else element = element + sum;  // found: race
  if (slice + 1 < slices) release<f>(semaphores[tile], slice + 1);
  else release<f>(semaphores[tile], 0); // for the next launch
}

template <form f> bool run(int scale) {
  int const tiles = (f == order_of_blocks ? 80 : 3) * scale, width = tiles * edge, inner = slices * depth;
  foreign::memory<int> a(edge * inner), b(inner * width), c(edge * width), semaphores(tiles), next;
  for (int i = 0; i < a.size(); ++i) a[i] = i % 5 - 2;
  for (int i = 0; i < b.size(); ++i) b[i] = i % 7 - 3;
  a.to_device(), b.to_device();
  foreign::launch(tiles * slices, threads, multiply<f>, a.data(), b.data(), c.data(), semaphores.data(), next.data());
  c.to_host();
  for (int i = 0; i < c.size(); ++i) {
    int sum = 0;
    for (int k = 0; k < inner; ++k) sum += a[i / width * inner + k] * b[k * width + i % width];
    if (c[i] != sum) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"no_barrier_before_release", run<no_barrier_before_release>},
                                {"no_barrier_after_wait", run<no_barrier_after_wait>},
                                {"relaxed_release", run<relaxed_release>},
                                {"relaxed_wait", run<relaxed_wait>},
                                {"fence_after_barrier_by_another_thread", run<fence_after_barrier_by_another_thread>},
                                {"order_of_blocks", run<order_of_blocks>}});

} // namespace
