// SPDX-License-Identifier: Apache-2.0
//
// tensor_map: the driver's functions that make tensor maps, for driver.cpp.
#pragma once

#include <cuda.h>

namespace emulator::cuda {

CUresult encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                      cuuint64_t const* extent, cuuint64_t const* stride, cuuint32_t const* box, cuuint32_t const* step,
                      CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2,
                      CUtensorMapFloatOOBfill fill) noexcept;

CUresult encode_im2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                       cuuint64_t const* extent, cuuint64_t const* stride, int const* lower, int const* upper,
                       cuuint32_t channels, cuuint32_t pixels, cuuint32_t const* step, CUtensorMapInterleave interleave,
                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) noexcept;
CUresult replace_address(CUtensorMap* map, void* address) noexcept;

} // namespace emulator::cuda
