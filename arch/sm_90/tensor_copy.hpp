// SPDX-License-Identifier: Apache-2.0
//
// tensor_copy: copies of tiles of a tensor by the asynchronous proxy, and what concerns the tensor maps that describe
// the tensor.  PTX ISA, "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor", "cp.async.bulk.prefetch.tensor",
// "fence.proxy.tensormap"
// A tensor map is named by its generic address, in parameter, constant or global memory. One function for each shape:
// the rank chooses how many coordinates the instruction has.
#pragma once

#include "../ptx.hpp"
#include "cluster_address.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90 {
// clang-format off

// cp.async.bulk.tensor.dim.shared::cta.global.tile.mbarrier::complete_tx::bytes [to], [map, {x, ...}], [a];    PTX ISA 8.6, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_shared_global(void* to, void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void* a) {
  if constexpr (Rank == 1) asm volatile("cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.async.bulk.tensor.dim.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [to], [map, {x, ...}], [a], blocks;    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_multicast_global(void* to, void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void* a, u16 blocks) {
  if constexpr (Rank == 1) asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%4}], [%2], %3;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5}], [%2], %3;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, %6}], [%2], %3;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, %6, %7}], [%2], %3;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.async.bulk.tensor.dim.global.shared::cta.tile.bulk_group [map, {x, ...}], [from];    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_global_shared(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void const* from) {
  if constexpr (Rank == 1) asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];" : : "l"(map), "l"(shared_address(from)), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.reduce.async.bulk.tensor.dim.global.shared::cta.op.tile.bulk_group [map, {x, ...}], [from];    PTX ISA 8.0, sm_90
