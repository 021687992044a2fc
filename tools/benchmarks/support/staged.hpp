// SPDX-License-Identifier: Apache-2.0
//
// staged: stages that one warp fills by bulk copies and the other warps of the block use, by a pipeline of each library
// and by mbarriers by hand. All sides have the same interface, so the kernels of `stages.cu` are the same.
//   stages(begin state)    all threads of the block construct it
//   is_producer()          whether the thread calls pass and fill: one thread of the first warp, or all of them
//   is_consumer()          whether the thread calls use: the threads of the other warps
//   pass(f)                awaits the next stage, calls f() in one thread, commits the stage
//   fill(to, from, bytes)  the same with a copy in place of f()
//   use(f)                 a warp of consumers: awaits the next stage, calls f(), releases the stage
#pragma once

#include "synchronization.hpp"

namespace CUDAX_BENCH_SIDE {

inline constexpr unsigned stage_count = 4;
inline constexpr unsigned consumer_warps = 8;
inline constexpr unsigned staged_block = (1 + consumer_warps) * 32;
__device__ inline bool is_first_warp() { return threadIdx.x < 32; }
__device__ inline bool is_consumer() { return !is_first_warp(); }

#if defined(CUDAX_BENCH_PTX) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900

/// These instructions require sm_90, as the rows do (minimum_sm): no kernel is launched before.
class stages {
public:
  struct state {
    unsigned long long unused;
  };
  __device__ explicit stages(state&) {}
  __device__ static bool is_producer() { return threadIdx.x == 0; }
  template <class F>
  __device__ void pass(F) {
    __trap();
  }
  __device__ void fill(void*, void const*, unsigned) { __trap(); }
  template <class F>
  __device__ void use(F) {
    __trap();
  }
};

#elif defined(CUDAX_BENCH_PTX)

/// What stages by hand have in common, those of a cluster included (staged_cluster.hpp): the barriers, the place of a
/// thread in the sequence of the stages, and a wait at block scope.
class stages_by_hand {
public:
  struct state {
    unsigned long long full[stage_count];
    unsigned long long empty[stage_count];
  };
  __device__ static bool is_producer() { return threadIdx.x == 0; }

protected:
  unsigned stage_ = 0, round_ = 0;

  __device__ void advance() {
    bool const is_last = stage_ + 1 == stage_count;
    stage_ = is_last ? 0 : stage_ + 1;
    round_ += is_last;
  }
  __device__ static unsigned at(void const* shared) { return unsigned(__cvta_generic_to_shared(shared)); }
  __device__ static void wait_at_block_scope(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again; }" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
  }
};

class stages : public stages_by_hand {
  unsigned long long* full_;
  unsigned long long* empty_;

  __device__ static void wait(unsigned long long const* barrier, unsigned parity) {
    wait_at_block_scope(at(barrier), parity);
  }
  __device__ static void arrive(unsigned long long* barrier) {
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(at(barrier)) : "memory");
  }

public:
  __device__ explicit stages(state& barriers) : full_(barriers.full), empty_(barriers.empty) {
    if (threadIdx.x == 0) {
      for (unsigned i = 0; i < stage_count; ++i) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full_[i])) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&empty_[i])), "r"(consumer_warps) : "memory");
      }
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
  }
  template <class F>
  __device__ void pass(F f) {
    wait(&empty_[stage_], ~round_ & 1);
    f();
    arrive(&full_[stage_]);
    advance();
  }
  __device__ void fill(void* to, void const* from, unsigned bytes) {
    wait(&empty_[stage_], ~round_ & 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full_[stage_])),
                 "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
        "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(at(&full_[stage_]))
        : "memory");
    advance();
  }
  template <class F>
  __device__ void use(F f) {
    wait(&full_[stage_], round_ & 1);
    f();
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&empty_[stage_]);
    advance();
  }
};

#else

#if defined(CUDAX_BENCH_CUDAX)
template <class State>
__device__ auto make_stages(State& state) {
  return library::make_pipeline(library::this_block, &state,
                                is_first_warp() ? library::pipeline_role::producer : library::pipeline_role::consumer,
                                library::this_warp);
}
__device__ inline bool fills_stages() { return threadIdx.x == 0; }
template <class Pipeline>
__device__ void copy_to_stage(void* to, void const* from, unsigned bytes, Pipeline& pipeline) {
  library::fence_proxy_async_shared(); // after the reads of the stage; nothing writes the source
  library::memcpy_async(to, from, library::aligned_size_t<16>(bytes), pipeline, library::proxy_fenced);
}
template <class Pipeline>
__device__ void commit_stage(Pipeline& pipeline) {
  pipeline.producer_commit(library::this_thread);
}
#else
/// Each thread arrives; libcu++ has no other way.
template <class State>
__device__ auto make_stages(State& state) {
  return library::make_pipeline(block_group(), &state,
                                is_first_warp() ? library::pipeline_role::producer : library::pipeline_role::consumer);
}
__device__ inline bool fills_stages() { return is_first_warp(); }
template <class Pipeline>
__device__ void copy_to_stage(void* to, void const* from, unsigned bytes, Pipeline& pipeline) {
  library::memcpy_async(cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block()), to, from,
                        library::aligned_size_t<16>(bytes), pipeline);
}
template <class Pipeline>
__device__ void commit_stage(Pipeline& pipeline) {
  pipeline.producer_commit();
}
#endif

class stages {
public:
  using state = library::pipeline_shared_state<block_scope, stage_count>;
  __device__ explicit stages(state& shared) : pipeline_(make_stages(shared)) {}
  __device__ static bool is_producer() { return fills_stages(); }
  template <class F>
  __device__ void pass(F f) {
    pipeline_.producer_acquire();
    if (threadIdx.x == 0) f();
    commit_stage(pipeline_);
  }
  __device__ void fill(void* to, void const* from, unsigned bytes) {
    pipeline_.producer_acquire();
    copy_to_stage(to, from, bytes, pipeline_);
    commit_stage(pipeline_);
  }
  template <class F>
  __device__ void use(F f) {
    pipeline_.consumer_wait();
    f();
    pipeline_.consumer_release();
  }

private:
  decltype(make_stages(*(state*)nullptr)) pipeline_;
};

#endif

} // namespace CUDAX_BENCH_SIDE
