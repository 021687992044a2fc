// SPDX-License-Identifier: Apache-2.0
//
// pipeline_copies: copies into the stages of a pipeline, and what waits for the copies of one thread.  libcu++,
// "memcpy_async", "pipeline_consumer_wait_prior", "pipeline_producer_commit"
module;
#include "../base/macros.hpp"
export module cudax.sync:pipeline_copies;
import :aligned_size;
import :barrier;
import :barrier_native;
import :bits;
import :copy_plain;
import :copy_ways;
import :group;
import :machine;
import :memcpy_async;
import :pipeline;
import :pipeline_state;
import :pipeline_thread;
import :proxy_fence;
import :scope;
import :this_thread;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::copy_detail {
using namespace machine;

/// What make_pipeline.cppm and the functions below do with pipelines and their shared states.
struct pipeline_access {
  template <thread_scope S, unsigned char N>
  static pipeline_stage<S> (&stages(pipeline_shared_state<S, N>& state) noexcept)[N] {
    return state.stages_;
  }
  template <thread_scope S, unsigned char N>
  static u32& users(pipeline_shared_state<S, N>& state) noexcept {
    return state.users_;
  }
  template <thread_scope S, unsigned char N>
  static u32& consumers(pipeline_shared_state<S, N>& state) noexcept {
    return state.consumers_;
  }
  template <thread_scope S, unsigned char N>
  static u32& absent(pipeline_shared_state<S, N>& state) noexcept {
    return state.absent_;
  }

  static inline pipeline<thread_scope_thread> make() noexcept { return {}; }
  template <thread_scope Reach, thread_scope S, unsigned char N, class Agent>
  static pipeline<S, Agent, Reach> make(pipeline_shared_state<S, N>& state, Agent const& agent, bool takes_part,
                                        u32 blocks = 1) noexcept {
    return pipeline<S, Agent, Reach>(state.stages_, takes_part ? &state.users_ : nullptr, N, agent, blocks);
  }

  template <copy_promise Promise, class Pipeline, class T, class Size>
  static async_contract_fulfillment copy(Pipeline& pipeline, auto const& group, T* to, T const* from,
                                         Size size) noexcept {
    return pipeline.template copy<Promise>(group, to, from, size);
  }

  static inline void wait_prior(pipeline<thread_scope_thread>& pipeline, u32 pending) noexcept {
    pipeline.wait_prior(pending);
  }
};

} // namespace cudax::copy_detail

export namespace cudax {

/// Blocks until at most Prior of the groups that the thread committed are incomplete.
/// Source:   libcu++, pipeline_consumer_wait_prior
/// Example:
///     __global__ void first_of_two(int const* in, int* out) {
///       __shared__ int copy[2];
///       auto own = cudax::make_pipeline();
///       cudax::memcpy_async(copy, in, sizeof(int), own), own.producer_commit();
///       cudax::memcpy_async(copy + 1, in + 1, sizeof(int), own), own.producer_commit();
///       cudax::pipeline_consumer_wait_prior<1>(own); // the first copy is complete
///       *out = copy[0];
///     }
template <unsigned char Prior>
void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipeline) noexcept {
  copy_detail::pipeline_access::wait_prior(pipeline, Prior);
}

/// Makes the current phase of `barrier` end only when the copies that the caller began through the pipeline are
/// complete.
/// Source:   libcu++, pipeline_producer_commit
/// Order:    a thread that has waited for that phase sees the complete copies
/// Requires: the current phase awaits an arrival of the caller, which the caller makes after the call
template <thread_scope S, class Completion>
void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<S, Completion>& barrier) noexcept {
  copy_detail::bind_copies(copy_detail::barrier_of(barrier));
}

/// Copies `size` bytes as a part of the stage at the head. The copy is complete for a thread that has waited for that
/// stage.
/// Source:   libcu++, memcpy_async
/// Order:    the copy reads and writes as if the caller did so at the call
/// Units:    bytes; aligned_size_t<A> promises that size and addresses are multiples of A
/// Requires: with proxy_fenced as the last argument, what it promises; the call is between producer_acquire and
///           producer_commit; source and target do not overlap; until the wait for the stage returns, no thread writes
///           the source or accesses the target; T is trivially copyable
/// Errors:   checked builds stop if the size is negative, an address is misaligned, or source and target overlap
template <class T, copy_detail::copy_size Size, thread_scope S, class A, thread_scope R,
          copy_detail::copy_promise Promise = copy_detail::nothing_promised>
async_contract_fulfillment memcpy_async(T* to, T const* from, Size size, pipeline<S, A, R>& pipeline,
                                        Promise = {}) noexcept
    CUDAX_REFUSE(copy_detail::negative(size), "memcpy_async: the size is negative") {
  return copy_detail::pipeline_access::copy<Promise>(pipeline, this_thread, to, from, size);
}
template <copy_detail::copy_size Size, thread_scope S, class A, thread_scope R,
          copy_detail::copy_promise Promise = copy_detail::nothing_promised>
async_contract_fulfillment memcpy_async(void* to, void const* from, Size size, pipeline<S, A, R>& pipeline,
                                        Promise = {}) noexcept
    CUDAX_REFUSE(copy_detail::negative(size), "memcpy_async: the size is negative") {
  return copy_detail::pipeline_access::copy<Promise>(pipeline, this_thread, to, from, size);
}

/// Copies as above, by all threads of a group together: each thread copies a part.
/// Requires: as above; every thread of the group calls it, with the same arguments, and is a producer of this stage.
///           Which thread copies which part is unspecified. So each earlier access of a thread of the group to source
///           or target must happen before the call of every thread of the group
template <thread_group G, class T, copy_detail::copy_size Size, thread_scope S, class A, thread_scope R,
          copy_detail::copy_promise Promise = copy_detail::nothing_promised>
async_contract_fulfillment memcpy_async(G const& group, T* to, T const* from, Size size, pipeline<S, A, R>& pipeline,
                                        Promise = {}) noexcept
    CUDAX_REFUSE(copy_detail::negative(size), "memcpy_async: the size is negative") {
  return copy_detail::pipeline_access::copy<Promise>(pipeline, group, to, from, size);
}
template <thread_group G, copy_detail::copy_size Size, thread_scope S, class A, thread_scope R,
          copy_detail::copy_promise Promise = copy_detail::nothing_promised>
async_contract_fulfillment memcpy_async(G const& group, void* to, void const* from, Size size,
                                        pipeline<S, A, R>& pipeline, Promise = {}) noexcept
    CUDAX_REFUSE(copy_detail::negative(size), "memcpy_async: the size is negative") {
  return copy_detail::pipeline_access::copy<Promise>(pipeline, group, to, from, size);
}

} // namespace cudax

CUDAX_EVERYWHERE_END
