// SPDX-License-Identifier: Apache-2.0
//
// tensor_copy: copies of tiles of a tensor by the asynchronous proxy, and what concerns the tensor maps that describe
// the tensor.  PTX ISA, "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor", "cp.async.bulk.prefetch.tensor",
// "fence.proxy.tensormap"
// A tensor map is named by its generic address, in parameter, constant or global memory. What the rank and the options
// add to an instruction: copy_form.hpp.
#pragma once

#include "../ptx.hpp"
#include "cluster_address.hpp"
#include "copy_form.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {
// clang-format off

// In the syntax, mode is .tile, or .im2col: then the tile is a number of pixels with some of their channels. The pixels
// follow each other in the box of the map, through all images, and each is read at the offsets {i, ...} from its place.

// cp.async.bulk.tensor.dim.shared::cta.global.mode.mbarrier::complete_tx::bytes{.L2::cache_hint} [to], [map, {x, ...}], [a]{, {i, ...}}{, policy};    PTX ISA 8.6, sm_90
template <u32 Rank, u32 Options>
void cp_async_bulk_tensor_shared_global(void* to, tile const& t, void* a, copy_operands const& o) {
  using form = reading_form<Rank, Options>;
  asm volatile((text("cp.async.bulk.tensor", form::dim, ".shared::cta.global", form::mode, ".mbarrier::complete_tx::bytes", form::qualifiers, " [%[to]], [%[map], ", form::at, "], [%[a]]", form::offsets, form::operands, ";")) : : [to] "l"(shared_address(to)), [a] "l"(shared_address(a)), CUDAX_TILE_OPERANDS(form, t, o) : "memory");
}

// cp.async.bulk.tensor.dim.shared::cluster.global.mode.mbarrier::complete_tx::bytes.multicast::cluster{.L2::cache_hint} [to], [map, {x, ...}], [a]{, {i, ...}}, blocks{, policy};    PTX ISA 8.0, sm_90
template <u32 Rank, u32 Options>
void cp_async_bulk_tensor_multicast_global(void* to, tile const& t, void* a, u16 blocks, copy_operands const& o) {
  using form = reading_form<Rank, Options>;
  asm volatile((text("cp.async.bulk.tensor", form::dim, ".shared::cluster.global", form::mode, ".mbarrier::complete_tx::bytes.multicast::cluster", form::qualifiers, " [%[to]], [%[map], ", form::at, "], [%[a]]", form::offsets, ", %[blocks]", form::operands, ";")) : : [to] "l"(cluster_address(to)), [a] "l"(cluster_address(a)), [blocks] "h"(blocks), CUDAX_TILE_OPERANDS(form, t, o) : "memory");
}

// cp.async.bulk.tensor.dim.global.shared::cta.mode.bulk_group{.L2::cache_hint} [map, {x, ...}], [from]{, policy};    PTX ISA 8.0, sm_90
template <u32 Rank, u32 Options>
void cp_async_bulk_tensor_global_shared(tile const& t, void const* from, copy_operands const& o) {
  using form = writing_form<Rank, Options>;
  asm volatile((text("cp.async.bulk.tensor", form::dim, ".global.shared::cta", form::mode, ".bulk_group", form::qualifiers, " [%[map], ", form::at, "], [%[from]]", form::operands, ";")) : : [from] "l"(shared_address(from)), CUDAX_TILE_OPERANDS(form, t, o) : "memory");
}

// cp.reduce.async.bulk.tensor.dim.global.shared::cta.op.mode.bulk_group{.L2::cache_hint} [map, {x, ...}], [from]{, policy};    PTX ISA 8.0, sm_90
template <reduction Op, u32 Rank, u32 Options>
void cp_reduce_async_bulk_tensor_global_shared(tile const& t, void const* from, copy_operands const& o) {
  using form = writing_form<Rank, Options>;
  asm volatile((text("cp.reduce.async.bulk.tensor", form::dim, ".global.shared::cta", spelling(Op), form::mode, ".bulk_group", form::qualifiers, " [%[map], ", form::at, "], [%[from]]", form::operands, ";")) : : [from] "l"(shared_address(from)), CUDAX_TILE_OPERANDS(form, t, o) : "memory");
}

// cp.async.bulk.prefetch.tensor.dim.L2.global.mode{.L2::cache_hint} [map, {x, ...}]{, {i, ...}}{, policy};    PTX ISA 8.0, sm_90
template <u32 Rank, u32 Options>
void cp_async_bulk_prefetch_tensor_L2(tile const& t, copy_operands const& o) {
  using form = reading_form<Rank, Options>;
  asm volatile((text("cp.async.bulk.prefetch.tensor", form::dim, ".L2.global", form::mode, form::qualifiers, " [%[map], ", form::at, "]", form::offsets, form::operands, ";")) : : CUDAX_TILE_OPERANDS(form, t, o) : "memory");
}

// prefetch.tensormap [map];                              PTX ISA 8.0, sm_90
inline void prefetch_tensormap(void const* map) { asm volatile("prefetch.tensormap [%0];" : : "l"(map) : "memory"); }

// fence.proxy.tensormap::generic.release{.scope};        PTX ISA 8.3, sm_90
template <scope Scope>
void fence_proxy_tensormap_release() {
  asm volatile((text("fence.proxy.tensormap::generic.release", spelling(Scope), ";")) : : : "memory");
}

// fence.proxy.tensormap::generic.acquire{.scope} [map], 128;    PTX ISA 8.3, sm_90
template <scope Scope>
void fence_proxy_tensormap_acquire(void const* map) {
  asm volatile((text("fence.proxy.tensormap::generic.acquire", spelling(Scope), " [%0], 128;")) : : "l"(map) : "memory");
}

// tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release{.scope}.sync.aligned [to], [from], 128;    PTX ISA 8.3, sm_90
template <scope Scope>
void tensormap_cp_fenceproxy(void* to, void const* from) {
  asm volatile((text("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release", spelling(Scope), ".sync.aligned [%0], [%1], 128;")) : : "l"(global_address(to)), "l"(shared_address(from)) : "memory");
}

// clang-format on
} // namespace cudax::arch::sm_90

#pragma clang force_cuda_host_device end
