// SPDX-License-Identifier: Apache-2.0
//
// The variation of the memory model: the store is atomic among the threads of block 0 alone, and the load that sees it is in
// block 1. A data race: undefined, so whatever it reads is reported and not judged. A checked run must find it.
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