template <reduction Op, u32 Rank>
void cp_reduce_async_bulk_tensor_global_shared(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void const* from) {
  if constexpr (Rank == 1) asm volatile((text("cp.reduce.async.bulk.tensor.1d.global.shared::cta", spelling(Op), ".tile.bulk_group [%0, {%2}], [%1];")) : : "l"(map), "l"(shared_address(from)), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile((text("cp.reduce.async.bulk.tensor.2d.global.shared::cta", spelling(Op), ".tile.bulk_group [%0, {%2, %3}], [%1];")) : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile((text("cp.reduce.async.bulk.tensor.3d.global.shared::cta", spelling(Op), ".tile.bulk_group [%0, {%2, %3, %4}], [%1];")) : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile((text("cp.reduce.async.bulk.tensor.4d.global.shared::cta", spelling(Op), ".tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];")) : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile((text("cp.reduce.async.bulk.tensor.5d.global.shared::cta", spelling(Op), ".tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];")) : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.async.bulk.prefetch.tensor.dim.L2.global.tile [map, {x, ...}];    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_prefetch_tensor_L2(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v) {
  if constexpr (Rank == 1) asm volatile("cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%0, {%1}];" : : "l"(map), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0, {%1, %2}];" : : "l"(map), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.tile [%0, {%1, %2, %3}];" : : "l"(map), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.tile [%0, {%1, %2, %3, %4}];" : : "l"(map), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.prefetch.tensor.5d.L2.global.tile [%0, {%1, %2, %3, %4, %5}];" : : "l"(map), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// The same with a cache policy, which says how L2 treats what is accessed in global memory.
// cp.async.bulk.tensor.dim.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [to], [map, {x, ...}], [a], policy;    PTX ISA 8.6, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_shared_global_cache_hint(void* to, void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void* a, u64 policy) {
  if constexpr (Rank == 1) asm volatile("cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%4}], [%2], %3;" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "l"(policy), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%4, %5}], [%2], %3;" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "l"(policy), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%4, %5, %6}], [%2], %3;" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "l"(policy), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%4, %5, %6, %7}], [%2], %3;" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.shared::cta.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3;" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.async.bulk.tensor.dim.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [to], [map, {x, ...}], [a], blocks, policy;    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_multicast_global_cache_hint(void* to, void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void* a, u16 blocks, u64 policy) {
  if constexpr (Rank == 1) asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%5}], [%2], %3, %4;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "l"(policy), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%5, %6}], [%2], %3, %4;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "l"(policy), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%5, %6, %7}], [%2], %3, %4;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "l"(policy), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%5, %6, %7, %8}], [%2], %3, %4;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%5, %6, %7, %8, %9}], [%2], %3, %4;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.async.bulk.tensor.dim.global.shared::cta.tile.bulk_group.L2::cache_hint [map, {x, ...}], [from], policy;    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_global_shared_cache_hint(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void const* from, u64 policy) {
  if constexpr (Rank == 1) asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.L2::cache_hint [%0, {%3}], [%1], %2;" : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint [%0, {%3, %4}], [%1], %2;" : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group.L2::cache_hint [%0, {%3, %4, %5}], [%1], %2;" : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group.L2::cache_hint [%0, {%3, %4, %5, %6}], [%1], %2;" : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group.L2::cache_hint [%0, {%3, %4, %5, %6, %7}], [%1], %2;" : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.reduce.async.bulk.tensor.dim.global.shared::cta.op.tile.bulk_group.L2::cache_hint [map, {x, ...}], [from], policy;    PTX ISA 8.0, sm_90
template <reduction Op, u32 Rank>
void cp_reduce_async_bulk_tensor_global_shared_cache_hint(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void const* from, u64 policy) {
  if constexpr (Rank == 1) asm volatile((text("cp.reduce.async.bulk.tensor.1d.global.shared::cta", spelling(Op), ".tile.bulk_group.L2::cache_hint [%0, {%3}], [%1], %2;")) : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile((text("cp.reduce.async.bulk.tensor.2d.global.shared::cta", spelling(Op), ".tile.bulk_group.L2::cache_hint [%0, {%3, %4}], [%1], %2;")) : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile((text("cp.reduce.async.bulk.tensor.3d.global.shared::cta", spelling(Op), ".tile.bulk_group.L2::cache_hint [%0, {%3, %4, %5}], [%1], %2;")) : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile((text("cp.reduce.async.bulk.tensor.4d.global.shared::cta", spelling(Op), ".tile.bulk_group.L2::cache_hint [%0, {%3, %4, %5, %6}], [%1], %2;")) : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile((text("cp.reduce.async.bulk.tensor.5d.global.shared::cta", spelling(Op), ".tile.bulk_group.L2::cache_hint [%0, {%3, %4, %5, %6, %7}], [%1], %2;")) : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.async.bulk.prefetch.tensor.dim.L2.global.tile.L2::cache_hint [map, {x, ...}], policy;    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_prefetch_tensor_L2_cache_hint(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u64 policy) {
  if constexpr (Rank == 1) asm volatile("cp.async.bulk.prefetch.tensor.1d.L2.global.tile.L2::cache_hint [%0, {%2}], %1;" : : "l"(map), "l"(policy), "r"(x) : "memory");
  if constexpr (Rank == 2) asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint [%0, {%2, %3}], %1;" : : "l"(map), "l"(policy), "r"(x), "r"(y) : "memory");
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.tile.L2::cache_hint [%0, {%2, %3, %4}], %1;" : : "l"(map), "l"(policy), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.tile.L2::cache_hint [%0, {%2, %3, %4, %5}], %1;" : : "l"(map), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.prefetch.tensor.5d.L2.global.tile.L2::cache_hint [%0, {%2, %3, %4, %5, %6}], %1;" : : "l"(map), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// Mode im2col: the tile is a number of pixels with some of their channels. The pixels follow each other in the box of the
// map, through all images, and each is read at the offsets from its place. Ranks 3 to 5.
// cp.async.bulk.tensor.dim.shared::cta.global.im2col.mbarrier::complete_tx::bytes [to], [map, {x, ...}], [a], {i, ...};    PTX ISA 8.6, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_im2col_shared_global(void* to, void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void* a, u16 i, u16 j, u16 k) {
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2], {%6};" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "r"(x), "r"(y), "r"(z), "h"(i) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "r"(x), "r"(y), "r"(z), "r"(u), "h"(i), "h"(j) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2], {%8, %9, %10};" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v), "h"(i), "h"(j), "h"(k) : "memory");
}

// cp.async.bulk.tensor.dim.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [to], [map, {x, ...}], [a], {i, ...}, blocks;    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_im2col_multicast_global(void* to, void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void* a, u16 blocks, u16 i, u16 j, u16 k) {
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, %6}], [%2], {%7}, %3;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "r"(x), "r"(y), "r"(z), "h"(i) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, %6, %7}], [%2], {%8, %9}, %3;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "r"(x), "r"(y), "r"(z), "r"(u), "h"(i), "h"(j) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, %6, %7, %8}], [%2], {%9, %10, %11}, %3;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v), "h"(i), "h"(j), "h"(k) : "memory");
}

// cp.async.bulk.tensor.dim.global.shared::cta.im2col_no_offs.bulk_group [map, {x, ...}], [from];    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_im2col_global_shared(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void const* from) {
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4}], [%1];" : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];" : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.reduce.async.bulk.tensor.dim.global.shared::cta.op.im2col_no_offs.bulk_group [map, {x, ...}], [from];    PTX ISA 8.0, sm_90
template <reduction Op, u32 Rank>
void cp_reduce_async_bulk_tensor_im2col_global_shared(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void const* from) {
  if constexpr (Rank == 3) asm volatile((text("cp.reduce.async.bulk.tensor.3d.global.shared::cta", spelling(Op), ".im2col_no_offs.bulk_group [%0, {%2, %3, %4}], [%1];")) : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile((text("cp.reduce.async.bulk.tensor.4d.global.shared::cta", spelling(Op), ".im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];")) : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile((text("cp.reduce.async.bulk.tensor.5d.global.shared::cta", spelling(Op), ".im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];")) : : "l"(map), "l"(shared_address(from)), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.async.bulk.prefetch.tensor.dim.L2.global.im2col [map, {x, ...}], {i, ...};    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_prefetch_tensor_im2col_L2(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k) {
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%0, {%1, %2, %3}], {%4};" : : "l"(map), "r"(x), "r"(y), "r"(z), "h"(i) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%0, {%1, %2, %3, %4}], {%5, %6};" : : "l"(map), "r"(x), "r"(y), "r"(z), "r"(u), "h"(i), "h"(j) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.prefetch.tensor.5d.L2.global.im2col [%0, {%1, %2, %3, %4, %5}], {%6, %7, %8};" : : "l"(map), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v), "h"(i), "h"(j), "h"(k) : "memory");
}

// cp.async.bulk.tensor.dim.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [to], [map, {x, ...}], [a], {i, ...}, policy;    PTX ISA 8.6, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_im2col_shared_global_cache_hint(void* to, void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void* a, u16 i, u16 j, u16 k, u64 policy) {
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%4, %5, %6}], [%2], {%7}, %3;" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "l"(policy), "r"(x), "r"(y), "r"(z), "h"(i) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%4, %5, %6, %7}], [%2], {%8, %9}, %3;" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "h"(i), "h"(j) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%4, %5, %6, %7, %8}], [%2], {%9, %10, %11}, %3;" : : "l"(shared_address(to)), "l"(map), "l"(shared_address(a)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v), "h"(i), "h"(j), "h"(k) : "memory");
}

