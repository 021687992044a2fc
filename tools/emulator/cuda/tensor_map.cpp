// SPDX-License-Identifier: Apache-2.0
//
// tensor_map: cuTensorMapEncodeTiled.  [CUDA driver API, "Tensor Map Object Management"]
// Refuses what a driver refuses (tests/emulator/h100_tensor.record), with a sentence on stderr besides the code.
#include "tensor_map.hpp"
#include "../instructions/support/tensor_map.hpp"
#include "environment.hpp"
#include "errors.hpp"

#include <cstring>
#include <string>

namespace emulator::cuda {
namespace {

/// Throws unless the condition holds.
void check(bool holds, std::string const& what) {
  if (!holds) refuse(cudaErrorInvalidValue, "cuTensorMapEncodeTiled: " + what);
}

std::string at(char const* name, unsigned i, unsigned long long value) {
  return std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(value);
}

/// Of a box, those included that a step skips.
constexpr std::uint64_t most_bytes = 228 * 1024;

bool is_at(void const* address, std::uint64_t alignment) {
  return reinterpret_cast<std::uint64_t>(address) % alignment == 0;
}

void check_enumerations(CUtensorMapDataType type, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                        CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) {
  check(unsigned(type) <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
        "the data type " + std::to_string(type) + " is none of a device of compute capability 9.0");
  check(unsigned(interleave) <= CU_TENSOR_MAP_INTERLEAVE_32B, "interleave is " + std::to_string(interleave));
  check(unsigned(swizzle) <= CU_TENSOR_MAP_SWIZZLE_128B,
        "the swizzle " + std::to_string(swizzle) + " is none of a device of compute capability 9.0");
  check(unsigned(l2) <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B, "l2Promotion is " + std::to_string(l2));
  check(unsigned(fill) <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA, "oobFill is " + std::to_string(fill));
  check(!fill || is_floating(tensor_type(type)),
        "oobFill requests NaN, but the data type " + std::string(name_of(tensor_type(type))) + " is no floating type");
}

} // namespace

CUresult encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                      cuuint64_t const* extent, cuuint64_t const* stride, cuuint32_t const* box, cuuint32_t const* step,
                      CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2,
                      CUtensorMapFloatOOBfill fill) noexcept {
  cudaError_t const before = exchange_last_error(cudaSuccess);
  cudaError_t const code = ask([&] {
    check(map, "tensorMap is null"); // that it is aligned to 64 bytes, the copy checks
    check_enumerations(type, interleave, swizzle, l2, fill);
    check(rank >= 1 && rank <= 5, "tensorRank is " + std::to_string(rank) + "; use 1 to 5");
    check(!interleave || rank >= 3, "tensorRank is " + std::to_string(rank) + ", and an interleaved tensor has 3 to 5");
    std::uint64_t const alignment = interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
    check(is_at(address, alignment), "globalAddress must be a multiple of " + std::to_string(alignment));
    check(extent && box && step && stride, "globalDim, globalStrides, boxDim or elementStrides is null");
    tensor_map m;
    m.address = reinterpret_cast<std::uint64_t>(address);
    m.rank = u8(rank);
    m.type = tensor_type(type);
    m.swizzle = tensor_swizzle(swizzle);
    m.interleave = tensor_interleave(interleave);
    m.fills_with_nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    for (unsigned i = 0; i < rank; ++i) {
      check(extent[i] >= 1 && extent[i] <= 1ull << 32, at("globalDim", i, extent[i]) + "; use 1 to 2^32");
      check(box[i] >= 1 && box[i] <= 256, at("boxDim", i, box[i]) + "; use 1 to 256");
      check(step[i] >= 1 && step[i] <= 8, at("elementStrides", i, step[i]) + "; use 1 to 8");
      m.extent[i] = extent[i], m.box[i] = u16(box[i]), m.step[i] = u8(step[i]);
      if (i + 1 == rank) break;
      check(stride[i] % alignment == 0 && stride[i] < 1ull << 40,
            at("globalStrides", i, stride[i]) + "; use a multiple of " + std::to_string(alignment) + " below 2^40");
      m.stride[i] = stride[i];
    }
    std::uint64_t bytes = size_of(m.type);
    for (unsigned i = 0; i < rank; ++i) bytes *= box[i];
    check(bytes <= most_bytes, "the box has " + std::to_string(bytes) + " bytes; use at most " +
                                   std::to_string(most_bytes) + ", the shared memory of an SM");
    unsigned const inner = box[0] * size_of(m.type);
    check(inner % 16 == 0,
          "a row of the box has " + std::to_string(inner) + " bytes (boxDim[0] elements); use a multiple of 16");
    if (!interleave)
      check(!swizzle || inner <= 16u << swizzle, "a row of the box has " + std::to_string(inner) +
                                                     " bytes (boxDim[0] elements), more than the swizzle's " +
                                                     std::to_string(16u << swizzle));
    std::memcpy(static_cast<void*>(map), &m, sizeof(m));
  });
  exchange_last_error(before);
  return static_cast<CUresult>(code); // the numbers are the same
}

} // namespace emulator::cuda
