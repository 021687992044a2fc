// SPDX-License-Identifier: Apache-2.0
//
// As memory.message_passing_fences, but the scope of the release fence is block 0, and the acquire fence is in block 1.
// The fences do not synchronize, although all accesses to f are atomic at device scope: x is a data race, and undefined
// behavior. So the value that is read is reported and not judged. A checked run must find the race.
#include "message.hpp"

using namespace execution_model;

static __global__ void pass_message(places* p) {
  cudax::atomic_ref<int, cudax::thread_scope_device> flag(p->f);
  if (blockIdx.x == 0) {
    p->x = 42;
    cudax::atomic_thread_fence(cudax::memory_order_release, cudax::thread_scope_block);
    flag.store(1, cudax::memory_order_relaxed);
  } else {
    while (flag.load(cudax::memory_order_relaxed) != 1) {}
    cudax::atomic_thread_fence(cudax::memory_order_acquire, cudax::thread_scope_device);
    p->seen = p->x;
  }
}

static end run() { return seen_by(pass_message) == 42 ? end::right : end::other_values; }

static example const here("memory.message_passing_fence_block_scope", outcome::is_undefined,
                          "the scope of the release fence does not include the thread that acquires: a data race", run);
