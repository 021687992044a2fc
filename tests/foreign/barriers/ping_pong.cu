// SPDX-License-Identifier: Apache-2.0
//
// Two groups of warps take turns by two named barriers: a group waits at its own barrier, and arrives at the other
// group's when its turn ends. A barrier counts all threads that arrive or wait, so its count is that of both groups.
//
// Source: deepseek-ai/FlashMLA#57: whether a barrier counts 128 or 256 threads, where one half waits and one arrives
// Source: Dao-AILab/flash-attention#1389: why a barrier counts a warp more than the threads that wait there
// Source: flashinfer-ai/flashinfer#4533: two uses of one barrier's number met, and a block hung once in many requests
// Form: right
// Form: count_of_one_group: race
// Form: count_of_too_many: deadlock
// Form: one_number: misuse
// Form: nobody_begins: deadlock
#include "../foreign.hpp"
#include "../ptx.hpp"

namespace {

enum form { right, count_of_one_group, count_of_too_many, one_number, nobody_begins };

constexpr int group_size = 64, both = 2 * group_size;

template <form f> __global__ void take_turns(unsigned* log, int turns) {
  __shared__ unsigned state[group_size];
  constexpr int count = f == count_of_one_group ? group_size : f == count_of_too_many ? both + 32 : both;
  int const group = int(threadIdx.x) / group_size, i = int(threadIdx.x) % group_size;
  auto const number = [](int of) { return f == one_number ? 1 : 1 + of; };
  if (group == 0) state[i] = unsigned(i);
  __syncthreads();
  if (f != nobody_begins && group == 1) ptx::bar_arrive(number(0), count); // the first turn is group 0's
  for (int turn = group; turn < turns; turn += 2) {
    ptx::bar_sync(number(group), count);      // found: deadlock, misuse
    state[i] = state[i] * 3 + unsigned(turn); // found: race
    if (turn + 1 < turns) ptx::bar_arrive(number(1 - group), count);
  }
  if (group == (turns - 1) % 2) log[i] = state[i];
}

template <form f> bool run(int scale) {
  int const turns = 8 * scale;
  foreign::memory<unsigned> log(group_size);
  foreign::launch(1, both, take_turns<f>, log.data(), turns);
  log.to_host();
  for (int i = 0; i < group_size; ++i) {
    unsigned expected = unsigned(i);
    for (int turn = 0; turn < turns; ++turn) expected = expected * 3 + unsigned(turn);
    if (log[i] != expected) return false;
  }
  return true;
}

foreign::program const program({{"right", run<right>},
                                {"count_of_one_group", run<count_of_one_group>},
                                {"count_of_too_many", run<count_of_too_many>},
                                {"one_number", run<one_number>},
                                {"nobody_begins", run<nobody_begins>}});

} // namespace
