// SPDX-License-Identifier: Apache-2.0
//
// A log of many producers with one index that says how far it is complete. A producer reserves a place, writes its
// record, waits until all earlier records are complete, and advances the index. A reader follows the index.
//
// Source: ROCm/rocm-systems#9657: one operation reserved a place and published it; a reader hung at an unwritten one
// Source: ROCm/rocm-systems#10377: a producer publishes after all earlier reservations, and not before
// Source: aws/aws-ofi-nccl#1323: why a ring of one producer does not serve many
// Form: right
// Form: reads_what_is_reserved: race
// Form: counts_complete_records: race
// Form: relaxed_index: race
// Form: wait_without_acquire: race
// Form: record_after_index: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  reads_what_is_reserved,
  counts_complete_records,
  relaxed_index,
  wait_without_acquire,
  record_after_index
};

constexpr int producers = 3;

struct record {
  int producer, number, check;
};
struct log_state {
  int reserved, complete, wrong;
};

using namespace cudax;
using word = atomic_ref<int, thread_scope_device>;

template <form f> __device__ void append(log_state& s, record* records, record const& r) {
  int const at = word(s.reserved).fetch_add(1, memory_order_relaxed);
  if constexpr (f != record_after_index) records[at] = r; // found: race
  constexpr auto store_order = f == relaxed_index ? memory_order_relaxed : memory_order_release;
  if constexpr (f == counts_complete_records) {
    word(s.complete).fetch_add(1, memory_order_acq_rel);
  } else {
    // A store, not a read-modify-write: so what earlier producers released must be acquired here, to be passed on.
    while (word(s.complete).load(f == wait_without_acquire ? memory_order_relaxed : memory_order_acquire) != at);
    word(s.complete).store(at + 1, store_order);
  }
  if constexpr (f == record_after_index) records[at] = r; // found: race
}

template <form f> __global__ void run_log(log_state* s, record* records, int each) { // blocks of one thread
  int const b = int(blockIdx.x);
  if (b < producers) {
    for (int n = 0; n < each; ++n) append<f>(*s, records, {b, n, b * 100 + n});
    return;
  }
  int wrong = 0;
  for (int at = 0, complete = 0; at < producers * each; ++at) {
    while (complete <= at)
      complete = word(f == reads_what_is_reserved ? s->reserved : s->complete).load(memory_order_acquire);
    record const r = records[at]; // found: race
    wrong += r.check != r.producer * 100 + r.number;
  }
  s->wrong = wrong;
}

template <form f> bool run(int scale) {
  int const each = 6 * scale;
  foreign::memory<log_state> s;
  foreign::memory<record> records(producers * each);
  for (int i = 0; i < producers * each; ++i) records[i] = {-1, -1, -1};
  records.to_device();
  if (foreign::resident(producers + 1, 1, run_log<f>) <= producers) return false;
  foreign::launch(producers + 1, 1, run_log<f>, s.data(), records.data(), each);
  s.to_host();
  records.to_host();
  int counts[producers] = {};
  for (int i = 0; i < producers * each; ++i)
    if (records[i].producer < 0 || records[i].number != counts[records[i].producer]++) return false;
  return s[0].wrong == 0 && s[0].complete == producers * each;
}

foreign::program const program({{"right", run<right>},
                                {"reads_what_is_reserved", run<reads_what_is_reserved>},
                                {"counts_complete_records", run<counts_complete_records>},
                                {"relaxed_index", run<relaxed_index>},
                                {"wait_without_acquire", run<wait_without_acquire>},
                                {"record_after_index", run<record_after_index>}});

} // namespace
