// SPDX-License-Identifier: Apache-2.0
//
// abi: the boundary between the module (modules/) and the per-SM code (arch/).
//
// One line per device entry point. An entry takes its memory order and thread scope as integers with the values of
// cudax::memory_order (0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst) and cudax::thread_scope
// (0 system, 1 device, 2 block, 4 cluster): after device LTO they are constants, the switches behind them fold, and a
// call is its PTX instruction. The interface units include this file and nothing else of arch/, so one device BMI
// serves every SM.
//
// Objects are named by untyped pointers: an entry reads and writes bytes and never tells the optimiser a type.
// An object may lie in any state space; in local memory (automatic storage) it is accessed plainly, since no other
// thread can reach it. Pointers are aligned to the size of the object.
#pragma once

#if defined(__CUDA__)

// Hidden: device LTO then drops the entries that a program does not call. Visible ones would stay in every program, some
// 70 KB and a second of linking for each SM.
#define CUDAX_ENTRY extern "C" __attribute__((device, visibility("hidden")))

namespace cudax::abi {
using u8 = unsigned char;
using u16 = unsigned short;
using s8 = signed char;
using s16 = short;
using u32 = unsigned;
using s32 = int;
using u64 = unsigned long long;
using s64 = long long;
using b128 = unsigned __int128;
using f32 = float;
using f64 = double;
} // namespace cudax::abi

// clang-format off
// Loads. Orders: relaxed, consume, acquire, seq_cst.
CUDAX_ENTRY cudax::abi::u8 cudax_load_u8(void const* object, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_load_u16(void const* object, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_load_u32(void const* object, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_load_u64(void const* object, int order, int scope);
CUDAX_ENTRY cudax::abi::b128 cudax_load_b128(void const* object, int order, int scope);

// Stores. Orders: relaxed, release, seq_cst.
CUDAX_ENTRY void cudax_store_u8(void* object, cudax::abi::u8 value, int order, int scope);
CUDAX_ENTRY void cudax_store_u16(void* object, cudax::abi::u16 value, int order, int scope);
CUDAX_ENTRY void cudax_store_u32(void* object, cudax::abi::u32 value, int order, int scope);
CUDAX_ENTRY void cudax_store_u64(void* object, cudax::abi::u64 value, int order, int scope);
CUDAX_ENTRY void cudax_store_b128(void* object, cudax::abi::b128 value, int order, int scope);

// Exchange: the value before is returned. Every order. b128 needs sm_90: see wide.cu.
CUDAX_ENTRY cudax::abi::u8 cudax_exchange_u8(void* object, cudax::abi::u8 value, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_exchange_u16(void* object, cudax::abi::u16 value, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_exchange_u32(void* object, cudax::abi::u32 value, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_exchange_u64(void* object, cudax::abi::u64 value, int order, int scope);
CUDAX_ENTRY cudax::abi::b128 cudax_exchange_b128(void* object, cudax::abi::b128 value, int order, int scope);

// Compare-and-swap, strong: stores `desired` where the object holds `expected`; the value before is returned. `order`
// is the union of the success and the failure order and holds on both paths. b128 needs sm_90: see wide.cu.
CUDAX_ENTRY cudax::abi::u8 cudax_cas_u8(void* object, cudax::abi::u8 expected, cudax::abi::u8 desired, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_cas_u16(void* object, cudax::abi::u16 expected, cudax::abi::u16 desired, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_cas_u32(void* object, cudax::abi::u32 expected, cudax::abi::u32 desired, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_cas_u64(void* object, cudax::abi::u64 expected, cudax::abi::u64 desired, int order, int scope);
CUDAX_ENTRY cudax::abi::b128 cudax_cas_b128(void* object, cudax::abi::b128 expected, cudax::abi::b128 desired, int order, int scope);

// Fetch-and-modify: the value before is returned. Every order. f16 and bf16 travel as their bits.
CUDAX_ENTRY cudax::abi::u8 cudax_fetch_add_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_fetch_add_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_fetch_add_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_fetch_add_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::f32 cudax_fetch_add_f32(void* object, cudax::abi::f32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::f64 cudax_fetch_add_f64(void* object, cudax::abi::f64 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_fetch_add_f16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_fetch_add_bf16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u8 cudax_fetch_and_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_fetch_and_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_fetch_and_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_fetch_and_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u8 cudax_fetch_or_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_fetch_or_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_fetch_or_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_fetch_or_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u8 cudax_fetch_xor_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_fetch_xor_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_fetch_xor_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_fetch_xor_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u8 cudax_fetch_max_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::s8 cudax_fetch_max_s8(void* object, cudax::abi::s8 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_fetch_max_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::s16 cudax_fetch_max_s16(void* object, cudax::abi::s16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_fetch_max_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::s32 cudax_fetch_max_s32(void* object, cudax::abi::s32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_fetch_max_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::s64 cudax_fetch_max_s64(void* object, cudax::abi::s64 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u8 cudax_fetch_min_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::s8 cudax_fetch_min_s8(void* object, cudax::abi::s8 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u16 cudax_fetch_min_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::s16 cudax_fetch_min_s16(void* object, cudax::abi::s16 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u32 cudax_fetch_min_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::s32 cudax_fetch_min_s32(void* object, cudax::abi::s32 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::u64 cudax_fetch_min_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY cudax::abi::s64 cudax_fetch_min_s64(void* object, cudax::abi::s64 operand, int order, int scope);

// Reductions: as above, without a result. Orders: relaxed, release, seq_cst.
CUDAX_ENTRY void cudax_reduce_add_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_add_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_add_f32(void* object, cudax::abi::f32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_add_f64(void* object, cudax::abi::f64 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_add_f16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_add_bf16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_and_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_and_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_and_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_and_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_or_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_or_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_or_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_or_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_xor_u8(void* object, cudax::abi::u8 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_xor_u16(void* object, cudax::abi::u16 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_xor_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_xor_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_max_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_max_s32(void* object, cudax::abi::s32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_max_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_max_s64(void* object, cudax::abi::s64 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_min_u32(void* object, cudax::abi::u32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_min_s32(void* object, cudax::abi::s32 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_min_u64(void* object, cudax::abi::u64 operand, int order, int scope);
CUDAX_ENTRY void cudax_reduce_min_s64(void* object, cudax::abi::s64 operand, int order, int scope);

// Fence. Every order; relaxed does nothing.
CUDAX_ENTRY void cudax_fence(int order, int scope);

// Time and waiting. Nanoseconds; cudax_clock counts cycles of the SM.
CUDAX_ENTRY void cudax_nanosleep(cudax::abi::u32 nanoseconds);
CUDAX_ENTRY cudax::abi::u64 cudax_global_timer();
CUDAX_ENTRY cudax::abi::u64 cudax_clock();

// Prints `sentence`, which holds one %lld for `value`, and ends the kernel with an error.
CUDAX_ENTRY void cudax_stop(char const* sentence, long long value);
// clang-format on

#endif
