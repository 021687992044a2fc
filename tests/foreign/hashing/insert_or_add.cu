// SPDX-License-Identifier: Apache-2.0
//
// Counts by key in a hash table whose key and payload are separate words. A warp looks at the slots of a bucket
// together; if the key is absent, one lane takes a free slot by compare and swap, and then stores the payload. Other
// warps, which see the key, add to the payload when it is there.
//
// Source: NVIDIA/cuCollections#546: insert_or_apply did not wait for the payload, and the first payload overwrote a sum
// Source: NVIDIA/cuCollections#88: a warp that waits for another lane's payload needs independent progress of lanes
// Source: owensgroup/SlabHash#23: keys are read by weak loads while others take the slot by compare and swap
// Form: right
// Form: no_wait_for_payload: wrong answer
// Form: weak_probe: race
// Form: no_second_look: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_wait_for_payload, weak_probe, no_second_look };

constexpr int slots = 32; // of a bucket: one for each lane
constexpr int empty = 0, absent = -1;
constexpr unsigned all = 0xffffffff;

struct bucket {
  int keys[slots], counts[slots];
};

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;

template <form f> __device__ int key_at(bucket& b, int slot) {
  if constexpr (f == weak_probe) return b.keys[slot]; // found: race
  else return word(b.keys[slot]).load(cudax::memory_order_relaxed);
}

/// Called by one lane. The count of a slot is a word of its own, and no other data depends on it: all is relaxed.
template <form f> __device__ void add_to(bucket& b, int slot) {
  if constexpr (f != no_wait_for_payload)
    while (word(b.counts[slot]).load(cudax::memory_order_relaxed) == absent);
  word(b.counts[slot]).fetch_add(1, cudax::memory_order_relaxed);
}

template <form f> __device__ void count(bucket* table, int buckets, int key) {
  int const lane = int(threadIdx.x) % 32;
  for (int at = key % buckets;;) {
    bucket& b = table[at];
    int const found = key_at<f>(b, lane);
    if (unsigned const same = __ballot_sync(all, found == key)) {
      if (lane == __ffs(int(same)) - 1) add_to<f>(b, lane);
      return;
    }
    unsigned const free = __ballot_sync(all, found == empty);
    if (!free) { // the next bucket
      at = (at + 1) % buckets;
      continue;
    }
    int done = 0;
    if (lane == __ffs(int(free)) - 1) {
      int expected = empty;
      if (word(b.keys[lane]).compare_exchange_strong(expected, key, cudax::memory_order_relaxed)) {
        word(b.counts[lane]).store(1, cudax::memory_order_relaxed);
        done = 1;
      } else if (expected == key) { // another warp was faster with the same key
        if constexpr (f != no_second_look) add_to<f>(b, lane);
        done = 1;
      }
    }
    if (__any_sync(all, done)) return;
  }
}

template <form f> __global__ void count_all(bucket* table, int buckets, int keys, int each) {
  int const warp = int(blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = int(gridDim.x * blockDim.x) / 32;
  for (int i = warp; i < keys * each; i += warps) count<f>(table, buckets, 1 + i / each); // equal keys at the same time
}

template <form f> bool run(int scale) {
  int const buckets = 2 + scale / 8, keys = 24 + scale, each = 6;
  foreign::memory<bucket> table(buckets);
  for (int b = 0; b < buckets; ++b)
    for (int s = 0; s < slots; ++s) table[b].keys[s] = empty, table[b].counts[s] = absent;
  table.to_device();
  foreign::launch(3, 64, count_all<f>, table.data(), buckets, keys, each);
  table.to_host();
  int found = 0;
  for (int b = 0; b < buckets; ++b)
    for (int s = 0; s < slots; ++s) {
      if (table[b].keys[s] == empty) continue;
      ++found;
      if (table[b].counts[s] != each) return false;
    }
  return found == keys;
}

foreign::program const program({{"right", run<right>},
                                {"no_wait_for_payload", run<no_wait_for_payload>},
                                {"weak_probe", run<weak_probe>},
                                {"no_second_look", run<no_second_look>}});

} // namespace
