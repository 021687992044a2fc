// SPDX-License-Identifier: Apache-2.0
//
// A warp collects the tokens that are routed to its expert: lanes that have one append it to a list in shared memory,
// at a place that they count by a ballot. Then the lanes read the list. Shuffles and ballots make lanes meet, and order
// no memory.
//
// Source: ggml-org/llama.cpp#28376: the list of a mixture of experts is read after a shuffle, without a barrier of the warp
// Source: ikawrakow/ik_llama.cpp#2502: racecheck reports the same, and one __syncwarp ends it
// Source: JustVugg/colibri#1099: one of three places that read a tile of the warp has no barrier
// Source: ORNL/HeCBench#221: a barrier of the warp had been commented out
// Form: right
// Form: shuffle_is_no_barrier: race
// Form: no_barrier: race
// Form: list_of_the_next_expert: race
#include "../foreign.hpp"

namespace {

enum form { right, shuffle_is_no_barrier, no_barrier, list_of_the_next_expert };

constexpr int tokens = 96, experts = 4;
constexpr unsigned all = 0xffffffff;

template <form f> __global__ void collect(int const* routes, int* out, int* counts, int rounds) { // one warp
  __shared__ int list[tokens];
  int const lane = int(threadIdx.x);
  for (int e = 0; e < experts * rounds; ++e) {
    int const expert = e % experts;
    int count = 0;
    for (int first = 0; first < tokens; first += 32) {
      bool const is_mine = routes[first + lane] == expert;
      unsigned const those = __ballot_sync(all, is_mine);
      if (is_mine) list[count + __popc(those & ((1u << lane) - 1))] = first + lane; // found: race
      count += __popc(those);
    }
    if constexpr (f == shuffle_is_no_barrier) count = __shfl_sync(all, count, 0);
    else if constexpr (f != no_barrier) __syncwarp();
    for (int i = lane; i < count; i += 32) out[expert * tokens + i] = list[count - 1 - i]; // found: race
    if (lane == 0) counts[expert] = count;
    if constexpr (f != list_of_the_next_expert) __syncwarp(); // all have read the list
  }
}

template <form f> bool run(int scale) {
  foreign::memory<int> routes(tokens), out(experts * tokens), counts(experts);
  for (int t = 0; t < tokens; ++t) routes[t] = t * t % 7 % experts;
  routes.to_device();
  foreign::launch(1, 32, collect<f>, routes.data(), out.data(), counts.data(), scale);
  out.to_host();
  counts.to_host();
  for (int e = 0; e < experts; ++e) {
    int at = counts[e];
    for (int t = 0; t < tokens; ++t)
      if (routes[t] == e && (--at < 0 || out[e * tokens + at] != t)) return false;
    if (at != 0) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"shuffle_is_no_barrier", run<shuffle_is_no_barrier>},
                                {"no_barrier", run<no_barrier>},
                                {"list_of_the_next_expert", run<list_of_the_next_expert>}});

} // namespace
