// SPDX-License-Identifier: Apache-2.0
//
// entry: the device entry points of abi.hpp for atomic operations, from the rows of operations.def, and those for
// fences, time and errors. Compiled for every SM into the fat archive.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

/// For each type of operations.def, what an addition or a bitwise operation does where the state space is not known.
/// ptxas combines those of integers. It may not combine additions of floating-point numbers, whose results depend on
/// the order.
namespace where_unknown {
using enum arch::unknown_space;
constexpr arch::unknown_space u8 = query_local, u16 = query_local, u32 = query_local, u64 = query_local;
constexpr arch::unknown_space s32 = query_local, s64 = query_local;
constexpr arch::unknown_space f16 = generic, bf16 = generic, f32 = generic, f64 = generic;
} // namespace where_unknown

// clang-format off
// The column `value` of operations.def. `before` is the value in local memory.
#define VALUE_sum before + operand
#define VALUE_f16_sum target::f16_sum(before, operand)
#define VALUE_bf16_sum target::bf16_sum(before, operand)
#define VALUE_both before & operand
#define VALUE_either before | operand
#define VALUE_differing before ^ operand
#define VALUE_larger before < operand ? operand : before
#define VALUE_smaller operand < before ? operand : before

#define CUDAX_LOAD(operation, type, word, instruction, from)                                                 \
  CUDAX_ENTRY word cudax_##operation##_##type(void const* object, int order, int scope) {                    \
    return arch::load<word>(object, order, scope, [=]<class Q> { return target::instruction<Q>(object); });  \
  }
#define CUDAX_STORE(operation, type, word, instruction, from)                                                \
  CUDAX_ENTRY void cudax_##operation##_##type(void* object, word value, int order, int scope) {              \
    arch::store(object, value, order, scope, [=]<class Q> { target::instruction<Q>(object, value); });       \
  }
#define CUDAX_EXCHANGE(operation, type, word, instruction, from)                                             \
  CUDAX_ENTRY word cudax_##operation##_##type(void* object, word value, int order, int scope) {              \
    return arch::read_modify_write<arch::unknown_space::generic>(                                            \
        object, order, scope, [=] { return arch::plain_fetch<word>(object, [=](word) { return value; }); },  \
        [=]<class Q> { return target::instruction<Q>(object, value); });                                     \
  }
#define CUDAX_EXCHANGE_WIDE(...) // wide.cu
#define CUDAX_COMPARE(operation, type, word, instruction, from)                                              \
  CUDAX_ENTRY word cudax_##operation##_##type(void* object, word expected, word desired, int order, int scope) { \
    return arch::read_modify_write<arch::unknown_space::generic>(                                            \
        object, order, scope,                                                                                \
        [=] {                                                                                                \
          return arch::plain_fetch<word>(                                                                    \
              object, [=](word before) { return before == expected ? desired : before; });                   \
        },                                                                                                   \
        [=]<class Q> { return target::instruction<Q>(object, expected, desired); });                         \
  }
#define CUDAX_COMPARE_WIDE(...) // wide.cu
#define CUDAX_FETCH(operation, type, word, instruction, value, from)                                         \
  CUDAX_ENTRY word cudax_##operation##_##type(void* object, word operand, int order, int scope) {            \
    return arch::read_modify_write<where_unknown::type>(                                                     \
        object, order, scope,                                                                                \
        [=] { return arch::plain_fetch<word>(object, [=](word before) { return word(VALUE_##value); }); },   \
        [=]<class Q> { return target::instruction<Q>(object, operand); });                                   \
  }
#define CUDAX_REDUCE(operation, type, word, instruction, value, from)                                        \
  CUDAX_ENTRY void cudax_##operation##_##type(void* object, word operand, int order, int scope) {            \
    arch::reduce<where_unknown::type>(                                                                       \
        object, order, scope,                                                                                \
        [=] { arch::plain_fetch<word>(object, [=](word before) { return word(VALUE_##value); }); },          \
        [=]<class Q> { target::instruction<Q>(object, operand); });                                          \
  }
#include "operations.def"

CUDAX_ENTRY b128 cudax_load_two_u64(void const* objects, int scope) {
  return arch::with_space<arch::unknown_space::query_local>( // as all accesses of 16 bytes
      objects, [=] { return arch::plain_load<b128>(objects); },
      [=]<arch::space Space> {
        return arch::with_scope(scope, [=]<arch::scope Scope> {
          return target::ld_v2_b64<arch::qualifiers<arch::sem::relaxed, Scope, Space>>(objects);
        });
      });
}

CUDAX_ENTRY void cudax_fence(int order, int scope) { arch::fence(order, scope); }
CUDAX_ENTRY bool cudax_has_acquire_fence() { return target::has_acquire_fence; }

CUDAX_ENTRY void cudax_sleep(u32 nanoseconds) { target::nanosleep(nanoseconds); }
CUDAX_ENTRY u64 cudax_nanoseconds() { return target::globaltimer(); }
CUDAX_ENTRY u64 cudax_cycles() { return target::clock64(); }

CUDAX_ENTRY void cudax_stop(char const* sentence, s64 value) { arch::stop(sentence, value); }
// clang-format on
#endif
