// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: barrier objects in shared memory.  PTX ISA, "mbarrier"
// On sm_80 these instructions have no .sem and .scope: an arrival is .release.cta and a wait is .acquire.cta by
// definition. An arrival that may end the phase has no count: so all arrivals but one are made with .noComplete, which
// is allowed because one is still pending, and then that one. Both instructions release, so earlier writes are ordered
// before the end of the phase.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_80 {
// clang-format off

constexpr bool has_mbarrier = true;

// mbarrier.init.shared::cta.b64 [a], count;              PTX ISA 7.0, sm_80
inline void mbarrier_init(void* a, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "l"(shared_address(a)), "r"(count) : "memory");
}

// mbarrier.inval.shared::cta.b64 [a];                    PTX ISA 7.0, sm_80
inline void mbarrier_inval(void* a) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" : : "l"(shared_address(a)) : "memory");
}

// mbarrier.arrive.shared::cta.b64 state, [a];            PTX ISA 7.0, sm_80
inline u64 mbarrier_arrive_one(void* a) {
  u64 state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "l"(shared_address(a)) : "memory");
  return state;
}

// mbarrier.arrive.noComplete.shared::cta.b64 state, [a], count;        PTX ISA 7.0, sm_80
inline u64 mbarrier_arrive_no_complete(void* a, u32 count) {
  u64 state;
  asm volatile("mbarrier.arrive.noComplete.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "l"(shared_address(a)), "r"(count) : "memory");
  return state;
}

// mbarrier.arrive_drop.shared::cta.b64 state, [a];       PTX ISA 7.0, sm_80
inline u64 mbarrier_arrive_drop_one(void* a) {
  u64 state;
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];" : "=l"(state) : "l"(shared_address(a)) : "memory");
  return state;
}

// mbarrier.arrive_drop.noComplete.shared::cta.b64 state, [a], count;   PTX ISA 7.0, sm_80
inline void mbarrier_arrive_drop_no_complete(void* a, u32 count) {
  [[maybe_unused]] u64 state;
  asm volatile("mbarrier.arrive_drop.noComplete.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "l"(shared_address(a)), "r"(count) : "memory");
}

/// Returns the state before all of these arrivals, as on sm_90.
inline u64 mbarrier_arrive(void* a, u32 count) {
  if (count == 1) return mbarrier_arrive_one(a);
  u64 const state = mbarrier_arrive_no_complete(a, count - 1);
  mbarrier_arrive_one(a);
  return state;
}
inline u64 mbarrier_arrive_drop(void* a, u32 count) {
  if (count != 1) mbarrier_arrive_drop_no_complete(a, count - 1);
  return mbarrier_arrive_drop_one(a);
}

// ptxas 13.0 crashes where the state comes directly from a parameter of the kernel. After an `or` it does not, and the
// `or` does not appear in the machine code.
// mbarrier.test_wait.shared::cta.b64 p, [a], state;      PTX ISA 7.0, sm_80
inline bool mbarrier_test_wait(void* a, u64 state) {
  u32 d;
  asm volatile("{ .reg .pred p; .reg .b64 s; or.b64 s, %2, 0; mbarrier.test_wait.shared::cta.b64 p, [%1], s; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "l"(shared_address(a)), "l"(state) : "memory");
  return d;
}

// mbarrier.test_wait.parity.shared::cta.b64 p, [a], parity;            PTX ISA 7.1, sm_80
inline bool mbarrier_test_wait_parity(void* a, u32 parity) {
  u32 d;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "l"(shared_address(a)), "r"(parity) : "memory");
  return d;
}

/// A wait that may suspend the thread requires sm_90.
inline bool mbarrier_try_wait(void* a, u64 state) { return mbarrier_test_wait(a, state); }
inline bool mbarrier_try_wait_parity(void* a, u32 parity) { return mbarrier_test_wait_parity(a, parity); }

// mbarrier.pending_count.b64 count, state;               PTX ISA 7.0, sm_80
inline u32 mbarrier_pending_count(u64 state) {
  u32 count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state) : "memory");
  return count;
}

// clang-format on
} // namespace cudax::arch::sm_80

#pragma clang force_cuda_host_device end
