// SPDX-License-Identifier: Apache-2.0
//
// A record is replaced by read-copy-update. A writer fills a new version of a record and publishes its index; readers
// load the index and then the record. Each reader counts its reads, and the writer uses an old version again after all
// readers have gone on since.
//
// Source: WG21 N2664 and P0371: reads that depend on the pointer, and why "consume" was given up
// Source: Desnoyers and others, "User-Level Implementations of Read-Copy Update" (2012): counters of readers, and their fences
// Form: right
// Form: relaxed_index: race
// Form: dependency_only: race
// Form: no_grace_period: race
// Form: no_fence_of_reader: race
// Form: relaxed_end_of_read: race
// Form: relaxed_wait: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  relaxed_index,
  dependency_only,
  no_grace_period,
  no_fence_of_reader,
  relaxed_end_of_read,
  relaxed_wait
};

constexpr int readers = 3, versions = 2;

struct record {
  int first, second; // equal
};
struct shared_state {
  int current, reads[readers], done, wrong[readers];
  record all[versions];
};

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

template <form f> __device__ void read(shared_state& s, int reader) {
  // The address of the record depends on the index. PTX gives such a dependency no order, so the load must acquire.
  int const index = word(s.current).load(f == dependency_only ? memory_order_relaxed : memory_order_acquire);
  int const first = s.all[index].first, second = s.all[index].second; // found: race
  if (first != second) ++s.wrong[reader];
  int const count = word(s.reads[reader]).load(memory_order_relaxed);
  word(s.reads[reader]).store(count + 1, f == relaxed_end_of_read ? memory_order_relaxed : memory_order_release);
}

/// Returns when no reader has the old version. Assume that a count is seen as `before`. The fence that the reader makes
/// after the next count then comes after this thread's fence, so that all later reads see the new version.
template <form f> __device__ void wait_for_readers(shared_state& s) {
  constexpr auto order = f == relaxed_wait ? memory_order_relaxed : memory_order_acquire;
  for (int r = 0; r < readers; ++r) {
    int const before = word(s.reads[r]).load(memory_order_relaxed);
    while (word(s.reads[r]).load(order) < before + 1);
  }
}

template <form f> __global__ void exercise(shared_state* s, int rounds) { // blocks of one thread
  if (blockIdx.x == 0) {
    for (int round = 1; round <= rounds; ++round) {
      int const next = round % versions;
      s->all[next].first = s->all[next].second = round; // found: race
      word(s->current).store(next, f == relaxed_index ? memory_order_relaxed : memory_order_release);
      atomic_thread_fence(memory_order_seq_cst, thread_scope_device);
      if constexpr (f != no_grace_period) wait_for_readers<f>(*s);
    }
    word(s->done).store(1, memory_order_relaxed);
  } else {
    while (!word(s->done).load(memory_order_relaxed)) {
      read<f>(*s, int(blockIdx.x) - 1);
      if constexpr (f != no_fence_of_reader) atomic_thread_fence(memory_order_seq_cst, thread_scope_device);
    }
  }
}

template <form f> bool run(int scale) {
  foreign::memory<shared_state> s;
  if (foreign::resident(1 + readers, 1, exercise<f>) <= readers) return false;
  foreign::launch(1 + readers, 1, exercise<f>, s.data(), 5 * scale);
  s.to_host();
  for (int r = 0; r < readers; ++r)
    if (s[0].wrong[r]) return false;
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_index", run<relaxed_index>},
                                {"dependency_only", run<dependency_only>},
                                {"no_grace_period", run<no_grace_period>},
                                {"no_fence_of_reader", run<no_fence_of_reader>},
                                {"relaxed_end_of_read", run<relaxed_end_of_read>},
                                {"relaxed_wait", run<relaxed_wait>}});

} // namespace
