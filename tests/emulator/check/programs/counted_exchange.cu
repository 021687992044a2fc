// SPDX-License-Identifier: Apache-2.0
//
// Two blocks of a cluster read a tile once and exchange what they made of it, as on the guide's page "Barriers that
// count bytes". init: the barrier is not published to the other block. phases: a block may end phase 1 of the other
// one's barrier while a thread there waits for phase 0.
#include "program.hpp"
#include "ptx.hpp"
import cudax.sync;

namespace {

using namespace cudax;

constexpr unsigned threads = 32;
enum class mistake { none, init, phases };

/// Polls no more than so often where the phase may never come.
template <mistake made>
[[gnu::always_inline, gnu::nodebug]] inline __device__ void wait(barrier<thread_scope_block>& b, bool parity) {
  for (int poll = 0; !device::barrier_try_wait_parity_cluster(b, parity) && (made != mistake::phases || poll < 200);)
    ++poll;
}

template <mistake made>
__global__ void pass_on(int const* from, int* seen) {
  __shared__ alignas(16) int tile[threads], received[threads];
  __shared__ barrier<thread_scope_block> ready;
  int const rank = int(ptx::cluster_ctarank());
  aligned_size_t<16> const size(sizeof(tile));
  if (threadIdx.x == 0) {
    init(&ready, 1); // init first phases first
    if constexpr (made != mistake::init) device::fence_barrier_init();
  }
  this_cluster.wait(this_cluster.arrive_relaxed());
  if (threadIdx.x == 0) {
    (void)device::barrier_arrive_tx(ready, 1, size);
    if (rank == 0) device::memcpy_async_tx_multicast(tile, from, size, ready, 0b11);
  }
  wait<made>(ready, false); // phases second
  if constexpr (made == mistake::phases) __syncthreads();
  else this_cluster.sync();
  auto& there = *this_cluster.map_shared_rank(&ready, 1 - rank);
  if (threadIdx.x == 0) {
    device::barrier_arrive_tx_remote(there, 1, size); // init second
    device::memcpy_async_tx_remote(this_cluster.map_shared_rank(received, 1 - rank), tile, size, there);
  }
  wait<made>(ready, true);
  seen[rank * int(threads) + int(threadIdx.x)] = received[threadIdx.x];
  this_cluster.sync();
}

template <mistake made>
bool run(bool right) {
  check::device_memory<int> from(threads), seen(2 * threads);
  check::launch({.blocks = 2, .threads = threads, .cluster = 2}, right ? pass_on<mistake::none> : pass_on<made>,
                from.data(), seen.data());
  return seen.all_are(0);
}

check::program const programs[] = {
    {"barrier_not_published_to_the_cluster", "race", run<mistake::init>, 10},
    {"remote_phase_ends_too_early", "misuse", run<mistake::phases>, 9},
};

} // namespace
