// SPDX-License-Identifier: Apache-2.0
//
// product_pipelines: what the kernel of `product.cu` synchronizes with, by cudax.sync and by hand with mbarriers, named
// barriers and bulk groups. Both sides have the same interface, and make the same arrivals with the same orders:
//   tile_map<Rows>        a map of tiles of Rows rows of 64 bf16; make_tile_map makes it
//   filled_stages         the stages that the blocks of a cluster of 2 fill for each other
//     fill(bytes, begin)  the producing thread: awaits the next stage, begin(stage, barrier) begins copies
//     drain()             the same thread: awaits the release of all stages
//     wait(), release()   a warp of consumers: awaits the next stage; releases the oldest that it has
//     skip(stages)        passes over those of the other warpgroup
//   warpgroup_turns       turns of the two warpgroups
//   warpgroup_stores      two buffers of a warpgroup, which are stored by turns
#pragma once

#include "clusters.hpp"
#include "library.hpp"

#include <cuda_runtime.h>

#if defined(CUDAX_BENCH_PTX)
#include <cuda.h>
#else
import cudax.sync.host;
#endif

namespace CUDAX_BENCH_SIDE {

inline constexpr unsigned product_stages = 6, product_cluster = 2, tile_columns = 64;

#if defined(CUDAX_BENCH_CUDAX)

template <unsigned Rows>
using tile_map =
    library::tensor_map<__bf16, library::tensor_box<tile_columns, Rows>, library::tensor_swizzle::bytes_128>;

template <unsigned Rows>
tile_map<Rows> make_tile_map(__bf16 const* matrix, unsigned columns, unsigned rows) {
  return library::make_tensor_map<tile_map<Rows>>(matrix, {columns, rows});
}

// producer_acquire orders the stage for the copies, and no thread writes the matrices.
template <class Tiles, class Barrier>
__device__ void copy_tile(void* to, Tiles const& from, int x, int y, Barrier& barrier) {
  library::device::copy_tensor_async_tx(static_cast<__bf16*>(to), from, {x, y}, barrier, library::proxy_fenced);
}
template <class Tiles, class Barrier>
__device__ void copy_tile_to_all(void* to, Tiles const& from, int x, int y, Barrier& barrier) {
  library::device::copy_tensor_async_tx_multicast(static_cast<__bf16*>(to), from, {x, y}, barrier,
                                                  (1u << product_cluster) - 1, library::proxy_fenced);
}
template <class Tiles>
__device__ void store_tile(Tiles const& to, int x, int y, void const* from) {
  library::fence_proxy_async_shared();
  library::device::copy_tensor_async_bulk(to, {x, y}, static_cast<__bf16 const*>(from), library::proxy_fenced);
}

using product_state = library::pipeline_shared_state<library::thread_scope_block, product_stages>;

/// Each stage is released by the four warps of a warpgroup, in both blocks.
__device__ inline auto make_filled(product_state& state) {
  return library::make_pipeline(library::this_cluster, &state, library::pipeline_arrivals{1, 4}, library::this_warp);
}

class filled_stages {
  decltype(make_filled(*(product_state*)nullptr)) pipeline_;
  library::pipeline_position ahead_;

public:
  using state = product_state;
  __device__ explicit filled_stages(state& shared)
    : pipeline_(make_filled(shared)), ahead_(pipeline_.consumer_position()) {}
  template <class Begin>
  __device__ void fill(unsigned bytes, Begin begin) {
    pipeline_.producer_acquire();
    unsigned const stage = pipeline_.producer_position().index();
    pipeline_.producer_commit_by(bytes, [&](auto& barrier) { begin(stage, barrier); });
  }
  __device__ void drain() { pipeline_.producer_tail(); }
  __device__ unsigned wait() {
    pipeline_.consumer_wait(ahead_);
    unsigned const stage = ahead_.index();
    ++ahead_;
    return stage;
  }
  __device__ void release() { pipeline_.consumer_release(); }
  __device__ void skip(unsigned stages) {
    pipeline_.consumer_skip(stages);
    ahead_ += stages;
  }
};

using warpgroup_turns = library::ordered_turns<library::named_barrier_ids<4, 2>>;
using warpgroup_stores = library::device::store_pipeline<2, decltype(library::this_warpgroup.group<1>())>;

#elif defined(CUDAX_BENCH_PTX)

template <unsigned Rows>
struct tile_map {
  CUtensorMap map;
};

template <unsigned Rows>
tile_map<Rows> make_tile_map(__bf16 const* matrix, unsigned columns, unsigned rows) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CUDA_MUST(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) throw std::runtime_error("the driver has no cuTensorMapEncodeTiled");
  tile_map<Rows> made{};
  cuuint64_t const extents[] = {columns, rows}, strides[] = {2ull * columns};
  cuuint32_t const box[] = {tile_columns, Rows}, steps[] = {1, 1};
  CUresult const result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry)(
      &made.map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<__bf16*>(matrix), extents, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(result));
  return made;
}

