// SPDX-License-Identifier: Apache-2.0
//
// tensor_map: the device entry points of abi.hpp that change fields of a tensor map. A unit of its own, for the same
// reason as registers.cu.
#if defined(__CUDA_ARCH__)
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;

CUDAX_ENTRY void cudax_tensor_map_replace_address(void* map, void const* address) {
  arch::with_space_of_map(
      map, [=]<arch::space Space> { target::template tensormap_replace_global_address<Space>(map, u64(address)); });
}
CUDAX_ENTRY void cudax_tensor_map_replace_extent(void* map, u32 dimension, u32 extent) {
  arch::with_space_of_map(map, [=]<arch::space Space> {
    arch::with_dimension(dimension, [=]<u32 Dimension> {
      target::template tensormap_replace_global_dim<Space, Dimension>(map, extent);
    });
  });
}
CUDAX_ENTRY void cudax_tensor_map_replace_stride(void* map, u32 dimension, u64 stride) {
  arch::with_space_of_map(map, [=]<arch::space Space> {
    arch::with_dimension(dimension, [=]<u32 Dimension> {
      // Of the outermost dimension there is no next element, so a map has one stride less.
      if constexpr (Dimension < 4) target::template tensormap_replace_global_stride<Space, Dimension>(map, stride);
    });
  });
}
#endif
