// SPDX-License-Identifier: Apache-2.0
//
// Messages in lines of 128 bytes that eight lanes write, 16 bytes each: 120 bytes of data, and a flag in the last 8
// bytes. The right form orders data and flag by a barrier of the warp and a release; NCCL's LL128 relies on the machine
// instead.
//
// Source: NVIDIA/nccl#281 and #1728: LL128 relies on stores of 128 bytes that are seen in order
// Source: NVIDIA/nccl#786 and #831: where the path does not keep the order, data are corrupt without an error
// Form: right
// Form: order_of_the_machine: race
// Form: no_warp_barrier: race
// Form: reader_without_acquire: race
// Form: volatile_data: wrong answer
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, order_of_the_machine, no_warp_barrier, reader_without_acquire, volatile_data };

constexpr int threads = 32, lanes = 8; // of a line
constexpr unsigned long long steps = 4;

using u64 = unsigned long long;
using word = cudax::atomic_ref<u64, cudax::thread_scope_device>;
using namespace cudax;

struct alignas(16) pair {
  u64 a, b;
};
struct alignas(128) line {
  pair of[lanes];
};

template <form f> __device__ void put(u64& to, u64 value) {
  if constexpr (f == volatile_data) *static_cast<u64 volatile*>(&to) = value;
  else to = value; // found: race
}
template <form f> __device__ u64 get(u64& from) {
  if constexpr (f == volatile_data) return *static_cast<u64 volatile*>(&from);
  else return from; // found: race
}

template <form f> __device__ void send(line& l, u64 a, u64 b, u64 flag) {
  int const lane = int(threadIdx.x) % lanes;
  put<f>(l.of[lane].a, a);
  if (lane != lanes - 1) put<f>(l.of[lane].b, b);
  constexpr bool ordered = f != order_of_the_machine && f != volatile_data;
  if constexpr (ordered && f != no_warp_barrier) __syncwarp();
  if (lane == lanes - 1) word(l.of[lane].b).store(flag, ordered ? memory_order_release : memory_order_relaxed);
}

/// Returns the sum of this lane's data.
template <form f> __device__ u64 receive(line& l, u64 flag) {
  int const lane = int(threadIdx.x) % lanes;
  constexpr bool ordered = f == right || f == no_warp_barrier;
  if (lane == lanes - 1)
    while (word(l.of[lane].b).load(ordered ? memory_order_acquire : memory_order_relaxed) != flag);
  __syncwarp();
  u64 const a = get<f>(l.of[lane].a);
  return lane == lanes - 1 ? a : a + get<f>(l.of[lane].b);
}

/// Even blocks send to the odd ones; each step has lines of its own.
template <form f> __global__ void pass(line* lines, u64* out) {
  u64 sum = 0;
  for (u64 step = 0; step < steps; ++step) {
    line& l = lines[(blockIdx.x / 2 * steps + step) * (threads / lanes) + threadIdx.x / lanes];
    if (blockIdx.x % 2 == 0) send<f>(l, step + threadIdx.x, step * threadIdx.x, step + 1);
    else sum += receive<f>(l, step + 1);
  }
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

template <form f> bool run(int scale) {
  int const blocks = foreign::resident(4 * scale, threads, pass<f>) / 2 * 2;
  foreign::memory<line> lines(blocks / 2 * int(steps) * threads / lanes);
  foreign::memory<u64> out(blocks * threads);
  foreign::launch(blocks, threads, pass<f>, lines.data(), out.data());
  out.to_host();
  for (int i = 0; i < out.size(); ++i) {
    u64 const thread = u64(i % threads);
    u64 sum = 0;
    for (u64 step = 0; step < steps; ++step) sum += step + thread + (thread % lanes == lanes - 1 ? 0 : step * thread);
    if (i / threads % 2 && out[i] != sum) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"order_of_the_machine", run<order_of_the_machine>},
                                {"no_warp_barrier", run<no_warp_barrier>},
                                {"reader_without_acquire", run<reader_without_acquire>},
                                {"volatile_data", run<volatile_data>}});

} // namespace
