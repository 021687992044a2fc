// SPDX-License-Identifier: Apache-2.0
//
// The dispatch of a mixture of experts: each rank writes its tokens into the buffers of the experts' ranks, and then
// how many there are, as a number that is not zero even for no tokens. A rank has one buffer more than it uses: it
// clears the counts of a buffer before it sends the next round.
//
// Source: deepseek-ai/DeepEP#577: what tells a rank that it has all tokens
// Source: deepseek-ai/DeepEP#513: two operations at a time; the one clears the counts for which the other waits
// Source: deepseek-ai/DeepEP#427: counts of tokens that do not agree with the tokens, if one expert gets most
// Source: deepseek-ai/DeepEP#181: a forwarding warp read stale data beside the count, and waited endlessly
// Form: right
// Form: relaxed_count: race
// Form: no_warp_barrier: race
// Form: one_buffer: race
// Form: cleared_late: livelock
// Form: zero_is_a_count: livelock
#include "../foreign.hpp"
import cudax.sync;

namespace {

enum form { right, relaxed_count, no_warp_barrier, one_buffer, cleared_late, zero_is_a_count };

constexpr int ranks = 3, lanes = 32;

struct inbox {       // of a rank, for a round
  int counts[ranks]; // 0: not known; -n - 1: n tokens
  int tokens[ranks][lanes];
};

using namespace cudax;
using word = atomic_ref<int, thread_scope_system>;

/// How many tokens a rank has for another one.
__host__ __device__ inline int tokens_for(int from, int to, int round) { return (from * 5 + to * 3 + round) % 4 * 8; }

template <form f> __device__ void send(inbox& to, int from, int count, int first) {
  int const lane = int(threadIdx.x);
  if (lane < count) to.tokens[from][lane] = first + lane; // found: race
  if constexpr (f != no_warp_barrier) __syncwarp();
  constexpr auto order = f == relaxed_count ? memory_order_relaxed : memory_order_release;
  if (lane == 0) word(to.counts[from]).store(f == zero_is_a_count ? count : -count - 1, order);
}

/// Returns the sum of the tokens of this lane.
template <form f> __device__ int receive(inbox& mine) {
  int const lane = int(threadIdx.x);
  int count = 0;
  if (lane < ranks)
    while ((count = word(mine.counts[lane]).load(memory_order_acquire)) == 0); // found: livelock
  __syncwarp();
  int sum = 0;
  for (int from = 0; from < ranks; ++from) {
    int const encoded = __shfl_sync(0xffffffff, count, from);
    int const tokens = f == zero_is_a_count ? encoded : -encoded - 1;
    if (lane < tokens) sum += mine.tokens[from][lane]; // found: race
  }
  return sum;
}

template <form f> __global__ void dispatch(inbox* inboxes, int* sums, int rounds) { // one warp for each rank
  int const rank = int(blockIdx.x), lane = int(threadIdx.x);
  int sum = 0;
  auto const box = [&](int of, int round) -> inbox& { return inboxes[of * 2 + (f == one_buffer ? 0 : round % 2)]; };
  auto const clear = [&](int round) {
    if (lane < ranks) word(box(rank, round).counts[lane]).store(0, memory_order_relaxed);
    __syncwarp(); // before the release of the next count
  };
  for (int round = 0; round < rounds; ++round) {
    for (int to = 0; to < ranks; ++to) send<f>(box(to, round), rank, tokens_for(rank, to, round), rank * 100 + round);
    sum += receive<f>(box(rank, round));
    // The next sends release this to the ranks that write these counts again, two rounds from now.
    if constexpr (f != cleared_late) clear(round);
    else if (round > 0) clear(round - 1); // others may have sent the next round into this buffer
  }
  sums[rank * lanes + lane] = sum;
}

template <form f> bool run(int scale) {
  int const rounds = 5 * scale;
  foreign::memory<inbox> inboxes(2 * ranks);
  foreign::memory<int> sums(ranks * lanes);
  if (foreign::resident(ranks, lanes, dispatch<f>) < ranks) return false;
  foreign::launch(ranks, lanes, dispatch<f>, inboxes.data(), sums.data(), rounds);
  sums.to_host();
  for (int rank = 0; rank < ranks; ++rank)
    for (int lane = 0; lane < lanes; ++lane) {
      int expected = 0;
      for (int round = 0; round < rounds; ++round)
        for (int from = 0; from < ranks; ++from)
          if (lane < tokens_for(from, rank, round)) expected += from * 100 + round + lane;
      if (sums[rank * lanes + lane] != expected) return false;
    }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"relaxed_count", run<relaxed_count>},
                                {"no_warp_barrier", run<no_warp_barrier>},
                                {"one_buffer", run<one_buffer>},
                                {"cleared_late", run<cleared_late>},
                                {"zero_is_a_count", run<zero_is_a_count>}});

} // namespace
