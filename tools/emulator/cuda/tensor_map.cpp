// SPDX-License-Identifier: Apache-2.0
//
// tensor_map: cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col.  [CUDA driver API, "Tensor Map Object Management"]
// Rejects what a driver rejects (tests/emulator/device/h100_tensor.record), with a sentence on stderr besides the code.
#include "tensor_map.hpp"
#include "../instructions/support/copies/tensor_map.hpp"
#include "environment.hpp"
#include "errors.hpp"
#include "properties.hpp"

#include <cstring>
#include <string>

namespace emulator::cuda {
namespace {

thread_local std::string function_name; ///< in messages

/// Throws unless the condition holds.
void check(bool holds, std::string const& what) {
  if (!holds) reject(cudaErrorInvalidValue, function_name + (": " + what));
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
  bool const has_atoms = the_device().properties().sm >= 100;
  check(unsigned(swizzle) <= (has_atoms ? CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B : CU_TENSOR_MAP_SWIZZLE_128B),
        "the swizzle " + std::to_string(swizzle) + " is none of a device of compute capability " +
            (has_atoms ? "10.0" : "9.0; those with larger atoms need 10.0"));
  check(unsigned(l2) <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B, "l2Promotion is " + std::to_string(l2));
  check(unsigned(fill) <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA, "oobFill is " + std::to_string(fill));
  check(!fill || is_floating(tensor_type(type)),
        "oobFill requests NaN, but the data type " + std::string(name_of(tensor_type(type))) + " is no floating type");
}

/// What both functions take.
struct tensor {
  CUtensorMapDataType type;
  cuuint32_t rank;
  void* address;
  cuuint64_t const *extent, *stride;
  cuuint32_t const* step;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion l2;
  CUtensorMapFloatOOBfill fill;
};

tensor_map checked(tensor const& of, unsigned least_rank) {
  check_enumerations(of.type, of.interleave, of.swizzle, of.l2, of.fill);
  check(of.rank >= least_rank && of.rank <= 5,
        "tensorRank is " + std::to_string(of.rank) + "; use " + std::to_string(least_rank) + " to 5");
  check(!of.interleave || of.rank >= 3,
        "tensorRank is " + std::to_string(of.rank) + ", and an interleaved tensor has 3 to 5");
  std::uint64_t const alignment = of.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
  check(is_at(of.address, alignment), "globalAddress must be a multiple of " + std::to_string(alignment));
  check(of.extent && of.stride && of.step, "globalDim, globalStrides or elementStrides is null");
  tensor_map m;
  m.address = reinterpret_cast<std::uint64_t>(of.address);
  m.rank = u8(of.rank);
  m.type = tensor_type(of.type);
  m.swizzle = tensor_swizzle(of.swizzle);
  m.interleave = tensor_interleave(of.interleave);
  m.fills_with_nan = of.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  for (unsigned i = 0; i < of.rank; ++i) {
    check(of.extent[i] >= 1 && of.extent[i] <= 1ull << 32, at("globalDim", i, of.extent[i]) + "; use 1 to 2^32");
    check(of.step[i] >= 1 && of.step[i] <= 8, at("elementStrides", i, of.step[i]) + "; use 1 to 8");
    m.extent[i] = of.extent[i], m.step[i] = u8(of.step[i]);
    if (i + 1 == of.rank) break;
    check(of.stride[i] % alignment == 0 && of.stride[i] < 1ull << 40,
          at("globalStrides", i, of.stride[i]) + "; use a multiple of " + std::to_string(alignment) + " below 2^40");
    m.stride[i] = of.stride[i];
  }
  return m;
}

/// `bytes`: of the box, what a step skips included. `elements`: the parameter that says how long a row is.
void check_size(tensor_map const& m, std::uint64_t bytes, std::string const& elements) {
  check(bytes <= most_bytes, "the box has " + std::to_string(bytes) + " bytes; use at most " +
                                 std::to_string(most_bytes) + ", the shared memory of an SM");
  // Of an interleaved tensor, too, where the box counts slices: seen on an H100.
  std::uint32_t const row = m.box[0] * size_of(m.type);
  check(row % 16 == 0, elements + " is " + std::to_string(m.box[0]) + ", times the size of an element " +
                           std::to_string(row) + " bytes; use a multiple of 16");
  if (m.interleave == tensor_interleave::none && m.swizzle != tensor_swizzle::none)
    check(m.row_bytes() <= m.pitch(), "a row of the box has " + std::to_string(m.row_bytes()) + " bytes (" + elements +
                                          " elements), more than the swizzle's " + std::to_string(m.pitch()));
}

/// Runs the body, which makes a map.
template <class F>
CUresult encode(CUtensorMap* map, char const* name, F body) noexcept {
  cudaError_t const before = exchange_last_error(cudaSuccess);
  cudaError_t const code = query([&] {
    function_name = name;
    if (int const sm = the_device().properties().sm; sm < 90)
      reject(cudaErrorNotSupported,
             std::string(name) + ": tensor maps need sm_90; sm_" + std::to_string(sm) + " is emulated");
    check(map, "tensorMap is null"); // that it is aligned to 64 bytes, the copy checks
    tensor_map const m = body();
    std::memcpy(static_cast<void*>(map), &m, sizeof(m));
  });
  exchange_last_error(before);
  return static_cast<CUresult>(code); // the numbers are the same
}

} // namespace

CUresult encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                      cuuint64_t const* extent, cuuint64_t const* stride, cuuint32_t const* box, cuuint32_t const* step,
                      CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2,
                      CUtensorMapFloatOOBfill fill) noexcept {
  return encode(map, "cuTensorMapEncodeTiled", [&] {
    check(box, "boxDim is null");
    tensor_map m = checked({type, rank, address, extent, stride, step, interleave, swizzle, l2, fill}, 1);
    std::uint64_t bytes = size_of(m.type);
    for (unsigned i = 0; i < rank; ++i) {
      check(box[i] >= 1 && box[i] <= 256, at("boxDim", i, box[i]) + "; use 1 to 256");
      m.box[i] = u16(box[i]);
      bytes *= box[i];
    }
    check_size(m, bytes, "boxDim[0]");
    return m;
  });
}

