// SPDX-License-Identifier: Apache-2.0
//
// bulk_reduction: reductions of arrays by the asynchronous proxy.  PTX ISA, "cp.reduce.async.bulk"
// Each reduction of an element is relaxed at device scope: the instruction has no .sem and no .scope.
#pragma once

#include "../ptx.hpp"
#include "cluster_address.hpp"
#include "copy_form.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {
// clang-format off

/// Sums of the 16-bit types keep subnormal numbers, and PTX demands that the instruction says so.
template <reduction Op, element Type>
constexpr char const* noftz() {
  return Op == reduction::add && size_of(Type) == 2 ? ".noftz" : "";
}

// cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.op.type [to], [from], size{, policy};       PTX ISA 8.0, sm_90
template <reduction Op, element Type, u32 Options>
void cp_reduce_async_bulk_global_shared(void* to, void const* from, u32 size, copy_operands const& o) {
  using form = copy_form<Options>;
  asm volatile((text("cp.reduce.async.bulk.global.shared::cta.bulk_group", form::qualifiers, spelling(Op), noftz<Op, Type>(), spelling_of<Op, Type>(), " [%[to]], [%[from]], %[size]", form::operands, ";")) : : [to] "l"(global_address(to)), [from] "l"(shared_address(from)), [size] "r"(size), CUDAX_OPTION_OPERANDS(form, o) : "memory");
}

// cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.op.type [to], [from], size, [a];   PTX ISA 8.0, sm_90
template <reduction Op, element Type>
void cp_reduce_async_bulk_cluster_shared(void* to, void const* from, u32 size, void* a) {
  asm volatile((text("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", spelling(Op), spelling_of<Op, Type>(), " [%0], [%1], %2, [%3];")) : : "l"(cluster_address(to)), "l"(shared_address(from)), "r"(size), "l"(cluster_address(a)) : "memory");
}

// clang-format on
} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
