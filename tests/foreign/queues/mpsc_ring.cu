// SPDX-License-Identifier: Apache-2.0
//
// A ring of messages from many blocks to one, as in a log: a producer reserves a place, writes its message, waits until
// all places before are committed, and commits its own. The consumer acquires the number of committed places.
//
// Source: ROCm/rocm-systems#10367: a later producer published the write index before an earlier slot was written
// Source: PTX ISA, "Causality Order": a producer that commits passes on what the producers before it have released
// Form: right
// Form: relaxed_wait_for_turn: race
// Form: relaxed_commit: race
// Form: commit_without_turn: race
// Form: space_by_old_count: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, relaxed_wait_for_turn, relaxed_commit, commit_without_turn, space_by_old_count };

constexpr int threads = 16;
constexpr unsigned slots = 8, messages = 3; // of each producer

using word = cudax::atomic_ref<unsigned, cudax::thread_scope_device>;
using namespace cudax;

struct ring {
  unsigned reserved, committed, consumed;
  unsigned text[slots][2];
};

template <form f> __device__ void send(ring& r, unsigned value) {
  unsigned const place = word(r.reserved).fetch_add(1, memory_order_relaxed);
  while (place - word(r.consumed).load(f == space_by_old_count ? memory_order_relaxed : memory_order_acquire) >= slots);
  r.text[place % slots][0] = value;  // found: race
  r.text[place % slots][1] = ~value; // found: race
  if constexpr (f == commit_without_turn) {
    word(r.committed).fetch_add(1, memory_order_release);
  } else {
    auto const wait_order = f == relaxed_wait_for_turn ? memory_order_relaxed : memory_order_acquire;
    while (word(r.committed).load(wait_order) != place);
    word(r.committed).store(place + 1, f == relaxed_commit ? memory_order_relaxed : memory_order_release);
  }
}

template <form f> __global__ void log(ring* r, unsigned* sum, unsigned* broken) {
  unsigned const producers = (gridDim.x - 1) * threads;
  if (blockIdx.x > 0) {
    for (unsigned i = 0; i < messages; ++i) send<f>(*r, ((blockIdx.x - 1) * threads + threadIdx.x) * messages + i);
  } else if (threadIdx.x == 0) {
    for (unsigned place = 0; place < producers * messages;) {
      unsigned const end = word(r->committed).load(memory_order_acquire);
      for (; place != end; ++place) {
        unsigned const value = r->text[place % slots][0];   // found: race
        if (r->text[place % slots][1] != ~value) ++*broken; // found: race
        *sum += value;
      }
      word(r->consumed).store(place, memory_order_release);
    }
  }
}

template <form f> bool run(int scale) {
  foreign::memory<ring> r;
  foreign::memory<unsigned> sum, broken;
  int const blocks = foreign::resident(1 + 2 * scale, threads, log<f>);
  foreign::launch(blocks, threads, log<f>, r.data(), sum.data(), broken.data());
  sum.to_host(), broken.to_host();
  unsigned const all = unsigned(blocks - 1) * threads * messages;
  return broken[0] == 0 && sum[0] == all * (all - 1) / 2;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_wait_for_turn", run<relaxed_wait_for_turn>},
                                {"relaxed_commit", run<relaxed_commit>},
                                {"commit_without_turn", run<commit_without_turn>},
                                {"space_by_old_count", run<space_by_old_count>}});

} // namespace
