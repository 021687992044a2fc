// SPDX-License-Identifier: Apache-2.0
//
// this_warpgroup (extension): registers that move between the warpgroups of a block. The kernels need an SM with a
// letter. What values a kernel computes with more registers than it began with, and that an increase waits.
#include "support/test.hpp"

import cudax.sync;

using namespace cudax;
using namespace cudax_test;

HOST_TEST("on the host the calls do nothing") {
  this_warpgroup.decrease_registers<24>();
  this_warpgroup.increase_registers<240>();
  CHECK(true);
}

#if defined(__CUDA__)

/// A block of three warpgroups: the first gives up registers, late; the others take them, and compute with many values
/// that live at the same time.
struct register_counts {
  unsigned given;   // threads of the first warpgroup that were about to give up
  unsigned seen[2]; // the smallest number of these that a thread of each other warpgroup saw after its increase
  unsigned long long sums[256];
};

constexpr unsigned long long step(unsigned long long x, unsigned k) { return x * 6364136223846793005ull + k; }

static __global__ void __launch_bounds__(384, 1)
    exchange_registers(register_counts* c, unsigned long long const* in, int rounds) {
  unsigned const me = threadIdx.x;
  atomic_ref<unsigned, thread_scope_block> given(c->given);
  if (me < 128) {
    for (int i = 0; i < 20; ++i) __nanosleep(10'000);
    given.fetch_add(1, memory_order_relaxed);
    this_warp.sync();
    this_warpgroup.decrease_registers<24>();
    return;
  }
  this_warpgroup.increase_registers<240>();
  // A modification, since a load may read an old value.
  atomic_ref<unsigned, thread_scope_block>(c->seen[me / 128 - 1]).fetch_min(given.fetch_add(0, memory_order_relaxed));
  unsigned long long values[96]; // 192 registers
#pragma unroll
  for (unsigned k = 0; k < 96; ++k) values[k] = in[(me + k) % 256];
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (unsigned k = 0; k < 96; ++k) values[k] = step(values[k] ^ values[(k + 1) % 96], k);
  unsigned long long sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 96; ++k) sum = sum * 3 + values[k];
  c->sums[me - 128] = sum;
}

DEVICE_TEST("an increase waits for what other warpgroups give up, and the registers hold values") {
  constexpr int rounds = 3;
  register_counts* c = nullptr;
  unsigned long long* in = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&c), sizeof(*c)));
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&in), 256 * sizeof(*in)));
  *c = register_counts{0, {~0u, ~0u}, {}};
  for (unsigned i = 0; i < 256; ++i) in[i] = step(i, 12345);
  exchange_registers<<<1, 384>>>(c, in, rounds);
  CHECK_EQUAL(int(cudaGetLastError()), int(cudaSuccess));
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  // A warp of 168 registers that keeps 24 gives up 144, enough for two warps that need 72 more.
  CHECK(c->seen[0] >= 32);
  CHECK(c->seen[1] >= 32);
  unsigned wrong = 0;
  for (unsigned me = 128; me < 384; ++me) {
    unsigned long long values[96], sum = 0;
    for (unsigned k = 0; k < 96; ++k) values[k] = in[(me + k) % 256];
    for (int round = 0; round < rounds; ++round)
      for (unsigned k = 0; k < 96; ++k) values[k] = step(values[k] ^ values[(k + 1) % 96], k);
    for (unsigned k = 0; k < 96; ++k) sum = sum * 3 + values[k];
    wrong += c->sums[me - 128] != sum;
  }
  CHECK_EQUAL(wrong, 0u);
  cudaFree(c);
  cudaFree(in);
}

#endif
