// SPDX-License-Identifier: Apache-2.0
//
// A hash table with two choices of a bucket for each key and a lock for each bucket. A warp inserts a key: its first
// lane takes the locks of both buckets, the lanes look for the key and for a free place, and the first lane unlocks.
//
// Source: NVIDIA-Merlin/HierarchicalKV#239: a key was unlocked before its value was written, and values were lost
// Source: CodedK/CUDA-by-Example-source-code-for-the-book-s-examples-#4: which fence a lock of atomicCAS needs
// Source: owensgroup/SlabHash#23: a bucket is read by weak loads while others insert by compare and swap
// Form: right
// Form: unlocks_before_value: race
// Form: no_warp_barrier: race
// Form: relaxed_lock: race
// Form: relaxed_unlock: race
// Form: reads_before_lock: race
// Form: order_of_hashes: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  unlocks_before_value,
  no_warp_barrier,
  relaxed_lock,
  relaxed_unlock,
  reads_before_lock,
  order_of_hashes
};

constexpr int places = 32, buckets = 4;
constexpr unsigned all = 0xffffffff;

struct bucket {
  int lock;
  int keys[places], values[places];
};

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;

template <form f> __device__ bool try_lock(bucket& b) {
  constexpr auto order = f == relaxed_lock ? cudax::memory_order_relaxed : cudax::memory_order_acquire;
  int free = 0;
  return word(b.lock).compare_exchange_weak(free, 1, order, cudax::memory_order_relaxed); // found: livelock
}
template <form f> __device__ void unlock(bucket& b) {
  word(b.lock).store(0, f == relaxed_unlock ? cudax::memory_order_relaxed : cudax::memory_order_release);
}

/// Adds `value` to the value of `key`, which it inserts if it is absent.
template <form f> __device__ void add(bucket* table, int key, int value) {
  int const lane = int(threadIdx.x) % 32;
  int const one = key * 7 % buckets, two = (one + 1 + key / buckets % (buckets - 1)) % buckets; // they differ
  bucket& first = table[f == order_of_hashes || one < two ? one : two];
  bucket& second = table[f == order_of_hashes || one < two ? two : one];
  int keys[2];
  if constexpr (f == reads_before_lock) keys[0] = first.keys[lane], keys[1] = second.keys[lane]; // found: race
  if (lane == 0) {
    while (!try_lock<f>(first));
    while (!try_lock<f>(second));
  }
  __syncwarp();
  if constexpr (f != reads_before_lock) keys[0] = first.keys[lane], keys[1] = second.keys[lane]; // found: race
  unsigned const here = __ballot_sync(all, keys[0] == key), there = __ballot_sync(all, keys[1] == key);
  unsigned const free[] = {__ballot_sync(all, keys[0] == 0), __ballot_sync(all, keys[1] == 0)};
  bool const takes_first = here || (!there && __popc(free[0]) >= __popc(free[1]));
  unsigned const candidates = here | there ? here | there : free[takes_first ? 0 : 1];
  bucket& b = takes_first ? first : second;
  bool const is_chosen = lane == __ffs(int(candidates)) - 1;
  if (is_chosen) b.keys[lane] = key; // found: race
  if constexpr (f == unlocks_before_value) {
    __syncwarp();
    if (lane == 0) unlock<f>(second), unlock<f>(first);
  }
  if (is_chosen) b.values[lane] += value; // found: race
  if constexpr (f == unlocks_before_value) return;
  if constexpr (f != no_warp_barrier) __syncwarp();
  if (lane == 0) unlock<f>(second), unlock<f>(first);
}

template <form f> __global__ void insert(bucket* table, int keys, int rounds) {
  int const warp = int(blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = int(gridDim.x * blockDim.x) / 32;
  for (int round = 0; round < rounds; ++round)
    for (int k = warp; k < keys * 3; k += warps) {
      add<f>(table, 1 + k / 3, 1); // three warps add to a key at a time
      __syncwarp();                // no lane waits at the next lock while others hold this one
    }
}

template <form f> bool run(int scale) {
  int const blocks = scale < 8 ? 3 : 16, keys = 12, rounds = (scale + 3) / 4;
  foreign::memory<bucket> table(buckets);
  foreign::launch(blocks, 64, insert<f>, table.data(), keys, rounds);
  table.to_host();
  int counts[keys + 1] = {};
  for (int b = 0; b < buckets; ++b)
    for (int p = 0; p < places; ++p) counts[table[b].keys[p]] += table[b].values[p];
  for (int key = 1; key <= keys; ++key)
    if (counts[key] != 3 * rounds) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"unlocks_before_value", run<unlocks_before_value>},
                                {"no_warp_barrier", run<no_warp_barrier>},
                                {"relaxed_lock", run<relaxed_lock>},
                                {"relaxed_unlock", run<relaxed_unlock>},
                                {"reads_before_lock", run<reads_before_lock>},
                                {"order_of_hashes", run<order_of_hashes>}});

} // namespace
