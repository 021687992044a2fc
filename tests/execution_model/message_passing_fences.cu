// SPDX-License-Identifier: Apache-2.0
//
// A variation of the memory model's example: fences at device scope order x and f, whose accesses are relaxed. Block 1
// must see x.
#include "message.hpp"

using namespace execution_model;

static __global__ void pass_message(places* p) {
  cudax::atomic_ref<int, cudax::thread_scope_device> flag(p->f);
  if (blockIdx.x == 0) {
    p->x = 42;
    cudax::atomic_thread_fence(cudax::memory_order_release, cudax::thread_scope_device);
    flag.store(1, cudax::memory_order_relaxed);
  } else {
    while (flag.load(cudax::memory_order_relaxed) != 1) {}
    cudax::atomic_thread_fence(cudax::memory_order_acquire, cudax::thread_scope_device);
    p->seen = p->x;
  }
}

static end run() { return seen_by(pass_message) == 42 ? end::right : end::wrong; }

static example const here("memory.message_passing_fences", outcome::ends,
                          "release and acquire fences at device scope synchronize", run);
