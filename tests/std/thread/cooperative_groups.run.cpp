// SPDX-License-Identifier: Apache-2.0
//
// Thread groups (extension): the groups of cooperative groups arrive at a latch and at a barrier without conversion.
// CUDA only; on the host side of CUDA these groups do not exist, and this_thread replaces them.
// Also this_grid, whose threads synchronize in a cooperative launch.
#include "support/test.hpp"

#include <cooperative_groups.h>
import cudax.sync;
#include "grouped.hpp"

using namespace cudax;
using namespace cudax_test;
namespace cg = cooperative_groups;

static_assert(thread_group<cg::thread_block> && thread_group<cg::grid_group> && thread_group<cg::coalesced_group> &&
              thread_group<cg::thread_block_tile<32>> && thread_group<cg::thread_block_tile<4>>);

TESTS_BEGIN

#if defined(__CUDA_ARCH__)
#define GROUP(name, ...)                                                                                               \
  struct name {                                                                                                        \
    static __device__ auto group() { return __VA_ARGS__; }                                                             \
  };
#else
#define GROUP(name, ...)                                                                                               \
  struct name {                                                                                                        \
    static auto group() { return this_thread; }                                                                        \
  };
#endif
GROUP(blocks, cg::this_thread_block())
GROUP(warps, cg::tiled_partition<32>(cg::this_thread_block()))
GROUP(quads, cg::tiled_partition<4>(cg::this_thread_block()))

CONCURRENT_TEST("cooperative groups arrive as one: thread_block, block", grouped<blocks, thread_scope_block>)
CONCURRENT_TEST("cooperative groups arrive as one: tiles of 32, block", grouped<warps, thread_scope_block>)
CONCURRENT_TEST("cooperative groups arrive as one: tiles of 4, block", grouped<quads, thread_scope_block>)
CONCURRENT_TEST("cooperative groups arrive as one: thread_block, device", grouped<blocks, thread_scope_device>)
CONCURRENT_TEST("cooperative groups arrive as one: tiles of 4, device", grouped<quads, thread_scope_device>)
CONCURRENT_TEST("cooperative groups arrive as one: tiles of 32, system", grouped<warps, thread_scope_system>)

TESTS_END

/// The grid of a cooperative launch is a group: its threads synchronize, and arrive at a barrier as one.
struct grid_meeting {
  slots data;
  barrier<thread_scope_device> b{1};
};

__global__ void meet_as_a_grid(grid_meeting* state, report* result) {
  context test_{result, nullptr, nullptr};
  worker const me{unsigned(this_grid.thread_rank()), unsigned(this_grid.size())};
  CHECK(this_grid.is_valid());
  CHECK_EQUAL(me.size, gridDim.x * blockDim.x);
  CHECK_EQUAL(me.rank, blockIdx.x * blockDim.x + threadIdx.x);
  for (unsigned round = 0; round < 12; ++round) {
    if (round % 4 == 3 && blockIdx.x == round / 4) // the others arrive, and then have to wait
      for (unsigned i = 0; i < 200; ++i) dawdle(~0u);
    state->data.write(me, round);
    if (round % 4 == 3) {
      auto arrival = this_grid.arrive();
      dawdle(me.rank);
      this_grid.wait(static_cast<decltype(arrival)&&>(arrival));
    } else if (round % 3 == 1) state->b.arrive_and_wait(this_grid);
    else if (round % 3 == 0 || me.rank % 2 == 0) this_grid.sync();
    else this_grid.sync(); // the lanes of a warp come from different calls
    state->data.check(me, round, test_);
  }
}

static void run_as_a_grid(report& result) {
  device_report found;
  on_device<grid_meeting> object;
  report* on_device = found.on_device();
  void* arguments[] = {&object.device, &on_device};
  CUDA_MUST(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(meet_as_a_grid), dim3(4), dim3(96), arguments));
  found.finish(result);
}
TEST_CASE_(grid, "the grid of a cooperative launch is a group", "", side::device, run_as_a_grid)
