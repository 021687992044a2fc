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

namespace cudax::machine {

/// The last arguments of bulk copies: proxy_fenced, an l2_policy, or both, in any order.
template <class... Option>
concept copy_options =
    ((promises_fence<Option> || __is_same(Option, device::l2_policy)) && ...) &&
    ((int(promises_fence<Option>) + ... + 0) <= 1) && ((int(__is_same(Option, device::l2_policy)) + ... + 0) <= 1);
template <class... Option>
concept policy_option = copy_options<Option...> && !(promises_fence<Option> || ...);

/// The policy among the options as the copies of gpu take it.
inline gpu::no_policy policy_of() noexcept { return {}; }
inline u64 policy_of(device::l2_policy policy) noexcept { return __builtin_bit_cast(u64, policy); }
inline u64 policy_of(device::l2_policy policy, proxy_fenced_t) noexcept { return policy_of(policy); }
template <class... Policy>
auto policy_of(proxy_fenced_t, Policy... policy) noexcept {
  return policy_of(policy...);
}

} // namespace cudax::machine

CUDAX_EVERYWHERE_END
