// SPDX-License-Identifier: Apache-2.0
//
// wide: 128-bit read-modify-write. A unit of its own, because before sm_90 it refers to a symbol that is defined
// nowhere (sm_70/missing.hpp): only a program that calls it fails to link.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

#define CUDAX_EXCHANGE_WIDE(operation, type, word, instruction, from)                                                  \
  CUDAX_ENTRY word cudax_##operation##_##type(void* object, word value, int order, int scope) {                        \
    return arch::read_modify_write<arch::unknown_space::query_local>(                                                  \
        object, order, scope, [=] { return arch::plain_fetch<word>(object, [=](word) { return value; }); },            \
        [=]<class Q> { return target::instruction<Q>(object, value); });                                               \
  }
#define CUDAX_COMPARE_WIDE(operation, type, word, instruction, from)                                                   \
  CUDAX_ENTRY word cudax_##operation##_##type(void* object, word expected, word desired, int order, int scope) {       \
    return arch::read_modify_write<arch::unknown_space::query_local>(                                                  \
        object, order, scope,                                                                                          \
        [=] {                                                                                                          \
          return arch::plain_fetch<word>(object, [=](word before) { return before == expected ? desired : before; });  \
        },                                                                                                             \
        [=]<class Q> { return target::instruction<Q>(object, expected, desired); });                                   \
  }
#include "operations.def"
#endif
