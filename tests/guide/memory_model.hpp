// SPDX-License-Identifier: Apache-2.0
//
// memory_model: the code of the page "The memory model", and of the page "Finding a race".
#pragma once
#include "guide.hpp"

namespace guide::memory_model {

struct places {
  int x = 0;
  int f = 0;
  int seen = 0;
};

// [message]
__global__ void pass_message(int* x, int* f, int* seen) {
  cudax::atomic_ref<int, cudax::thread_scope_device> flag(*f);
  if (blockIdx.x == 0) {
    *x = 42;
    flag.store(1, cudax::memory_order_release);
  } else {
    while (flag.load(cudax::memory_order_acquire) != 1) {}
    *seen = *x; // 42
  }
}
// [/message]

// [race]
__global__ void pass_message_wrongly(int* x, int* f, int* seen) {
  if (blockIdx.x == 0) {
    *x = 42;
    cudax::atomic_ref<int, cudax::thread_scope_block> flag(*f);
    flag.store(1, cudax::memory_order_release); // data race: the scope excludes block 1
  } else {
    cudax::atomic_ref<int, cudax::thread_scope_device> flag(*f);
    while (flag.load(cudax::memory_order_acquire) != 1) {} // data race
    *seen = *x;
  }
}
// [/race]

// [fences]
using device_flag = cudax::atomic_ref<int, cudax::thread_scope_device>;
constexpr auto device = cudax::thread_scope_device;

// A release fence and an acquire fence.
__device__ void publish_by_fence(int* x, device_flag flag) {
  *x = 42;
  cudax::atomic_thread_fence(cudax::memory_order_release, device);
  flag.store(1, cudax::memory_order_relaxed);
}
__device__ int receive_by_fence(int const* x, device_flag flag) {
  while (flag.load(cudax::memory_order_relaxed) != 1) {}
  cudax::atomic_thread_fence(cudax::memory_order_acquire, device);
  return *x;
}

// A release operation and an acquire operation. Each of the two may be paired
// with a fence on the other side.
__device__ void publish_by_store(int* x, device_flag flag) {
  *x = 42;
  flag.store(1, cudax::memory_order_release);
}
__device__ int receive_by_load(int const* x, device_flag flag) {
  while (flag.load(cudax::memory_order_acquire) != 1) {}
  return *x;
}
// [/fences]

/// The three pairs that contain a fence: fence and fence, fence and operation, operation and fence.
__global__ void pass_by_fences(places* all) {
  if (blockIdx.x == 0) {
    publish_by_fence(&all[0].x, device_flag(all[0].f));
    publish_by_fence(&all[1].x, device_flag(all[1].f));
    publish_by_store(&all[2].x, device_flag(all[2].f));
  } else {
    all[0].seen = receive_by_fence(&all[0].x, device_flag(all[0].f));
    all[1].seen = receive_by_load(&all[1].x, device_flag(all[1].f));
    all[2].seen = receive_by_fence(&all[2].x, device_flag(all[2].f));
  }
}

// [barrier]
struct halves {
  cudax::barrier<cudax::thread_scope_device> all_written{2};
  int left = 0, right = 0, sum[2] = {};
};

__global__ void exchange(halves* h) { // two blocks of one thread
  (blockIdx.x == 0 ? h->left : h->right) = int(blockIdx.x) + 1;
  h->all_written.arrive_and_wait();
  h->sum[blockIdx.x] = h->left + h->right; // both see 3
}
// [/barrier]

inline void run() {
  auto const all = cudax::make_managed<places[]>(4);
  places* const p = all.device_pointer();
  cudax::launch_coresident(pass_message, 2, 1, 0, nullptr, &p[3].x, &p[3].f, &p[3].seen);
  cudax::launch_coresident(pass_by_fences, 2, 1, 0, nullptr, p);
  finish("memory model");
  for (int i = 0; i < 4; ++i) expect(all[i].seen == 42, "memory model");
  auto const h = cudax::make_managed<halves>();
  cudax::launch_coresident(exchange, 2, 1, 0, nullptr, h.device_pointer());
  finish("memory model: barrier");
  expect(h->sum[0] == 3 && h->sum[1] == 3, "memory model: barrier");
}

/// For checked runs, which must find the race.
inline void run_race() {
  auto const p = cudax::make_managed<places>();
  cudax::launch_coresident(pass_message_wrongly, 2, 1, 0, nullptr, &p->x, &p->f, &p->seen);
  finish("race");
}

} // namespace guide::memory_model
