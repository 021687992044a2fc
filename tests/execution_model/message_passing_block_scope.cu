// SPDX-License-Identifier: Apache-2.0
//
// A variation of the memory model's example: the store is atomic only to the threads of block 0, but the load that
// reads it is in block 1. This is a data race, and undefined behavior, so the value that is read is reported and not
// judged. A checked run must find the race.
#include "message.hpp"

using namespace execution_model;

static __global__ void pass_message(places* p) {
  if (blockIdx.x == 0) {
    p->x = 42;
    cudax::atomic_ref<int, cudax::thread_scope_block> flag(p->f);
    flag.store(1, cudax::memory_order_release);
  } else {
    cudax::atomic_ref<int, cudax::thread_scope_device> flag(p->f);
    while (flag.load(cudax::memory_order_acquire) != 1) {}
    p->seen = p->x;
  }
}

static end run() { return seen_by(pass_message) == 42 ? end::right : end::other_values; }

static example const here("memory.message_passing_block_scope", outcome::is_undefined,
                          "the scope of the store does not include the thread that loads: a data race", run);
