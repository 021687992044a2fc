// SPDX-License-Identifier: Apache-2.0
//
// cache_policy: how long the L2 cache keeps what a bulk copy reads or writes in global memory.  PTX ISA,
// "createpolicy", "Cache Eviction Priority Hints"
//
// A policy is a hint: it changes no result and no order. It is an opaque number, which one instruction creates, and one
// more operand of the copy; a copy without a policy has the instruction without that operand. PTX also has policies
// that depend on a range of addresses. A bulk copy knows what it accesses when it begins, so the caller chooses the
// policy of the copy instead.
module;
#include "../base/macros.hpp"
export module cudax.sync:cache_policy;
import :bits;
import :device_copy;
import :machine;
import :proxy_fence;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax::device {

/// What the L2 cache evicts before other data, like other data, or after other data. evict_unchanged: the priority that
/// the data have stays as it is.
enum class l2_eviction { evict_first, evict_normal, evict_last, evict_unchanged };

/// A hint for the L2 cache, which bulk copies and reductions take as their last argument, also after proxy_fenced: how
/// it treats the part in global memory. It may be created once and used for many copies.
/// Source:   extension; PTX ISA, createpolicy.fractional, .L2::cache_hint
/// Order:    none
/// Units:    `fraction`: of what is accessed; the hardware chooses which part. The rest is treated as `rest` says
/// Requires: 0 < fraction <= 1; `rest` is evict_first or evict_unchanged. Device code creates it: one that the host
///           creates is empty. Before sm_90 copies ignore it
/// Errors:   other arguments do not compile if they are constants; otherwise checked builds stop
/// Example:
///     __device__ void load(float* tile, float const* once, cudax::barrier<cudax::thread_scope_block>& ready) {
///       cudax::device::l2_policy const streamed(cudax::device::l2_eviction::evict_first); // is not read again
///       cudax::aligned_size_t<16> const size(1024);
///       if (threadIdx.x != 0) return ready.arrive_and_wait();
///       cudax::device::memcpy_async_tx(tile, once, size, ready, streamed);
///       ready.wait(cudax::device::barrier_arrive_tx(ready, 1, size));
///     }
class l2_policy {
public:
  inline explicit l2_policy(l2_eviction primary, float fraction = 1,
                            l2_eviction rest = l2_eviction::evict_unchanged) noexcept
      CUDAX_REFUSE(!(fraction > 0 && fraction <= 1), "l2_policy: the fraction is not above 0 and at most 1")
          CUDAX_REFUSE(rest != l2_eviction::evict_first && rest != l2_eviction::evict_unchanged,
                       "l2_policy: what is not in the fraction is evict_first or evict_unchanged") {
    CUDAX_ENSURE(fraction > 0 && fraction <= 1,
                 "l2_policy: the fraction is %lld thousandths, not above 0 and at most 1",
                 (long long)(fraction * 1000));
    CUDAX_ENSURE(rest == l2_eviction::evict_first || rest == l2_eviction::evict_unchanged,
                 "l2_policy: what is not in the fraction is evict_first or evict_unchanged, not %lld", (long long)rest);
    bits_ = machine::gpu::cache_policy(u32(primary), u32(rest), fraction);
  }

private:
  u64 bits_;
};

} // namespace cudax::device

namespace cudax::copy_detail {
using namespace machine;

/// An option among the last arguments of a copy: what it adds to the options that the copies of gpu take. One that adds
/// nothing is for the function that begins the copy. A next option is one more of these functions.
inline void add_option(gpu::copy_options&, proxy_fenced_t) noexcept {}
inline void add_option(gpu::copy_options& to, device::l2_policy policy) noexcept {
  to.which |= abi::copy_hinted;
  to.policy = __builtin_bit_cast(u64, policy);
}

/// The last arguments of copies: options, each at most once, in any order. Prefetches need no proxy fence.
template <class Option, class... All>
constexpr bool is_once_in = (int(__is_same(Option, All)) + ...) == 1;
template <class... Option>
concept valid_copy_options =
    ((requires(gpu::copy_options& to, Option option) { add_option(to, option); } && is_once_in<Option, Option...>) &&
     ...);
template <class... Option>
concept valid_prefetch_options = valid_copy_options<Option...> && !(promises_fence<Option> || ...);

/// The options as the copies of gpu take them.
template <class... Option>
gpu::copy_options options_of(Option... option) noexcept {
  gpu::copy_options all;
  (add_option(all, option), ...);
  return all;
}

} // namespace cudax::copy_detail

CUDAX_EVERYWHERE_END
