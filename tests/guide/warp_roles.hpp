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

// [turns]
// Two warpgroups: while one is in its turn, the other one works on what its last turn has left.
__global__ void ping_pong(unsigned* sum, unsigned* parts, unsigned tiles) { // 256 threads
  unsigned const group = threadIdx.x / 128;
  bool const is_first = threadIdx.x % 128 == 0;
  cudax::ordered_turns<cudax::named_barrier_ids<1, 2>> turns(group);
  for (unsigned tile = group; tile < tiles; tile += 2) { // `tiles` is even
    unsigned part = 0;
    turns.wait();
    if (is_first) part = *sum += tile; // plain: only one group is in its turn
    turns.arrive();                    // the other group's turn begins
    if (is_first) parts[tile] = part;
  }
}
// [/turns]

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
  auto const sum = cudax::make_managed<unsigned>(0u);
  auto const parts = cudax::make_managed<unsigned[]>(8);
  ping_pong<<<1, 256>>>(sum.device_pointer(), parts.device_pointer(), 8);
  finish("warp_roles: turns");
  for (unsigned i = 0; i < 8; ++i) expect(parts[i] == i * (i + 1) / 2, "warp_roles: turns");
}

} // namespace guide::warp_roles
