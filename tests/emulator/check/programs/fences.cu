// SPDX-License-Identifier: Apache-2.0
//
// Programs ordered by fences alone. The wrong twin leaves out one of them, or gives it block scope, which is too
// narrow, since the fences here order accesses of different blocks. chain: a block passes data to a second block, and
// that one to a third: four fences. dekker: each of two blocks raises its flag, and enters if the other flag is down:
// two fences, without which both may enter.
#include "program.hpp"
import cudax.sync;

namespace {

using namespace cudax;
using flag_ref = atomic_ref<int, thread_scope_device>;

enum fence {
  none,
  chain_release,
  chain_acquire,
  chain_release_again,
  chain_acquire_again,
  dekker_first,
  dekker_second
};

enum mistake { left_out, at_block_scope };

template <fence wrong, mistake how, fence here>
__device__ void order_by(memory_order order) {
  if constexpr (wrong != here) atomic_thread_fence(order, thread_scope_device);
  else if constexpr (how == at_block_scope) atomic_thread_fence(order, thread_scope_block);
}

template <fence wrong, mistake how = left_out>
__global__ void chain(int* data, int* more, int* flags, int* seen) {
  flag_ref first(flags[0]), second(flags[1]);
  if (blockIdx.x == 0) {
    *data = 42; // first
    order_by<wrong, how, chain_release>(memory_order_release);
    first.store(1, memory_order_relaxed);
  } else if (blockIdx.x == 1) {
    while (!first.load(memory_order_relaxed));
    order_by<wrong, how, chain_acquire>(memory_order_acquire);
    *more = *data + 1; // first second
    order_by<wrong, how, chain_release_again>(memory_order_release);
    second.store(1, memory_order_relaxed);
  } else {
    while (!second.load(memory_order_relaxed));
    order_by<wrong, how, chain_acquire_again>(memory_order_acquire);
    seen[0] = *more; // second
    seen[1] = *data; // second
  }
}

template <fence wrong, mistake how = left_out>
bool run_chain(bool right) {
  check::device_memory<int> data, more, flags(2), seen(2);
  check::launch({.blocks = 3}, right ? chain<none, left_out> : chain<wrong, how>, data.data(), more.data(),
                flags.data(), seen.data());
  return seen[0] == 43 && seen[1] == 42;
}

template <fence wrong, mistake how = left_out>
__global__ void dekker(int* flags, int* data, int* entered) {
  flag_ref mine(flags[blockIdx.x]), other(flags[1 - blockIdx.x]);
  mine.store(1, memory_order_relaxed);
  if (blockIdx.x == 0) order_by<wrong, how, dekker_first>(memory_order_seq_cst);
  else order_by<wrong, how, dekker_second>(memory_order_seq_cst);
  if (other.load(memory_order_relaxed)) return;
  *data = int(blockIdx.x); // first second
  entered[blockIdx.x] = 1;
}

template <fence wrong, mistake how = left_out>
bool run_dekker(bool right) {
  check::device_memory<int> flags(2), data, entered(2);
  check::launch({.blocks = 2}, right ? dekker<none, left_out> : dekker<wrong, how>, flags.data(), data.data(),
                entered.data());
  return entered[0] + entered[1] < 2;
}

check::program const programs[] = {
    {"fence_release", "race", run_chain<chain_release>},
    {"fence_acquire", "race", run_chain<chain_acquire>},
    {"fence_release_again", "race", run_chain<chain_release_again>},
    {"fence_acquire_again", "race", run_chain<chain_acquire_again>},
    {"fence_sc_first", "race", run_dekker<dekker_first>},
    {"fence_sc_second", "race", run_dekker<dekker_second>},
    {"fence_release_block_scope", "race", run_chain<chain_release, at_block_scope>},
    {"fence_acquire_block_scope", "race", run_chain<chain_acquire, at_block_scope>},
    {"fence_release_again_block_scope", "race", run_chain<chain_release_again, at_block_scope>},
    {"fence_acquire_again_block_scope", "race", run_chain<chain_acquire_again, at_block_scope>},
    {"fence_sc_first_block_scope", "race", run_dekker<dekker_first, at_block_scope>},
    {"fence_sc_second_block_scope", "race", run_dekker<dekker_second, at_block_scope>},
};

} // namespace
