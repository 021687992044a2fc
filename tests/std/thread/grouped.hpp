// SPDX-License-Identifier: Apache-2.0
//
// grouped: threads that arrive in groups. Include after `import cudax.sync;`.
#pragma once

#include "arriving.hpp"

namespace cudax_test {
TESTS_BEGIN

/// The groups that `Groups::group()` returns arrive at a barrier and at a latch, which expect one arrival from each
/// group. Every thread writes before, and afterwards reads what threads of its own and of other groups wrote. Host
/// threads are groups of one.
template <class Groups, cudax::thread_scope Scope> struct grouped {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr unsigned most_rounds = rounds_of(1);
  slots data;
  shared_objects<Scope> objects;
  cudax::atomic<unsigned, Scope> threads;
  cudax::atomic<unsigned, Scope> groups;
  cudax::barrier<Scope> b;
  cudax::latch<Scope> latches[most_rounds];

  void run(worker me, context& test_) {
    auto const group = Groups::group();
    unsigned const rounds = rounds_of(me.size);
    if (group.thread_rank() == 0) groups.fetch_add(1, cudax::memory_order_relaxed);
    threads.fetch_add(1, cudax::memory_order_release);
    if (me.rank == 0) AWAIT(threads.load(cudax::memory_order_acquire) == me.size);
    if (!objects.make(me, test_, [&] {
          unsigned const count = groups.load(cudax::memory_order_relaxed);
          init(&b, count);
          for (unsigned round = 0; round < rounds; ++round) init(&latches[round], count);
        }))
      return;
    for (unsigned round = 0; round < rounds; ++round) {
      dawdle(round + me.rank);
      data.write(me, round);
      // All threads of a group arrive in the same way. Each way by itself has to synchronize the group before it
      // arrives.
      if (round % 4 == 0) {
        b.arrive_and_wait(group);
      } else if (round % 4 == 1) {
        auto token = b.arrive(group);
        dawdle(me.rank);
        b.wait(group, static_cast<decltype(token)&&>(token));
      } else if (round % 4 == 2) {
        if (round % 8 == 2 || me.rank % 2 == 0) latches[round].arrive_and_wait(group);
        else latches[round].arrive_and_wait(group); // the lanes of a warp come from different calls
      } else {
        latches[round].count_down(group);
        latches[round].wait();
      }
      data.check(me, round, test_);
    }
  }
  void end() { destroy(&b); }
  void verify(unsigned all, context& test_) { CHECK_EQUAL(threads.load(), all); }
};

TESTS_END
} // namespace cudax_test
