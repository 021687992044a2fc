// SPDX-License-Identifier: Apache-2.0
//
// entry: the device entry points of abi.hpp, one line each. Compiled for every SM into the fat archive.
// The last argument of a line is the operation for local memory; `before` is the value there.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

// clang-format off
#define LOAD(name, type, instruction)                                                                        \
  CUDAX_ENTRY type name(void const* object, int order, int scope) {                                          \
    return arch::load(                                                                                       \
        object, order, scope, [=] { return arch::plain_load<type>(object); },                                \
        [=]<class Q> { return target::instruction<Q>(object); });                                            \
  }
#define STORE(name, type, instruction)                                                                       \
  CUDAX_ENTRY void name(void* object, type value, int order, int scope) {                                    \
    arch::store(                                                                                             \
        object, order, scope, [=] { arch::plain_store<type>(object, value); },                               \
        [=]<class Q> { target::instruction<Q>(object, value); });                                            \
  }
#define FETCH(name, type, instruction, ...)                                                                  \
  CUDAX_ENTRY type name(void* object, type operand, int order, int scope) {                                  \
    return arch::read_modify_write(                                                                          \
        object, order, scope,                                                                                \
        [=] { return arch::plain_fetch<type>(object, [=]([[maybe_unused]] type before) { return type(__VA_ARGS__); }); },     \
        [=]<class Q> { return target::instruction<Q>(object, operand); });                                   \
  }
#define REDUCE(name, type, instruction, ...)                                                                 \
  CUDAX_ENTRY void name(void* object, type operand, int order, int scope) {                                  \
    arch::store(                                                                                             \
        object, order, scope,                                                                                \
        [=] { arch::plain_fetch<type>(object, [=]([[maybe_unused]] type before) { return type(__VA_ARGS__); }); },            \
        [=]<class Q> { target::instruction<Q>(object, operand); });                                          \
  }
#define CAS(name, type, instruction)                                                                         \
  CUDAX_ENTRY type name(void* object, type expected, type desired, int order, int scope) {                   \
    return arch::read_modify_write(                                                                          \
        object, order, scope,                                                                                \
        [=] {                                                                                                \
          return arch::plain_fetch<type>(                                                                    \
              object, [=](type before) { return before == expected ? desired : before; });                   \
        },                                                                                                   \
        [=]<class Q> { return target::instruction<Q>(object, expected, desired); });                         \
  }

LOAD(cudax_load_u8,   u8,   ld_u8)
LOAD(cudax_load_u16,  u16,  ld_u16)
LOAD(cudax_load_u32,  u32,  ld_u32)
LOAD(cudax_load_u64,  u64,  ld_u64)
LOAD(cudax_load_b128, b128, ld_b128)

STORE(cudax_store_u8,   u8,   st_u8)
STORE(cudax_store_u16,  u16,  st_u16)
STORE(cudax_store_u32,  u32,  st_u32)
STORE(cudax_store_u64,  u64,  st_u64)
STORE(cudax_store_b128, b128, st_b128)

FETCH(cudax_exchange_u8,  u8,  atom_exch_subword, operand)
FETCH(cudax_exchange_u16, u16, atom_exch_subword, operand)
FETCH(cudax_exchange_u32, u32, atom_exch_b32,     operand)
FETCH(cudax_exchange_u64, u64, atom_exch_b64,     operand)

CAS(cudax_compare_exchange_u8,  u8,  atom_cas_u8)
CAS(cudax_compare_exchange_u16, u16, atom_cas_b16)
CAS(cudax_compare_exchange_u32, u32, atom_cas_b32)
CAS(cudax_compare_exchange_u64, u64, atom_cas_b64)

