// SPDX-License-Identifier: Apache-2.0
//
// fatbin: the container that nvcc and clang put device code into: cubins and PTX, one image for each SM, compressed or not.
// Its format is NVIDIA's and not documented; what is here was read off files that fatbinary 12 and 13 wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emulator::cuda {

struct fatbin_image {
  enum class kind : std::uint8_t { ptx, cubin, other } what = kind::other;
  enum class compression : std::uint8_t { none, lz4, zstd } compressed = compression::none;
  int sm = 0; ///< 90 of sm_90 and of sm_90a
  std::string_view payload;
  std::size_t size = 0; ///< of the contents
};

/// The images behind the wrapper that programs give to __cudaRegisterFatBinary.
/// Errors: std::runtime_error with a sentence
std::vector<fatbin_image> images_of(void const* wrapper);

/// Whether nvcc linked the device code (-rdc=true). It links cubins, so that there is PTX of the parts alone.
bool is_linked_by_nvcc(void const* wrapper);

/// What an image contains, without compression and without zeros at its end.
/// Errors: std::runtime_error with a sentence
std::string contents_of(fatbin_image const&);

} // namespace emulator::cuda
