// SPDX-License-Identifier: Apache-2.0
//
// cp_async: a thread's asynchronous copies from global to shared memory.  PTX ISA, "cp.async"
// Copies of 16 bytes bypass the L1 (.cg); those of 4 and 8 bytes exist only through it (.ca).
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_80 {
// clang-format off

constexpr bool has_cp_async = true;

// cp.async.ca.shared::cta.global [to], [from], 4;        PTX ISA 7.0, sm_80
inline void cp_async_4(void* to, void const* from) {
  asm volatile("cp.async.ca.shared::cta.global [%0], [%1], 4;" : : "l"(shared_address(to)), "l"(global_address(from)) : "memory");
}

// cp.async.ca.shared::cta.global [to], [from], 8;        PTX ISA 7.0, sm_80
inline void cp_async_8(void* to, void const* from) {
  asm volatile("cp.async.ca.shared::cta.global [%0], [%1], 8;" : : "l"(shared_address(to)), "l"(global_address(from)) : "memory");
}

// cp.async.cg.shared::cta.global [to], [from], 16;       PTX ISA 7.0, sm_80
inline void cp_async_16(void* to, void const* from) {
  asm volatile("cp.async.cg.shared::cta.global [%0], [%1], 16;" : : "l"(shared_address(to)), "l"(global_address(from)) : "memory");
}

// Of the source, the first `size` bytes, and zeros after them. Bytes of the source beyond are not read.
// cp.async.ca.shared::cta.global [to], [from], 4, size;  PTX ISA 7.0, sm_80
inline void cp_async_4_filled(void* to, void const* from, u32 size) {
  asm volatile("cp.async.ca.shared::cta.global [%0], [%1], 4, %2;" : : "l"(shared_address(to)), "l"(global_address(from)), "r"(size) : "memory");
}

// cp.async.ca.shared::cta.global [to], [from], 8, size;  PTX ISA 7.0, sm_80
inline void cp_async_8_filled(void* to, void const* from, u32 size) {
  asm volatile("cp.async.ca.shared::cta.global [%0], [%1], 8, %2;" : : "l"(shared_address(to)), "l"(global_address(from)), "r"(size) : "memory");
}

// cp.async.cg.shared::cta.global [to], [from], 16, size; PTX ISA 7.0, sm_80
inline void cp_async_16_filled(void* to, void const* from, u32 size) {
  asm volatile("cp.async.cg.shared::cta.global [%0], [%1], 16, %2;" : : "l"(shared_address(to)), "l"(global_address(from)), "r"(size) : "memory");
}

// cp.async.commit_group;                                 PTX ISA 7.0, sm_80
inline void cp_async_commit_group() { asm volatile("cp.async.commit_group;" : : : "memory"); }

// cp.async.wait_group n;                                 PTX ISA 7.0, sm_80
template <u32 Pending>
void cp_async_wait_group() {
  asm volatile("cp.async.wait_group %0;" : : "n"(Pending) : "memory");
}

// cp.async.wait_all;                                     PTX ISA 7.0, sm_80
inline void cp_async_wait_all() { asm volatile("cp.async.wait_all;" : : : "memory"); }

// cp.async.mbarrier.arrive.noinc.shared::cta.b64 [a];    PTX ISA 7.0, sm_80
inline void cp_async_mbarrier_arrive_noinc(void* a) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" : : "l"(shared_address(a)) : "memory");
}

// cp.async.mbarrier.arrive.shared::cta.b64 [a];          PTX ISA 7.0, sm_80
inline void cp_async_mbarrier_arrive(void* a) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" : : "l"(shared_address(a)) : "memory");
}

// clang-format on
} // namespace cudax::arch::sm_80

#pragma clang force_cuda_host_device end