FETCH(cudax_fetch_add_u8,   u8,  atom_add_subword,    before + operand)
FETCH(cudax_fetch_add_u16,  u16, atom_add_subword,    before + operand)
FETCH(cudax_fetch_add_u32,  u32, atom_add_u32,        before + operand)
FETCH(cudax_fetch_add_u64,  u64, atom_add_u64,        before + operand)
FETCH(cudax_fetch_add_f32,  f32, atom_add_f32,        before + operand)
FETCH(cudax_fetch_add_f64,  f64, atom_add_f64,        before + operand)
FETCH(cudax_fetch_add_f16,  u16, atom_add_noftz_f16,  target::f16_sum(before, operand))
FETCH(cudax_fetch_add_bf16, u16, atom_add_noftz_bf16, target::bf16_sum(before, operand))
FETCH(cudax_fetch_and_u8,   u8,  atom_and_subword,    before & operand)
FETCH(cudax_fetch_and_u16,  u16, atom_and_subword,    before & operand)
FETCH(cudax_fetch_and_u32,  u32, atom_and_b32,        before & operand)
FETCH(cudax_fetch_and_u64,  u64, atom_and_b64,        before & operand)
FETCH(cudax_fetch_or_u8,    u8,  atom_or_subword,     before | operand)
FETCH(cudax_fetch_or_u16,   u16, atom_or_subword,     before | operand)
FETCH(cudax_fetch_or_u32,   u32, atom_or_b32,         before | operand)
FETCH(cudax_fetch_or_u64,   u64, atom_or_b64,         before | operand)
FETCH(cudax_fetch_xor_u8,   u8,  atom_xor_subword,    before ^ operand)
FETCH(cudax_fetch_xor_u16,  u16, atom_xor_subword,    before ^ operand)
FETCH(cudax_fetch_xor_u32,  u32, atom_xor_b32,        before ^ operand)
FETCH(cudax_fetch_xor_u64,  u64, atom_xor_b64,        before ^ operand)
FETCH(cudax_fetch_max_u8,   u8,  atom_max_subword,    before < operand ? operand : before)
FETCH(cudax_fetch_max_s8,   s8,  atom_max_subword,    before < operand ? operand : before)
FETCH(cudax_fetch_max_u16,  u16, atom_max_subword,    before < operand ? operand : before)
FETCH(cudax_fetch_max_s16,  s16, atom_max_subword,    before < operand ? operand : before)
FETCH(cudax_fetch_max_u32,  u32, atom_max_u32,        before < operand ? operand : before)
FETCH(cudax_fetch_max_s32,  s32, atom_max_s32,        before < operand ? operand : before)
FETCH(cudax_fetch_max_u64,  u64, atom_max_u64,        before < operand ? operand : before)
FETCH(cudax_fetch_max_s64,  s64, atom_max_s64,        before < operand ? operand : before)
FETCH(cudax_fetch_min_u8,   u8,  atom_min_subword,    operand < before ? operand : before)
FETCH(cudax_fetch_min_s8,   s8,  atom_min_subword,    operand < before ? operand : before)
FETCH(cudax_fetch_min_u16,  u16, atom_min_subword,    operand < before ? operand : before)
FETCH(cudax_fetch_min_s16,  s16, atom_min_subword,    operand < before ? operand : before)
FETCH(cudax_fetch_min_u32,  u32, atom_min_u32,        operand < before ? operand : before)
FETCH(cudax_fetch_min_s32,  s32, atom_min_s32,        operand < before ? operand : before)
FETCH(cudax_fetch_min_u64,  u64, atom_min_u64,        operand < before ? operand : before)
FETCH(cudax_fetch_min_s64,  s64, atom_min_s64,        operand < before ? operand : before)

REDUCE(cudax_reduce_add_u32,  u32, red_add_u32,        before + operand)
REDUCE(cudax_reduce_add_u64,  u64, red_add_u64,        before + operand)
REDUCE(cudax_reduce_add_f32,  f32, red_add_f32,        before + operand)
REDUCE(cudax_reduce_add_f64,  f64, red_add_f64,        before + operand)
REDUCE(cudax_reduce_add_f16,  u16, red_add_noftz_f16,  target::f16_sum(before, operand))
REDUCE(cudax_reduce_add_bf16, u16, red_add_noftz_bf16, target::bf16_sum(before, operand))
REDUCE(cudax_reduce_and_u8,   u8,  red_and_subword,    before & operand)
REDUCE(cudax_reduce_and_u16,  u16, red_and_subword,    before & operand)
REDUCE(cudax_reduce_and_u32,  u32, red_and_b32,        before & operand)
REDUCE(cudax_reduce_and_u64,  u64, red_and_b64,        before & operand)
REDUCE(cudax_reduce_or_u8,    u8,  red_or_subword,     before | operand)
REDUCE(cudax_reduce_or_u16,   u16, red_or_subword,     before | operand)
REDUCE(cudax_reduce_or_u32,   u32, red_or_b32,         before | operand)
REDUCE(cudax_reduce_or_u64,   u64, red_or_b64,         before | operand)
REDUCE(cudax_reduce_xor_u8,   u8,  red_xor_subword,    before ^ operand)
REDUCE(cudax_reduce_xor_u16,  u16, red_xor_subword,    before ^ operand)
REDUCE(cudax_reduce_xor_u32,  u32, red_xor_b32,        before ^ operand)
REDUCE(cudax_reduce_xor_u64,  u64, red_xor_b64,        before ^ operand)
REDUCE(cudax_reduce_max_u32,  u32, red_max_u32,        before < operand ? operand : before)
REDUCE(cudax_reduce_max_s32,  s32, red_max_s32,        before < operand ? operand : before)
REDUCE(cudax_reduce_max_u64,  u64, red_max_u64,        before < operand ? operand : before)
REDUCE(cudax_reduce_max_s64,  s64, red_max_s64,        before < operand ? operand : before)
REDUCE(cudax_reduce_min_u32,  u32, red_min_u32,        operand < before ? operand : before)
REDUCE(cudax_reduce_min_s32,  s32, red_min_s32,        operand < before ? operand : before)
REDUCE(cudax_reduce_min_u64,  u64, red_min_u64,        operand < before ? operand : before)
REDUCE(cudax_reduce_min_s64,  s64, red_min_s64,        operand < before ? operand : before)

CUDAX_ENTRY void cudax_fence(int order, int scope) { arch::fence(order, scope); }

CUDAX_ENTRY void cudax_sleep(u32 nanoseconds) { target::nanosleep(nanoseconds); }
CUDAX_ENTRY u64 cudax_nanoseconds() { return target::globaltimer(); }
CUDAX_ENTRY u64 cudax_cycles() { return target::clock64(); }

CUDAX_ENTRY void cudax_stop(char const* sentence, s64 value) { arch::stop(sentence, value); }
// clang-format on
#endif
