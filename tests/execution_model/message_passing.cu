// SPDX-License-Identifier: Apache-2.0
//
// The example of the memory model: block 0 writes x and releases f, block 1 acquires f and must see x.
#include "message.hpp"

using namespace execution_model;

static __global__ void pass_message(places* p) {
  if (blockIdx.x == 0) {
    p->x = 42;
    cudax::atomic_ref<int, cudax::thread_scope_device> flag(p->f);
    flag.store(1, cudax::memory_order_release);
  } else {
    cudax::atomic_ref<int, cudax::thread_scope_device> flag(p->f);
    while (flag.load(cudax::memory_order_acquire) != 1) {}
    p->seen = p->x;
  }
}

static end run() { return seen_by(pass_message) == 42 ? end::right : end::wrong; }

static example const here("memory.message_passing", outcome::ends, "release and acquire at device scope synchronize",
                          run);
