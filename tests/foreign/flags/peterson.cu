// SPDX-License-Identifier: Apache-2.0
//
// Peterson's lock for two blocks: each raises its flag, gives the turn to the other, and waits while the other one's
// flag is up and the turn is the other's. The turn is given by an exchange, which reads what the other one wrote
// before.
//
// Source: stackoverflow.com/questions/5232689: what __threadfence is for, and how it goes with a flag
// Source: JuliaGPU/AcceleratedKernels.jl#98: a flag that is read atomically does not order the data beside it
// Source: A. Williams, "Peterson's lock with C++0x atomics" (2008): the lock by an exchange that acquires and releases
// Form: right
// Form: relaxed_exchange: race
// Form: relaxed_turn: race
// Form: stores_and_acq_rel_fence: race
// Form: stores_and_one_seq_cst_fence: race
// Form: block_scope: race
// Form: volatile_only: race
// Form: relaxed_unlock: race
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form {
  right,
  relaxed_exchange,
  relaxed_turn,
  stores_and_acq_rel_fence,
  stores_and_one_seq_cst_fence,
  block_scope,
  volatile_only,
  relaxed_unlock
};

struct peterson {
  int flags[2], turn, counter;
};

using namespace cudax;
template <form f> using word = atomic_ref<int, f == block_scope ? thread_scope_block : thread_scope_device>;

template <form f> __device__ void lock(peterson& p, int me) {
  int const other = 1 - me;
  if constexpr (f == volatile_only) {
    auto& v = static_cast<peterson volatile&>(p);
    v.flags[me] = 1;
    v.turn = other;
    while (v.flags[other] && v.turn == other);
  } else {
    word<f>(p.flags[me]).store(1, memory_order_relaxed);
    if constexpr (f == stores_and_acq_rel_fence || f == stores_and_one_seq_cst_fence) {
      // Even a sequentially consistent fence after both stores is not enough: nothing orders the two stores.
      word<f>(p.turn).store(other, memory_order_relaxed);
      atomic_thread_fence(f == stores_and_acq_rel_fence ? memory_order_acq_rel : memory_order_seq_cst,
                          thread_scope_device);
    } else {
      word<f>(p.turn).exchange(other, f == relaxed_exchange ? memory_order_relaxed : memory_order_acq_rel);
    }
    constexpr auto of_turn = f == relaxed_turn ? memory_order_relaxed : memory_order_acquire;
    while (word<f>(p.flags[other]).load(memory_order_acquire) && word<f>(p.turn).load(of_turn) == other);
  }
}

template <form f> __device__ void unlock(peterson& p, int me) {
  if constexpr (f == volatile_only) static_cast<peterson volatile&>(p).flags[me] = 0;
  else word<f>(p.flags[me]).store(0, f == relaxed_unlock ? memory_order_relaxed : memory_order_release);
}

template <form f> __global__ void count(peterson* p, int rounds) {
  int const me = int(blockIdx.x);
  for (int round = 0; round < rounds; ++round) {
    lock<f>(*p, me);
    ++p->counter; // found: race
    unlock<f>(*p, me);
  }
}

template <form f> bool run(int scale) {
  int const rounds = 20 * scale;
  foreign::memory<peterson> p;
  if (foreign::resident(2, 1, count<f>) < 2) return false;
  foreign::launch(2, 1, count<f>, p.data(), rounds);
  p.to_host();
  return p[0].counter == 2 * rounds;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_exchange", run<relaxed_exchange>},
                                {"relaxed_turn", run<relaxed_turn>},
                                {"stores_and_acq_rel_fence", run<stores_and_acq_rel_fence>},
                                {"stores_and_one_seq_cst_fence", run<stores_and_one_seq_cst_fence>},
                                {"block_scope", run<block_scope>},
                                {"volatile_only", run<volatile_only>},
                                {"relaxed_unlock", run<relaxed_unlock>}});

} // namespace
