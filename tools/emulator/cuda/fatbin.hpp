// SPDX-License-Identifier: Apache-2.0
//
// fatbin: the container in which nvcc and clang store device code: cubins and PTX, one image for each SM, compressed or
// not. The format is NVIDIA's and undocumented; this description was derived from files that fatbinary 12 and 13 wrote.
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
  int sm = 0; ///< 90 for sm_90 and for sm_90a
  std::string_view payload;
  std::size_t size = 0; ///< of the contents
};

/// Returns the images of the wrapper that programs pass to __cudaRegisterFatBinary.
/// Errors: std::runtime_error with a sentence
std::vector<fatbin_image> images_of(void const* wrapper);

/// Whether nvcc linked the device code (-rdc=true). It links cubins, so there is PTX only for the parts.
bool is_linked_by_nvcc(void const* wrapper);

/// Returns the contents of an image, uncompressed and without the zeros at its end.
/// Errors: std::runtime_error with a sentence
std::string contents_of(fatbin_image const&);

} // namespace emulator::cuda
