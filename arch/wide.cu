// SPDX-License-Identifier: Apache-2.0
//
// wide: 128-bit read-modify-write. A unit of its own, because before sm_90 it refers to a symbol that nobody defines
// (sm_70/missing.hpp): only a program that calls it fails to link.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

CUDAX_ENTRY b128 cudax_exchange_b128(void* object, b128 value, int order, int scope) {
  return arch::read_modify_write(
      object, order, scope, [=] { return arch::plain_fetch<b128>(object, [=](b128) { return value; }); },
      [=]<class Q> { return target::atom_exch_b128<Q>(object, value); });
}

CUDAX_ENTRY b128 cudax_compare_exchange_b128(void* object, b128 expected, b128 desired, int order, int scope) {
  return arch::read_modify_write(
      object, order, scope,
      [=] {
        return arch::plain_fetch<b128>(object, [=](b128 before) { return before == expected ? desired : before; });
      },
      [=]<class Q> { return target::atom_cas_b128<Q>(object, expected, desired); });
}
#endif
