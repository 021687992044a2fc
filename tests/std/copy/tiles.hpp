// SPDX-License-Identifier: Apache-2.0
//
// tiles: what the tests of copies of tiles share: whether a tile's elements have places of their own, what its memory
// has before a copy, and the barriers of a cluster that await it. Include after the imports and <cstring>, <vector>.
#pragma once

#include "tensors.hpp"

namespace cudax_test {
TESTS_BEGIN

/// Each element has a place of its own, in chunks of 16 bytes that stay whole and within their row.
template <class Map>
void check_places(context& test_) {
  constexpr unsigned chunk = 16 / sizeof(typename Map::value_type), size = unsigned(Map::box::size);
  bool taken[Map::tile_size] = {};
  for (unsigned n = 0; n < size; ++n) {
    size_t const place = place_of<Map>(n);
    unsigned const row = n / Map::box::extents[0];
    CHECK(place < Map::tile_size && !taken[place]);
    if (place < Map::tile_size) taken[place] = true;
    CHECK_EQUAL(place % chunk, size_t(n % Map::box::extents[0] % chunk));
    CHECK_EQUAL(place / Map::row_pitch, size_t(row));
  }
}

TESTS_END

#if defined(__CUDA__)

/// Whether this device has these copies. Otherwise prints why the test is skipped.
inline bool has_tensors(context& test_) {
  int major = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major >= 9) return true;
  note_check(test_);
  return false;
}

/// As make_barrier, for all blocks of the cluster.
inline __device__ void make_barriers_of_cluster(block_barrier& b) {
  if (threadIdx.x == 0) {
    init(&b, 1);
    cudax::device::fence_barrier_init();
  }
  cudax::this_cluster.wait(cudax::this_cluster.arrive_relaxed());
}

/// The value that memory has before a copy.
template <class T> __device__ T poison() { return T(113); }

#endif
} // namespace cudax_test
