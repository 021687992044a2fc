// SPDX-License-Identifier: Apache-2.0
//
// staged_cluster: stages that the blocks of a cluster fill for each other: each block copies a part of a tile to all of
// them. By a pipeline of cudax.sync, and by mbarriers by hand in two forms:
//   order::restricted   fences of shared memory at cluster scope, around relaxed operations: what the PTX model demands
//   order::block        the default qualifiers, .release.cta and .acquire.cta, as CUTLASS has them: too narrow for
//                       the model
// cudax.sync has one form, which is compared with both. The interface is that of `stages` (staged.hpp), without pass;
// fill copies the part of the caller's block.
#pragma once

#include "clusters.hpp"
#include "staged.hpp"

namespace CUDAX_BENCH_SIDE {

enum class order { restricted, block };
inline constexpr unsigned shared_tile_bytes = 16384;

#if defined(CUDAX_BENCH_PTX) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900

template <unsigned Blocks, order Order>
class cluster_stages : public stages {
public:
  using stages::stages;
  __device__ static void meet() { __trap(); }
};

#elif defined(CUDAX_BENCH_PTX)

template <unsigned Blocks, order Order>
class cluster_stages : public stages_by_hand {
  unsigned full_;
  unsigned empty_;

  __device__ static void wait(unsigned barrier, unsigned parity) {
    if constexpr (Order == order::restricted) wait_in_cluster(barrier, parity);
    else wait_at_block_scope(barrier, parity);
  }

public:
  __device__ explicit cluster_stages(state& barriers) : full_(at(barriers.full)), empty_(at(barriers.empty)) {
    begin_stages_of_cluster(full_, empty_, stage_count, consumer_warps * Blocks);
  }
  __device__ static void meet() {
    asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
  }
  __device__ void fill(void* to, void const* from, unsigned rank) {
    constexpr unsigned part = shared_tile_bytes / Blocks;
    wait(empty_ + 8 * stage_, ~round_ & 1);
    unsigned const full = full_ + 8 * stage_;
    if constexpr (Order == order::restricted) acquire_for_copies_in_cluster();
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(full),
                 "r"(shared_tile_bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;" ::"r"(at(to) + rank * part),
                 "l"(__cvta_generic_to_global(static_cast<char const*>(from) + rank * part)), "r"(part), "r"(full),
                 "h"((unsigned short)((1u << Blocks) - 1))
                 : "memory");
    advance();
  }
  template <class F>
  __device__ void use(F f) {
    wait(full_ + 8 * stage_, round_ & 1);
    f();
    __syncwarp();
    if (unsigned const block = threadIdx.x % 32; block < Blocks) {
      unsigned const empty = empty_ + 8 * stage_;
      if constexpr (Order == order::restricted) release_in_cluster(empty, block);
      else
        asm volatile("{ .reg .b32 there;\n"
                     "mapa.shared::cluster.u32 there, %0, %1;\n"
                     "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(empty),
                     "r"(block)
                     : "memory");
    }
    advance();
  }
};

#elif defined(CUDAX_BENCH_CUDAX)

template <class State>
__device__ auto make_cluster_stages(State& state) {
  return library::make_pipeline(library::this_cluster, &state,
                                is_first_warp() ? library::pipeline_role::producer : library::pipeline_role::consumer,
                                library::this_warp);
}

template <unsigned Blocks, order Order>
class cluster_stages {
public:
  using state = library::pipeline_shared_state<block_scope, stage_count>;
  __device__ explicit cluster_stages(state& shared) : pipeline_(make_cluster_stages(shared)) {}
  __device__ static void meet() { library::this_cluster.sync(); }
  __device__ static bool is_producer() { return threadIdx.x == 0; }
  __device__ void fill(void* to, void const* from, unsigned rank) {
    constexpr unsigned part = shared_tile_bytes / Blocks;
    pipeline_.producer_acquire();
    pipeline_.producer_commit_by(shared_tile_bytes, [&](auto& barrier) {
      library::device::memcpy_async_tx_multicast(
          static_cast<char*>(to) + rank * part, static_cast<char const*>(from) + rank * part,
          library::aligned_size_t<16>(part), barrier, (1u << Blocks) - 1, library::proxy_fenced);
    });
  }
  template <class F>
  __device__ void use(F f) {
    pipeline_.consumer_wait();
    f();
    pipeline_.consumer_release();
  }

private:
  decltype(make_cluster_stages(*(state*)nullptr)) pipeline_;
};

#endif

} // namespace CUDAX_BENCH_SIDE
