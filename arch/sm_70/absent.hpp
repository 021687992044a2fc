// SPDX-License-Identifier: Apache-2.0
//
// absent: the instructions that later generations add and whose availability the module checks first (has_...). A
// program contains the guarded calls for SMs without the instructions, too, so they must link on every SM. A call
// without the check stops the kernel.
#pragma once

#include "../stop.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_70 {
// clang-format off

inline void stop_redux() {
  stop("cudax.sync: redux.sync: requires sm_%lld or later; check cudax_has_lane_reduction() first\n", 80);
}
inline void stop_mbarrier() {
  stop("cudax.sync: mbarrier: requires sm_%lld or later; check cudax_has_shared_barrier() first\n", 80);
}
inline void stop_cp_async() {
  stop("cudax.sync: cp.async: requires sm_%lld or later; check cudax_has_async_copy() first\n", 80);
}
inline void stop_bulk_copy() {
  stop("cudax.sync: barriers that count bytes, and copies to other blocks: require sm_%lld or later; the stages of a "
       "pipeline await copies on every SM\n", 90);
}
inline void stop_tensor_copy() {
  stop("cudax.sync: copies of tensors: require sm_%lld or later; check cudax_has_bulk_copy() first\n", 90);
}
inline void stop_launch_control() {
  stop("cudax.sync: clusterlaunchcontrol: requires sm_%lld or later; check cudax_has_launch_cancellation() first\n", 100);
}
inline void stop_launch_control_multicast() {
  stop("cudax.sync: clusterlaunchcontrol...multicast: requires sm_%llda or later, with the letter; "
       "check cudax_has_launch_cancellation_multicast() first\n", 100);
}

constexpr bool has_redux = false;
inline u32 redux_sync_add_u32(u32, u32) { stop_redux(); return 0; }
inline u32 redux_sync_max_u32(u32, u32) { stop_redux(); return 0; }
inline s32 redux_sync_max_s32(s32, u32) { stop_redux(); return 0; }
inline u32 redux_sync_min_u32(u32, u32) { stop_redux(); return 0; }
inline s32 redux_sync_min_s32(s32, u32) { stop_redux(); return 0; }
inline u32 redux_sync_and_b32(u32, u32) { stop_redux(); return 0; }
inline u32 redux_sync_or_b32(u32, u32) { stop_redux(); return 0; }
inline u32 redux_sync_xor_b32(u32, u32) { stop_redux(); return 0; }

constexpr bool has_mbarrier = false;
inline void mbarrier_init(void*, u32) { stop_mbarrier(); }
inline void mbarrier_inval(void*) { stop_mbarrier(); }
inline u64 mbarrier_arrive(void*, u32) { stop_mbarrier(); return 0; }
inline u64 mbarrier_arrive_drop(void*, u32) { stop_mbarrier(); return 0; }
inline bool mbarrier_test_wait(void*, u64) { stop_mbarrier(); return false; }
inline bool mbarrier_test_wait_parity(void*, u32) { stop_mbarrier(); return false; }
inline bool mbarrier_try_wait(void*, u64) { stop_mbarrier(); return false; }
inline bool mbarrier_try_wait_parity(void*, u32) { stop_mbarrier(); return false; }
inline u32 mbarrier_pending_count(u64) { stop_mbarrier(); return 0; }

constexpr bool has_cp_async = false;
inline void cp_async_4(void*, void const*) { stop_cp_async(); }
inline void cp_async_8(void*, void const*) { stop_cp_async(); }
inline void cp_async_16(void*, void const*) { stop_cp_async(); }
inline void cp_async_4_filled(void*, void const*, u32) { stop_cp_async(); }
inline void cp_async_8_filled(void*, void const*, u32) { stop_cp_async(); }
inline void cp_async_16_filled(void*, void const*, u32) { stop_cp_async(); }
inline void cp_async_commit_group() { stop_cp_async(); }
template <u32> void cp_async_wait_group() { stop_cp_async(); }
inline void cp_async_wait_all() { stop_cp_async(); }
inline void cp_async_mbarrier_arrive_noinc(void*) { stop_cp_async(); }
inline void cp_async_mbarrier_arrive(void*) { stop_cp_async(); }