struct product_state {
  unsigned long long full[product_stages];
  unsigned long long empty[product_stages];
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

__device__ inline unsigned in_shared(void const* generic) { return unsigned(__cvta_generic_to_shared(generic)); }

template <class Tiles>
__device__ void copy_tile(void* to, Tiles const& from, int x, int y, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
               "[%4];" ::"r"(in_shared(to)),
               "l"(&from), "r"(x), "r"(y), "r"(barrier)
               : "memory");
}
template <class Tiles>
__device__ void copy_tile_to_all(void* to, Tiles const& from, int x, int y, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(in_shared(to)),
               "l"(&from), "r"(x), "r"(y), "r"(barrier), "h"((unsigned short)((1u << product_cluster) - 1))
               : "memory");
}
template <class Tiles>
__device__ void store_tile(Tiles const& to, int x, int y, void const* from) {
  asm volatile("fence.proxy.async.shared::cta;\n"
               "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to),
               "r"(x), "r"(y), "r"(in_shared(from))
               : "memory");
}

class filled_stages {
  struct place {
    unsigned stage = 0, round = 0;
    __device__ void advance() {
      bool const is_last = stage + 1 == product_stages;
      stage = is_last ? 0 : stage + 1;
      round += is_last;
    }
    __device__ void advance(unsigned stages) {
      stage += stages;
      round += stage / product_stages;
      stage %= product_stages;
    }
  };
  unsigned full_, empty_;
  place ahead_, own_; // a producer has one, a consumer both

public:
  using state = product_state;
  __device__ explicit filled_stages(state& shared) : full_(in_shared(shared.full)), empty_(in_shared(shared.empty)) {
    begin_stages_of_cluster(full_, empty_, product_stages, 4 * product_cluster);
  }
  template <class Begin>
  __device__ void fill(unsigned bytes, Begin begin) {
    unsigned const full = full_ + 8 * own_.stage;
    wait_in_cluster(empty_ + 8 * own_.stage, ~own_.round & 1);
    acquire_for_copies_in_cluster();
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(full), "r"(bytes)
                 : "memory");
    begin(own_.stage, full);
    own_.advance();
  }
  __device__ void drain() {
    for (unsigned i = 0; i < product_stages; ++i, own_.advance())
      wait_in_cluster(empty_ + 8 * own_.stage, ~own_.round & 1);
  }
  __device__ unsigned wait() {
    unsigned const stage = ahead_.stage;
    wait_in_cluster(full_ + 8 * stage, ahead_.round & 1);
    ahead_.advance();
    return stage;
  }
  __device__ void release() {
    __syncwarp();
    if (unsigned const block = threadIdx.x % 32; block < product_cluster)
      release_in_cluster(empty_ + 8 * own_.stage, block);
    own_.advance();
  }
  __device__ void skip(unsigned stages) {
    ahead_.advance(stages);
    own_.advance(stages);
  }
};

/// The turn of a warpgroup is a phase of its named barrier, at which the other one arrives.
class warpgroup_turns {
  unsigned group_;

  __device__ static void sync(unsigned group) {
    asm volatile("barrier.sync.aligned %0, 256;" ::"r"(4 + group) : "memory");
  }
  __device__ static void arrive_at(unsigned group) {
    asm volatile("barrier.arrive.aligned %0, 256;" ::"r"(4 + group) : "memory");
  }

public:
  __device__ explicit warpgroup_turns(unsigned group) : group_(group) {
    if (group == 1) arrive_at(0);
  }
  __device__ ~warpgroup_turns() {
    if (group_ == 0) sync(0);
  }
  __device__ void wait() { sync(group_); }
  __device__ void arrive() { arrive_at(group_ ^ 1); }
  __device__ void skip() { wait(), arrive(); }
};

class warpgroup_stores {
  unsigned index_ = 0;

  __device__ static bool is_first() { return threadIdx.x % 128 == 0; }
  __device__ static void meet() {
    asm volatile("barrier.sync.aligned %0, 128;" ::"r"(1 + threadIdx.x / 128) : "memory");
  }

public:
  __device__ unsigned index() const { return index_; }
  __device__ void acquire() const {
    if (is_first()) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    meet();
  }
  template <class Begin>
  __device__ void commit(Begin begin) {
    meet();
    if (is_first()) {
      begin();
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
    index_ ^= 1;
  }
  __device__ ~warpgroup_stores() {
    if (is_first()) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
};

#endif
#endif

} // namespace CUDAX_BENCH_SIDE
