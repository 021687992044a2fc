// SPDX-License-Identifier: Apache-2.0
//
// A table that the first warp that needs it computes. All others check a flag before they use the table, and wait if it
// is being computed: double-checked initialization.
//
// Source: numba/numba#7387: the flag "initialized" was set before the initialization
// Source: halide/Halide#3565: a second thread took one loaded symbol as evidence that all were loaded
// Source: open-mpi/ompi#11253: why double-checked locking can be unsafe
// Source: ORNL/HeCBench#221: lane 0 allocated a buffer, and the other lanes read its address without a warp barrier
// Form: right
// Form: flag_first: race
// Form: relaxed_check: race
// Form: plain_check: race
// Form: relaxed_ready: race
// Form: no_barrier_before_ready: race
// Form: lanes_do_not_wait: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, flag_first, relaxed_check, plain_check, relaxed_ready, no_barrier_before_ready, lanes_do_not_wait };

constexpr int words = 32;
enum state : int { missing, in_work, ready };

struct lazy {
  int state;
  int table[words];
};

using word = cudax::atomic_ref<int, cudax::thread_scope_device>;

template <form f> __device__ bool is_ready(lazy& l) {
  if constexpr (f == plain_check) return l.state == ready; // found: race
  else
    return word(l.state).load(f == relaxed_check ? cudax::memory_order_relaxed : cudax::memory_order_acquire) == ready;
}

/// For a warp.
template <form f> __device__ void require(lazy& l) {
  int const lane = int(threadIdx.x) % 32;
  int must_compute = 0;
  if (lane == 0 && !is_ready<f>(l)) {
    int expected = missing;
    must_compute =
        word(l.state).compare_exchange_strong(expected, f == flag_first ? ready : in_work, cudax::memory_order_relaxed);
  }
  if (__shfl_sync(0xffffffff, must_compute, 0)) {
    l.table[lane] = lane * lane + 1; // found: race
    if constexpr (f != no_barrier_before_ready) __syncwarp();
    if (lane == 0)
      word(l.state).store(ready, f == relaxed_ready ? cudax::memory_order_relaxed : cudax::memory_order_release);
  } else if (lane == 0) {
    while (!is_ready<f>(l));
  }
  if constexpr (f != lanes_do_not_wait) __syncwarp(); // what lane 0 has acquired, all lanes have
}

template <form f> __global__ void look_up(lazy* caches, int count, int* sums) {
  int const lane = int(threadIdx.x) % 32, warp = int(blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int sum = 0;
  for (int c = 0; c < count; ++c) {
    require<f>(caches[c]);
    sum += caches[c].table[(lane + 5) % words]; // found: race
  }
  sums[warp * 32 + lane] = sum;
}

template <form f> bool run(int scale) {
  constexpr int blocks = 4, threads = 64;
  int const count = 6 * scale;
  foreign::memory<lazy> caches(count);
  foreign::memory<int> sums(blocks * threads);
  foreign::launch(blocks, threads, look_up<f>, caches.data(), count, sums.data());
  sums.to_host();
  for (int i = 0; i < blocks * threads; ++i) {
    int const at = (i + 5) % 32;
    if (sums[i] != count * (at * at + 1)) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"flag_first", run<flag_first>},
                                {"relaxed_check", run<relaxed_check>},
                                {"plain_check", run<plain_check>},
                                {"relaxed_ready", run<relaxed_ready>},
                                {"no_barrier_before_ready", run<no_barrier_before_ready>},
                                {"lanes_do_not_wait", run<lanes_do_not_wait>}});

} // namespace
