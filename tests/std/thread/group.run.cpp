// SPDX-License-Identifier: Apache-2.0
//
// Thread groups (extension): this_thread, this_warp, this_block and this_cluster, and a latch and a barrier at which
// groups arrive. Cooperative groups: cooperative_groups.
#include "support/test.hpp"
import cudax.sync;
#include "grouped.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

static_assert(thread_group<decltype(this_thread)> && thread_group<decltype(this_warp)> &&
              thread_group<decltype(this_block)> && thread_group<decltype(this_cluster)> &&
              thread_group<decltype(this_grid)>);
static_assert(!thread_group<int> && !thread_group<barrier<>>);

/// A group of one thread that needs no more than bool for its size and its rank.
struct single {
  static bool size() { return true; }
  static bool thread_rank() { return false; }
  static void sync() {}
};
static_assert(thread_group<single>);
TEST("the size and the rank of a group may be bool") {
  latch<> l(1);
  l.arrive_and_wait(single());
  barrier<thread_scope_device> b(1);
  b.arrive_and_wait(single());
  int const from[4] = {1, 2, 3, 4};
  int to[4] = {};
  memcpy_async(single(), to, from, sizeof(from), b);
  b.arrive_and_wait();
  for (int i = 0; i < 4; ++i) CHECK_EQUAL(to[i], from[i]);
}
static_assert(this_thread.thread_scope == thread_scope_thread && this_warp.thread_scope == thread_scope_block &&
              this_block.thread_scope == thread_scope_block && this_cluster.thread_scope == thread_scope_cluster &&
              this_grid.thread_scope == thread_scope_device);

TEST("with a single thread, every group is that thread") {
  auto const check = [&](auto group) {
    CHECK_EQUAL(group.size(), 1u);
    CHECK_EQUAL(group.thread_rank(), 0u);
    group.sync();
  };
  check(this_thread);
  check(this_warp);
  check(this_block);
  check(this_cluster);
}

static_assert(__is_empty(decltype(this_block.warps<4, 4, 1>())) &&
              thread_group<decltype(this_block.warps<4, 4, 1>())> &&
              this_block.warps<0, 1>().thread_scope == thread_scope_block);
static_assert(named_barrier_ids<3, 4>::id<1> == 4 && named_barrier_ids<3, 4>::part<2, 2>::id<1> == 6 &&
              named_barrier_ids<1, 15>::barrier<14>::id == 15);

TEST("a block of one thread or warp passes named barriers and groups of warps") {
  named_barrier<1> const b(32);
  b.arrive_and_wait();
  b.sync();
  CHECK_EQUAL(b.threads(), 32);
  auto const at = named_barrier_ids<2, 3>::at(2, 32);
  at.sync();
  CHECK_EQUAL(at.id(), 4);
  CHECK_EQUAL(at.threads(), 32);
  auto const group = this_block.warps<0, 1>();
  CHECK(group.contains());
  CHECK_EQUAL(group.thread_rank(), 0u);
  group.sync();
#if !defined(__CUDA_ARCH__)
  auto const late = this_block.warps<4, 4, 1>(); // on the host every group is the calling thread
  CHECK(late.contains() && late.elect());
  CHECK_EQUAL(late.size(), 1u);
  late.sync();
  b.arrive();
#endif
  CHECK(this_warp.elect());
}

struct threads_alone {
  static auto group() { return this_thread; }
};
struct warps {
  static auto group() { return this_warp; }
};
struct blocks {
  static auto group() { return this_block; }
};
struct clusters {
  static auto group() { return this_cluster; }
};

// In one block: its warps, and the block itself.
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: warps, block",
                grouped<warps, thread_scope_block>)
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: blocks, block",
                grouped<blocks, thread_scope_block>)
// In a cluster: its warps, its blocks, and the cluster itself.
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: warps, cluster",
                grouped<warps, thread_scope_cluster>)
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: blocks, cluster",
                grouped<blocks, thread_scope_cluster>)
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: clusters, cluster",
                grouped<clusters, thread_scope_cluster>)
