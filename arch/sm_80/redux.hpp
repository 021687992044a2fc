// SPDX-License-Identifier: Apache-2.0
//
// redux: one reduction over lanes of a warp, in one instruction.  PTX ISA, "redux.sync"
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_80 {

constexpr bool has_redux = true;

// redux.sync.add.u32 d, a, membermask;                   PTX ISA 7.0, sm_80
inline u32 redux_sync_add_u32(u32 a, u32 mask) {
  u32 d;
  asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask) : "memory");
  return d;
}

// redux.sync.max.u32 d, a, membermask;                   PTX ISA 7.0, sm_80
inline u32 redux_sync_max_u32(u32 a, u32 mask) {
  u32 d;
  asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask) : "memory");
  return d;
}

// redux.sync.max.s32 d, a, membermask;                   PTX ISA 7.0, sm_80
inline s32 redux_sync_max_s32(s32 a, u32 mask) {
  s32 d;
  asm volatile("redux.sync.max.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask) : "memory");
  return d;
}

// redux.sync.min.u32 d, a, membermask;                   PTX ISA 7.0, sm_80
inline u32 redux_sync_min_u32(u32 a, u32 mask) {
  u32 d;
  asm volatile("redux.sync.min.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask) : "memory");
  return d;
}

// redux.sync.min.s32 d, a, membermask;                   PTX ISA 7.0, sm_80
inline s32 redux_sync_min_s32(s32 a, u32 mask) {
  s32 d;
  asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask) : "memory");
  return d;
}

// redux.sync.and.b32 d, a, membermask;                   PTX ISA 7.0, sm_80
inline u32 redux_sync_and_b32(u32 a, u32 mask) {
  u32 d;
  asm volatile("redux.sync.and.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask) : "memory");
  return d;
}

// redux.sync.or.b32 d, a, membermask;                    PTX ISA 7.0, sm_80
inline u32 redux_sync_or_b32(u32 a, u32 mask) {
  u32 d;
  asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask) : "memory");
  return d;
}

// redux.sync.xor.b32 d, a, membermask;                   PTX ISA 7.0, sm_80
inline u32 redux_sync_xor_b32(u32 a, u32 mask) {
  u32 d;
  asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(mask) : "memory");
  return d;
}

} // namespace cudax::arch::sm_80

#pragma clang force_cuda_host_device end
