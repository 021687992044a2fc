// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: what sm_90 adds: arrivals with a count, transactions (bytes that a phase waits for), arrivals at barriers
// of the cluster's other blocks, waits that may suspend the thread, and .sem and .scope on all of them.  PTX ISA,
// "mbarrier"
#pragma once

#include "../ptx.hpp"
#include "cluster_address.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {
// clang-format off

// mbarrier.arrive.release.cta.shared::cta.b64 state, [a], count;       PTX ISA 8.0, sm_90
inline u64 mbarrier_arrive(void* a, u32 count) {
  u64 state;
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "l"(shared_address(a)), "r"(count) : "memory");
  return state;
}

// mbarrier.arrive_drop.release.cta.shared::cta.b64 state, [a], count;  PTX ISA 8.0, sm_90
inline u64 mbarrier_arrive_drop(void* a, u32 count) {
  u64 state;
  asm volatile("mbarrier.arrive_drop.release.cta.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "l"(shared_address(a)), "r"(count) : "memory");
  return state;
}

// mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 state, [a], bytes;     PTX ISA 8.0, sm_90
inline u64 mbarrier_arrive_expect_tx(void* a, u32 bytes) {
  u64 state;
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "l"(shared_address(a)), "r"(bytes) : "memory");
  return state;
}

// mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [a], bytes;           PTX ISA 8.0, sm_90
inline void mbarrier_expect_tx(void* a, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" : : "l"(shared_address(a)), "r"(bytes) : "memory");
}

// mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [a], bytes;         PTX ISA 8.0, sm_90
inline void mbarrier_complete_tx(void* a, u32 bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" : : "l"(shared_address(a)), "r"(bytes) : "memory");
}

// mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [a], bytes;   PTX ISA 8.0, sm_90
inline void mbarrier_expect_tx_remote(void* a, u32 bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" : : "l"(cluster_address(a)), "r"(bytes) : "memory");
}

// mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [a], bytes;         PTX ISA 8.0, sm_90
inline void mbarrier_complete_tx_remote(void* a, u32 bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" : : "l"(cluster_address(a)), "r"(bytes) : "memory");
}

// At cluster scope an arrival releases or is relaxed, and a wait acquires or is relaxed (PTX ISA 8.6). A fence of
// fence.hpp before a relaxed arrival, and one after the last relaxed wait, order memory.

// mbarrier.arrive.expect_tx{.sem}.cluster.shared::cluster.b64 _, [a], bytes;   PTX ISA 8.0, sm_90
template <sem Sem> void mbarrier_arrive_expect_tx_remote(void* a, u32 bytes) {
  asm volatile((text("mbarrier.arrive.expect_tx", spelling(Sem), ".cluster.shared::cluster.b64 _, [%0], %1;")) : : "l"(cluster_address(a)), "r"(bytes) : "memory");
}

// mbarrier.arrive{.sem}.cluster.shared::cluster.b64 _, [a], count;     PTX ISA 8.0, sm_90
template <sem Sem> void mbarrier_arrive_remote(void* a, u32 count) {
  asm volatile((text("mbarrier.arrive", spelling(Sem), ".cluster.shared::cluster.b64 _, [%0], %1;")) : : "l"(cluster_address(a)), "r"(count) : "memory");
}

// mbarrier.test_wait.acquire.cta.shared::cta.b64 p, [a], state;        PTX ISA 8.0, sm_90
inline bool mbarrier_test_wait(void* a, u64 state) {
  u32 d;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.acquire.cta.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "l"(shared_address(a)), "l"(state) : "memory");
  return d;
}

// mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [a], parity;        PTX ISA 8.0, sm_90
inline bool mbarrier_test_wait_parity(void* a, u32 parity) {
  u32 d;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "l"(shared_address(a)), "r"(parity) : "memory");
  return d;
}

// mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [a], state;    PTX ISA 8.0, sm_90
inline bool mbarrier_try_wait(void* a, u64 state) {
  u32 d;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "l"(shared_address(a)), "l"(state) : "memory");
  return d;
}

// mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [a], parity;    PTX ISA 8.0, sm_90
inline bool mbarrier_try_wait_parity(void* a, u32 parity) {
  u32 d;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(d) : "l"(shared_address(a)), "r"(parity) : "memory");
  return d;
}

// mbarrier.test_wait{.sem}.cluster.shared::cta.b64 p, [a], state;      PTX ISA 8.0, sm_90
template <sem Sem> bool mbarrier_test_wait_cluster(void* a, u64 state) {
  u32 d;
  asm volatile((text("{ .reg .pred p; mbarrier.test_wait", spelling(Sem), ".cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }")) : "=r"(d) : "l"(shared_address(a)), "l"(state) : "memory");
  return d;
}

// mbarrier.test_wait.parity{.sem}.cluster.shared::cta.b64 p, [a], parity; PTX ISA 8.0, sm_90
template <sem Sem> bool mbarrier_test_wait_parity_cluster(void* a, u32 parity) {
  u32 d;
  asm volatile((text("{ .reg .pred p; mbarrier.test_wait.parity", spelling(Sem), ".cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }")) : "=r"(d) : "l"(shared_address(a)), "r"(parity) : "memory");
  return d;
}

// mbarrier.try_wait{.sem}.cluster.shared::cta.b64 p, [a], state;       PTX ISA 8.0, sm_90
template <sem Sem> bool mbarrier_try_wait_cluster(void* a, u64 state) {
  u32 d;
  asm volatile((text("{ .reg .pred p; mbarrier.try_wait", spelling(Sem), ".cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }")) : "=r"(d) : "l"(shared_address(a)), "l"(state) : "memory");
  return d;
}

// mbarrier.try_wait.parity{.sem}.cluster.shared::cta.b64 p, [a], parity; PTX ISA 8.0, sm_90
template <sem Sem> bool mbarrier_try_wait_parity_cluster(void* a, u32 parity) {
  u32 d;
  asm volatile((text("{ .reg .pred p; mbarrier.try_wait.parity", spelling(Sem), ".cluster.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }")) : "=r"(d) : "l"(shared_address(a)), "r"(parity) : "memory");
  return d;
}

// fence.mbarrier_init.release.cluster;                                 PTX ISA 8.0, sm_90
inline void fence_mbarrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory"); }

// clang-format on
} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