// In several blocks, also together with host threads, which are groups of one.
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: threads, device",
                grouped<threads_alone, thread_scope_device>)
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: warps, device",
                grouped<warps, thread_scope_device>)
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: blocks, device",
                grouped<blocks, thread_scope_device>)
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: warps, system",
                grouped<warps, thread_scope_system>)
CONCURRENT_TEST("after groups synchronize, each thread sees the writes of all others: blocks, system",
                grouped<blocks, thread_scope_system>)

/// The threads of a group have the ranks 0 to size - 1, each rank once.
template <class Groups, thread_scope Scope> struct ranked {
  static constexpr thread_scope scope = Scope;
  atomic<unsigned, Scope> sizes{0u};             // sum over all groups
  atomic<unsigned, Scope> of_rank[most_threads]; // how many threads have this rank

  void run(worker me, context& test_) {
    auto const group = Groups::group();
    CHECK(group.thread_rank() < group.size());
    if (group.thread_rank() == 0) sizes.fetch_add(unsigned(group.size()));
    of_rank[group.thread_rank()].fetch_add(1);
    CHECK(group.size() <= me.size);
  }
  void verify(unsigned threads, context& test_) {
    CHECK_EQUAL(sizes.load(), threads);
    unsigned sum = 0;
    for (unsigned rank = 0; rank + 1 < most_threads; ++rank) {
      CHECK(of_rank[rank + 1].load() <= of_rank[rank].load());
      sum += of_rank[rank].load();
    }
    CHECK_EQUAL(sum, threads);
  }
};
CONCURRENT_TEST("each thread of a group has a unique rank: threads", ranked<threads_alone, thread_scope_system>)
CONCURRENT_TEST("each thread of a group has a unique rank: warps", ranked<warps, thread_scope_system>)
CONCURRENT_TEST("each thread of a group has a unique rank: blocks", ranked<blocks, thread_scope_device>)
CONCURRENT_TEST("each thread of a group has a unique rank: clusters", ranked<clusters, thread_scope_cluster>)

/// The threads of a cluster arrive, and do something else before they wait. Every thread reads what others wrote before
/// they arrived.
struct split_meetings {
  static constexpr thread_scope scope = thread_scope_cluster;
  slots data;

  void run(worker me, context& test_) {
#if defined(__CUDA_ARCH__)
    for (unsigned round = 0; round < rounds_of(me.size); ++round) {
      dawdle(round + me.rank);
      data.write(me, round);
      auto arrival = this_cluster.arrive();
      dawdle(me.rank);
      this_cluster.wait(static_cast<decltype(arrival)&&>(arrival));
      data.check(me, round, test_);
      this_cluster.wait(
          this_cluster.arrive_relaxed()); // orders nothing; the accesses of a round are ordered by arrive()
    }
#else
    this_cluster.wait(this_cluster.arrive()); // the calling thread is the cluster, and the grid
    CHECK(this_grid.is_valid());
    (void)me;
#endif
  }
  void verify(unsigned, context&) {}
};
CONCURRENT_TEST("a cluster arrives and waits in two calls", split_meetings)

/// Each block of a cluster writes to a variable in the shared memory of the next block.
struct mapping {
  static constexpr thread_scope scope = thread_scope_cluster;

  void run(worker, context& test_) {
#if defined(__CUDA_ARCH__)
    __shared__ unsigned written;
#else
    unsigned written;
#endif
    unsigned const blocks = unsigned(this_cluster.size() / this_block.size());
    unsigned const block = unsigned(this_cluster.thread_rank() / this_block.size());
    this_cluster.sync(); // the next block has begun
    if (this_block.thread_rank() == 0) *this_cluster.map_shared_rank(&written, int((block + 1) % blocks)) = block;
    this_cluster.sync();
    CHECK_EQUAL(written, (block + blocks - 1) % blocks);
    this_cluster.sync(); // no block exits while another one reads
  }
  void verify(unsigned, context&) {}
};
CONCURRENT_TEST("map_shared_rank maps a shared variable to that of another block of the cluster", mapping)

TESTS_END