constexpr bool has_bulk_copy = false;
inline u64 mbarrier_arrive_expect_tx(void*, u32) { stop_bulk_copy(); return 0; }
inline void mbarrier_expect_tx(void*, u32) { stop_bulk_copy(); }
inline void mbarrier_complete_tx(void*, u32) { stop_bulk_copy(); }
inline void mbarrier_expect_tx_remote(void*, u32) { stop_bulk_copy(); }
inline void mbarrier_complete_tx_remote(void*, u32) { stop_bulk_copy(); }
template <sem> void mbarrier_arrive_expect_tx_remote(void*, u32) { stop_bulk_copy(); }
template <sem> void mbarrier_arrive_remote(void*, u32) { stop_bulk_copy(); }
template <sem> bool mbarrier_test_wait_cluster(void*, u64) { stop_bulk_copy(); return false; }
template <sem> bool mbarrier_test_wait_parity_cluster(void*, u32) { stop_bulk_copy(); return false; }
inline void fence_mbarrier_init() { stop_bulk_copy(); }
template <sem> bool mbarrier_try_wait_cluster(void*, u64) { stop_bulk_copy(); return false; }
template <sem> bool mbarrier_try_wait_parity_cluster(void*, u32) { stop_bulk_copy(); return false; }
inline void fence_acquire_shared() { stop_bulk_copy(); }
inline void fence_release_shared() { stop_bulk_copy(); }
inline void fence_proxy_async_acquire_shared() { stop_bulk_copy(); }
inline void fence_proxy_async_release_shared() { stop_bulk_copy(); }
inline void cp_async_bulk_cluster_shared(void*, void const*, u32, void*) { stop_bulk_copy(); }
template <reduction, element> void cp_reduce_async_bulk_cluster_shared(void*, void const*, u32, void*) { stop_bulk_copy(); }

template <u32, u32> void cp_async_bulk_tensor_shared_global(void*, tile const&, void*, copy_operands const&) { stop_tensor_copy(); }
template <u32, u32> void cp_async_bulk_tensor_multicast_global(void*, tile const&, void*, u16, copy_operands const&) { stop_tensor_copy(); }
template <u32, u32> void cp_async_bulk_tensor_global_shared(tile const&, void const*, copy_operands const&) { stop_tensor_copy(); }
template <reduction, u32, u32> void cp_reduce_async_bulk_tensor_global_shared(tile const&, void const*, copy_operands const&) { stop_tensor_copy(); }
template <u32, u32> void cp_async_bulk_prefetch_tensor_L2(tile const&, copy_operands const&) { stop_tensor_copy(); }
inline void prefetch_tensormap(void const*) { stop_tensor_copy(); }
template <scope> void fence_proxy_tensormap_release() { stop_tensor_copy(); }
template <scope> void fence_proxy_tensormap_acquire(void const*) { stop_tensor_copy(); }
template <scope> void tensormap_cp_fenceproxy(void*, void const*) { stop_tensor_copy(); }

constexpr bool has_cluster_launch_control = false;
inline void clusterlaunchcontrol_try_cancel(void*, void*) { stop_launch_control(); }
constexpr bool has_cluster_launch_control_multicast = false;
inline void clusterlaunchcontrol_try_cancel_multicast(void*, void*) { stop_launch_control_multicast(); }
inline bool clusterlaunchcontrol_is_canceled(b128) { stop_launch_control(); return false; }
inline u32 clusterlaunchcontrol_first_ctaid_x(b128) { stop_launch_control(); return 0; }
inline u32 clusterlaunchcontrol_first_ctaid_y(b128) { stop_launch_control(); return 0; }
inline u32 clusterlaunchcontrol_first_ctaid_z(b128) { stop_launch_control(); return 0; }

// clang-format on
} // namespace cudax::arch::sm_70

#pragma clang force_cuda_host_device end