// cp.async.bulk.tensor.dim.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [to], [map, {x, ...}], [a], {i, ...}, blocks, policy;    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_im2col_multicast_global_cache_hint(void* to, void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void* a, u16 blocks, u16 i, u16 j, u16 k, u64 policy) {
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%5, %6, %7}], [%2], {%8}, %3, %4;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "l"(policy), "r"(x), "r"(y), "r"(z), "h"(i) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%5, %6, %7, %8}], [%2], {%9, %10}, %3, %4;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "h"(i), "h"(j) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%5, %6, %7, %8, %9}], [%2], {%10, %11, %12}, %3, %4;" : : "l"(cluster_address(to)), "l"(map), "l"(cluster_address(a)), "h"(blocks), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v), "h"(i), "h"(j), "h"(k) : "memory");
}

// cp.async.bulk.tensor.dim.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [map, {x, ...}], [from], policy;    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_tensor_im2col_global_shared_cache_hint(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void const* from, u64 policy) {
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [%0, {%3, %4, %5}], [%1], %2;" : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [%0, {%3, %4, %5, %6}], [%1], %2;" : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [%0, {%3, %4, %5, %6, %7}], [%1], %2;" : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.reduce.async.bulk.tensor.dim.global.shared::cta.op.im2col_no_offs.bulk_group.L2::cache_hint [map, {x, ...}], [from], policy;    PTX ISA 8.0, sm_90
template <reduction Op, u32 Rank>
void cp_reduce_async_bulk_tensor_im2col_global_shared_cache_hint(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, void const* from, u64 policy) {
  if constexpr (Rank == 3) asm volatile((text("cp.reduce.async.bulk.tensor.3d.global.shared::cta", spelling(Op), ".im2col_no_offs.bulk_group.L2::cache_hint [%0, {%3, %4, %5}], [%1], %2;")) : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z) : "memory");
  if constexpr (Rank == 4) asm volatile((text("cp.reduce.async.bulk.tensor.4d.global.shared::cta", spelling(Op), ".im2col_no_offs.bulk_group.L2::cache_hint [%0, {%3, %4, %5, %6}], [%1], %2;")) : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u) : "memory");
  if constexpr (Rank == 5) asm volatile((text("cp.reduce.async.bulk.tensor.5d.global.shared::cta", spelling(Op), ".im2col_no_offs.bulk_group.L2::cache_hint [%0, {%3, %4, %5, %6, %7}], [%1], %2;")) : : "l"(map), "l"(shared_address(from)), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v) : "memory");
}

// cp.async.bulk.prefetch.tensor.dim.L2.global.im2col.L2::cache_hint [map, {x, ...}], {i, ...}, policy;    PTX ISA 8.0, sm_90
template <u32 Rank>
void cp_async_bulk_prefetch_tensor_im2col_L2_cache_hint(void const* map, s32 x, s32 y, s32 z, s32 u, s32 v, u16 i, u16 j, u16 k, u64 policy) {
  if constexpr (Rank == 3) asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col.L2::cache_hint [%0, {%2, %3, %4}], {%5}, %1;" : : "l"(map), "l"(policy), "r"(x), "r"(y), "r"(z), "h"(i) : "memory");
  if constexpr (Rank == 4) asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col.L2::cache_hint [%0, {%2, %3, %4, %5}], {%6, %7}, %1;" : : "l"(map), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "h"(i), "h"(j) : "memory");
  if constexpr (Rank == 5) asm volatile("cp.async.bulk.prefetch.tensor.5d.L2.global.im2col.L2::cache_hint [%0, {%2, %3, %4, %5, %6}], {%7, %8, %9}, %1;" : : "l"(map), "l"(policy), "r"(x), "r"(y), "r"(z), "r"(u), "r"(v), "h"(i), "h"(j), "h"(k) : "memory");
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
