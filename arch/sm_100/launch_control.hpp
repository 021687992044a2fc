// SPDX-License-Identifier: Apache-2.0
//
// launch_control: cancelling the launch of a cluster that has not begun.  PTX ISA, "clusterlaunchcontrol"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_100 {
// clang-format off

constexpr bool has_cluster_launch_control = true;

// clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [to], [a];  PTX ISA 8.6, sm_100
inline void clusterlaunchcontrol_try_cancel(void* to, void* a) {
  asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];" : : "l"(shared_address(to)), "l"(shared_address(a)) : "memory");
}

// clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, answer;   PTX ISA 8.6, sm_100
inline bool clusterlaunchcontrol_is_canceled(b128 answer) {
  u32 d;
  asm volatile("{ .reg .pred p; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, %1; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "q"(answer) : "memory");
  return d;
}

// clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 d, answer;     PTX ISA 8.6, sm_100
inline u32 clusterlaunchcontrol_first_ctaid_x(b128 answer) {
  u32 d;
  asm volatile("clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %0, %1;" : "=r"(d) : "q"(answer) : "memory");
  return d;
}

// clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 d, answer;     PTX ISA 8.6, sm_100
inline u32 clusterlaunchcontrol_first_ctaid_y(b128 answer) {
  u32 d;
  asm volatile("clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %0, %1;" : "=r"(d) : "q"(answer) : "memory");
  return d;
}

// clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 d, answer;     PTX ISA 8.6, sm_100
inline u32 clusterlaunchcontrol_first_ctaid_z(b128 answer) {
  u32 d;
  asm volatile("clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %0, %1;" : "=r"(d) : "q"(answer) : "memory");
  return d;
}

// clang-format on
} // namespace cudax::arch::sm_100

#pragma clang force_cuda_host_device end