CUresult encode_im2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                       cuuint64_t const* extent, cuuint64_t const* stride, int const* lower, int const* upper,
                       cuuint32_t channels, cuuint32_t pixels, cuuint32_t const* step, CUtensorMapInterleave interleave,
                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) noexcept {
  return encode(map, "cuTensorMapEncodeIm2col", [&] {
    check(lower && upper, "pixelBoxLowerCorner or pixelBoxUpperCorner is null");
    tensor_map m = checked({type, rank, address, extent, stride, step, interleave, swizzle, l2, fill}, 3);
    m.is_im2col = true;
    int const most = rank == 3 ? 32768 : rank == 4 ? 128 : 16;
    for (unsigned i = 0; i + 2 < rank; ++i) {
      auto const fits = [&](char const* name, int bound) {
        check(bound >= -most && bound < most, std::string(name) + "[" + std::to_string(i) + "] is " +
                                                  std::to_string(bound) + "; use " + std::to_string(-most) + " to " +
                                                  std::to_string(most - 1));
      };
      fits("pixelBoxLowerCorner", lower[i]);
      fits("pixelBoxUpperCorner", upper[i]);
      std::uint32_t const dimension = interleave ? i : i + 1;
      std::int64_t const width = std::int64_t(extent[dimension]) + upper[i] - lower[i];
      check(width > 0, "the box of pixels has a width of " + std::to_string(width) + " in dimension " +
                           std::to_string(dimension) +
                           " (globalDim + pixelBoxUpperCorner - pixelBoxLowerCorner); use at least 1");
      m.lower[i] = s16(lower[i]), m.upper[i] = s16(upper[i]);
    }
    check(channels >= 1 && channels <= 256, "channelsPerPixel is " + std::to_string(channels) + "; use 1 to 256");
    check(pixels >= 1 && pixels <= 1024, "pixelsPerColumn is " + std::to_string(pixels) + "; use 1 to 1024");
    m.box[0] = u16(channels), m.pixels = u16(pixels);
    check_size(m, std::uint64_t(channels) * pixels * size_of(m.type), "channelsPerPixel");
    return m;
  });
}

CUresult replace_address(CUtensorMap* map, void* address) noexcept {
  return encode(map, "cuTensorMapReplaceAddress", [&] {
    tensor_map m;
    std::memcpy(&m, map, sizeof(m));
    check(m.mark == tensor_map::marked, "tensorMap holds no tensor map of the emulator's driver");
    std::uint64_t const alignment = m.interleave == tensor_interleave::of_32 ? 32 : 16;
    check(is_at(address, alignment), "globalAddress must be a multiple of " + std::to_string(alignment));
    m.address = reinterpret_cast<std::uint64_t>(address);
    return m;
  });
}

} // namespace emulator::cuda
