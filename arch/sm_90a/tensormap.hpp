// SPDX-License-Identifier: Apache-2.0
//
// tensormap: changes a field of a tensor map in global or shared memory.  PTX ISA, "tensormap.replace"
// The dimension is an immediate: one function for each. PTX spells the shared memory of the own block .shared::cta
// here.
#pragma once

#include "../ptx.hpp"

#pragma clang force_cuda_host_device begin

namespace cudax::arch::sm_90a {
// clang-format off

/// tensormap.replace.tile.field{.space}rest
template <space Space>
constexpr text spell_replacement(char const* field, char const* rest) {
  return text("tensormap.replace.tile", field, Space == space::shared ? ".shared::cta" : spelling(Space), rest);
}

// tensormap.replace.tile.global_address{.space}.b1024.b64 [map], address;      PTX ISA 8.3, sm_90a
template <space Space>
void tensormap_replace_global_address(void* map, u64 address) {
  asm volatile((spell_replacement<Space>(".global_address", ".b1024.b64 [%0], %1;")) : : "l"(address_in<Space>(map)), "l"(address) : "memory");
}

// tensormap.replace.tile.global_dim{.space}.b1024.b32 [map], dimension, extent;          PTX ISA 8.3, sm_90a
template <space Space, u32 Dimension>
void tensormap_replace_global_dim(void* map, u32 extent) {
  asm volatile((spell_replacement<Space>(".global_dim", ".b1024.b32 [%0], %1, %2;")) : : "l"(address_in<Space>(map)), "n"(Dimension), "r"(extent) : "memory");
}

// tensormap.replace.tile.global_stride{.space}.b1024.b64 [map], dimension, stride;       PTX ISA 8.3, sm_90a
template <space Space, u32 Dimension>
void tensormap_replace_global_stride(void* map, u64 stride) {
  asm volatile((spell_replacement<Space>(".global_stride", ".b1024.b64 [%0], %1, %2;")) : : "l"(address_in<Space>(map)), "n"(Dimension), "l"(stride) : "memory");
}

// clang-format on
} // namespace cudax::arch::sm_90a

#pragma clang force_cuda_host_device end
