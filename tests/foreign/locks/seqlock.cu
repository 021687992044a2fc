// SPDX-License-Identifier: Apache-2.0
//
// A sequence lock: one writer updates a record of three words again and again, and readers copy it without a lock. They
// read the sequence number before and after, and repeat if it is odd or has changed.
//
// Source: Boehm, "Can Seqlocks Get Along with Programming Language Memory Models?" (MSPC 2012): the fences
// Source: Project-HAMi/HAMi-core#269: two writers make the sequence number even while both write, and readers accept it
// Form: right
// Form: no_reader_fence: wrong answer
// Form: no_writer_fence: wrong answer
// Form: relaxed_end: wrong answer
// Form: plain_record: race
// Form: two_writers: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, no_reader_fence, no_writer_fence, relaxed_end, plain_record, two_writers };

constexpr int words = 3, threads = 16;

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;
using namespace cudax;

template <form f> __device__ int get(int& w) {
  if constexpr (f == plain_record) return w; // found: plain_record
  else return word(w).load(memory_order_relaxed);
}
template <form f> __device__ void put(int& w, int value) {
  if constexpr (f == plain_record) w = value; // found: plain_record
  else word(w).store(value, memory_order_relaxed);
}

template <form f> __device__ void write(int* record, int* sequence, int value) {
  int const before = word(*sequence).load(memory_order_relaxed);
  if constexpr (f == two_writers) word(*sequence).fetch_add(1, memory_order_relaxed);
  else word(*sequence).store(before + 1, memory_order_relaxed);
  if constexpr (f != no_writer_fence) atomic_thread_fence(memory_order_release, thread_scope_device);
  for (int i = 0; i < words; ++i) put<f>(record[i], value + i);
  if constexpr (f == two_writers) word(*sequence).fetch_add(1, memory_order_release);
  else word(*sequence).store(before + 2, f == relaxed_end ? memory_order_relaxed : memory_order_release);
}

/// Returns the record's first word, or -1 if the words are of different writes.
template <form f> __device__ int read(int* record, int* sequence) {
  for (;;) {
    int const before = word(*sequence).load(memory_order_acquire);
    int copy[words];
    for (int i = 0; i < words; ++i) copy[i] = get<f>(record[i]);
    if constexpr (f != no_reader_fence) atomic_thread_fence(memory_order_acquire, thread_scope_device);
    if (before % 2 != 0 || word(*sequence).load(memory_order_relaxed) != before) continue;
    for (int i = 1; i < words; ++i)
      if (copy[i] != copy[0] + i) return -1;
    return copy[0];
  }
}

template <form f> __global__ void update_and_read(int* record, int* sequence, int* torn, int writes) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0 || (f == two_writers && threadIdx.x == 1))
      for (int i = 1; i <= writes; ++i) write<f>(record, sequence, 10 * i);
    return;
  }
  int last = 0;
  for (int i = 0; i < writes; ++i) {
    int const value = read<f>(record, sequence);
    if (value < last) atomicAdd(torn, 1); // torn, or older than what this thread has read before
    else last = value;
  }
}

template <form f> bool run(int scale) {
  foreign::memory<int> record(words), sequence, torn;
  for (int i = 0; i < words; ++i) record[i] = i;
  record.to_device();
  foreign::launch(1 + foreign::resident(2 * scale, threads, update_and_read<f>) / 2, threads, update_and_read<f>,
                  record.data(), sequence.data(), torn.data(), 8);
  torn.to_host();
  return torn[0] == 0;
}

foreign::program const program({{"right", run<right>},
                                {"no_reader_fence", run<no_reader_fence>},
                                {"no_writer_fence", run<no_writer_fence>},
                                {"relaxed_end", run<relaxed_end>},
                                {"plain_record", run<plain_record>},
                                {"two_writers", run<two_writers>}});

} // namespace
