// SPDX-License-Identifier: Apache-2.0
//
// warp_roles: the code of the page "Warps with different tasks".
#pragma once
#include "guide.hpp"

namespace guide::warp_roles {

// [kernel]
inline constexpr unsigned words = 128; // of a tile, and threads of the consumers

// Warp 0 writes tiles, the warps 1 to 4 add them up.
__global__ void add_up(unsigned const* from, unsigned* sums, unsigned tiles) {
  __shared__ unsigned tile[words];
  constexpr unsigned all = 32 + words;
  cudax::named_barrier<1> const full(all);
  cudax::named_barrier<2> const empty(all);
  auto const consumers = cudax::this_block.warps<1, 4, 3>(); // meet at the barrier 3
  if (!consumers.contains()) {
    for (unsigned i = 0; i < tiles; ++i) {
      if (i > 0) empty.sync(); // the consumers have read the tile
      for (unsigned j = threadIdx.x; j < words; j += 32) tile[j] = from[i * words + j];
      full.arrive(); // and does not wait
    }
    return;
  }
  unsigned const rank = unsigned(consumers.thread_rank());
  for (unsigned i = 0; i < tiles; ++i) {
    full.sync(); // the tile is complete
    unsigned const mine = tile[rank] + tile[(rank + 1) % words];
    if (i + 1 < tiles) empty.arrive();
    sums[i * words + rank] = mine;
  }
  consumers.sync();
  if (consumers.elect()) atomicAdd(&sums[tiles * words], 1u); // one thread, for all
}
// [/kernel]

inline void run() {
  constexpr unsigned tiles = 5;
  auto const from = cudax::make_managed<unsigned[]>(tiles * words);
  auto const sums = cudax::make_managed<unsigned[]>(tiles * words + 1);
  for (unsigned i = 0; i < tiles * words; ++i) from[i] = i * i;
  add_up<<<1, 32 + words>>>(from.device_pointer(), sums.device_pointer(), tiles);
  finish("warp_roles");
  for (unsigned i = 0; i < tiles * words; ++i) {
    unsigned const next = i / words * words + (i + 1) % words;
    expect(sums[i] == i * i + next * next, "warp_roles: add_up");
  }
  expect(sums[tiles * words] == 1, "warp_roles: elect");
}

} // namespace guide::warp_roles
