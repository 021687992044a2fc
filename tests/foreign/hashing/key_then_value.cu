// SPDX-License-Identifier: Apache-2.0
//
// A hash table whose slots have a key and a value that do not fit in one word: a compare-and-swap claims the slot for
// the key, and the value follows. A thread that finds its key in a slot waits until the value is there. Values are
// indices of records.
//
// Source: rapidsai/cudf#9317: a thread that finds its key reads the value before the inserting thread has written it
// Source: NVIDIA/cuCollections#200 and #202: an insert that finds another thread's key must wait for the value
// Source: owensgroup/SlabHash#23: weak loads of slots that others change by compare-and-swap
// Form: right
// Form: value_not_awaited: wrong answer
// Form: relaxed_value: race
// Form: plain_value: race
// Form: weak_probe: race
// Form: claims_by_store: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, value_not_awaited, relaxed_value, plain_value, weak_probe, claims_by_store };

constexpr int threads = 32, slots = 256, keys = 40;
constexpr unsigned empty = ~0u;

using namespace cudax;
using word = atomic_ref<unsigned, thread_scope_device>;

struct slot {
  unsigned key, value;
};

/// Inserts the thread's record under a key, or returns the record that is there.
template <form f> __device__ unsigned insert_or_find(slot* table, unsigned key, unsigned record) {
  for (unsigned i = key * 2654435761u % slots;; i = (i + 1) % slots) {
    slot& s = table[i];
    unsigned seen;
    if constexpr (f == weak_probe || f == claims_by_store) seen = s.key; // found: weak_probe, claims_by_store
    else seen = word(s.key).load(memory_order_relaxed);
    bool mine = false;
    if (seen == empty) {
      if constexpr (f == claims_by_store) s.key = key, mine = true; // found: claims_by_store
      else mine = word(s.key).compare_exchange_strong(seen, key, memory_order_relaxed, memory_order_relaxed);
    }
    if (mine) {
      if constexpr (f == plain_value) s.value = record; // found: plain_value
      else word(s.value).store(record, f == relaxed_value ? memory_order_relaxed : memory_order_release);
      return record;
    }
    if (seen != key) continue;
    if constexpr (f == plain_value) return s.value; // found: plain_value
    if constexpr (f == value_not_awaited) return word(s.value).load(memory_order_acquire);
    for (;;) {
      unsigned const value = word(s.value).load(f == relaxed_value ? memory_order_relaxed : memory_order_acquire);
      if (value != empty) return value;
    }
  }
}

template <form f> __global__ void group(slot* table, unsigned* records, unsigned* sums, unsigned* broken) {
  unsigned const me = blockIdx.x * threads + threadIdx.x, key = me % keys;
  records[me] = key; // found: relaxed_value
  unsigned const record = insert_or_find<f>(table, key, me);
  if (record == empty || records[record] != key) atomicAdd(broken, 1); // found: relaxed_value
  else atomicAdd(sums + record, 1);
}

template <form f> bool run(int scale) {
  int const blocks = 4 * scale, count = blocks * threads;
  foreign::memory<slot> table(slots);
  foreign::memory<unsigned> records(count), sums(count), broken;
  for (int i = 0; i < slots; ++i) table[i] = {empty, empty};
  table.to_device();
  foreign::launch(blocks, threads, group<f>, table.data(), records.data(), sums.data(), broken.data());
  sums.to_host(), broken.to_host();
  int groups = 0;
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) groups += sums[i] != 0, sum += sums[i];
  return broken[0] == 0 && groups == keys && sum == unsigned(count);
}

foreign::program const program({{"right", run<right>},
                                {"value_not_awaited", run<value_not_awaited>},
                                {"relaxed_value", run<relaxed_value>},
                                {"plain_value", run<plain_value>},
                                {"weak_probe", run<weak_probe>},
                                {"claims_by_store", run<claims_by_store>}});

} // namespace
