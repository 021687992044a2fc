// SPDX-License-Identifier: Apache-2.0
//
// pipeline_thread: the pipeline of one thread, which shares nothing.  libcu++, "pipeline"
// It counts groups of copies: commit closes a group, consumer_wait waits for the oldest one.
module;
#include "../base/macros.hpp"
export module cudax.sync:pipeline_thread;
import :aligned_size;
import :bits;
import :copy_plain;
import :copy_ways;
import :device_copy;
import :duration;
import :memcpy_async;
import :pipeline;
import :pipeline_state;
import :proxy_fence;
import :scope;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// The pipeline of one thread: its stages are groups of the thread's own copies. It shares nothing and waits for no
/// other thread. Before sm_80 and on the host a copy is complete when memcpy_async returns.
/// Source:   libcu++, pipeline<thread_scope_thread>
/// Example:
///     __global__ void doubled(float const* in, float* out) {
///       __shared__ float copy[256];
///       auto own = cudax::make_pipeline();
///       own.producer_acquire();
///       cudax::memcpy_async(copy + threadIdx.x, in + threadIdx.x, sizeof(float), own);
///       own.producer_commit(), own.consumer_wait();
///       out[threadIdx.x] = 2 * copy[threadIdx.x];
///     }
template <>
class pipeline<thread_scope_thread> {
public:
  inline pipeline(pipeline&& other) noexcept
    : head_(other.head_), tail_(other.tail_), active_(other.active_), bulk_begun_(other.bulk_begun_) {
    other.head_ = other.tail_ = 0;
    other.active_ = false;
  }
  pipeline(pipeline const&) = delete;
  pipeline& operator=(pipeline const&) = delete;

  /// Ends the pipeline. Returns true on the first call, because no other thread uses the pipeline.
  inline bool quit() noexcept {
    bool const before = active_;
    active_ = false;
    return before;
  }

  inline void producer_acquire() noexcept { copy_detail::ensure_active(active_); }

  /// Closes a group of the copies that the thread began since the last commit.
  inline void producer_commit() noexcept {
    copy_detail::ensure_active(active_);
    copy_detail::commit_copies(bulk_begun_);
    ++head_;
  }

  /// Blocks until the oldest group for which the thread has not waited yet is complete. Does nothing if there is none.
  inline void consumer_wait() noexcept {
    copy_detail::ensure_active(active_);
    if (head_ == tail_) return;
    copy_detail::wait_for_copies(head_ - tail_ - 1, bulk_begun_);
    ++tail_;
  }

  /// Block as consumer_wait, without a time limit, because there is no timed wait for a group of copies. Return true.
  template <duration_like D>
  [[nodiscard]] bool consumer_wait_for(D const&) noexcept {
    consumer_wait();
    return true;
  }
  template <time_point_like P>
  [[nodiscard]] bool consumer_wait_until(P const&) noexcept {
    consumer_wait();
    return true;
  }

  inline void consumer_release() noexcept { copy_detail::ensure_active(active_); }

private:
  friend copy_detail::pipeline_access;

  pipeline() = default;

  /// Blocks until at most `pending` of the committed groups are incomplete.
  inline void wait_prior(u32 pending) noexcept {
    copy_detail::ensure_active(active_);
    copy_detail::wait_for_copies(pending, bulk_begun_);
    if (head_ - tail_ > pending) tail_ = head_ - pending;
  }

  template <copy_detail::copy_promise Promise, class T, class Size>
  async_contract_fulfillment copy(auto const& group, T* to, T const* from, Size size) noexcept {
    copy_detail::ensure_active(active_);
    copy_detail::copy_way const way = copy_detail::begin_copy_of<copy_detail::copy_use::in_pipeline, Promise>(
        group, to, from, size, copy_detail::no_barrier());
    if (way == copy_detail::copy_way::bulk_to_global) bulk_begun_ = true;
    return way == copy_detail::copy_way::plain ? async_contract_fulfillment::none : async_contract_fulfillment::async;
  }

  u32 head_ = 0; // groups committed
  u32 tail_ = 0; // groups waited for
  bool active_ = true;
  bool bulk_begun_ = false; // ever
};

} // namespace cudax

CUDAX_EVERYWHERE_END
