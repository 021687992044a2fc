// SPDX-License-Identifier: Apache-2.0
//
// layout: sizes and alignments of declared variables.
#include "loaded.hpp"

namespace emulator {

std::uint64_t bytes_of(ptx::variable const& v) {
  std::uint64_t bytes = std::uint64_t(ptx::size_of(v.type)) * std::uint64_t(v.vector);
  for (std::int64_t const dimension : v.dimensions) bytes *= dimension < 0 ? 0 : std::uint64_t(dimension);
  return bytes;
}

std::uint32_t alignment_of(ptx::variable const& v) {
  int const natural = ptx::size_of(v.type) * v.vector;
  return std::uint32_t(v.alignment > 0 ? v.alignment : natural > 0 ? natural : 1);
}

} // namespace emulator
