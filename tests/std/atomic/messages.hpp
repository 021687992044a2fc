// SPDX-License-Identifier: Apache-2.0
//
// messages: two threads pass plain data back and forth under a flag. Paired threads are as far apart as possible: in a
// warp, in a block, across blocks, and across host and device. Include after `import cudax.sync;`.
#pragma once

#include "support/lists.hpp"

namespace cudax_test {
TESTS_BEGIN

/// `Signals::send(i, flag, round)` sets the flag to `round` in the i-th way. `Signals::received(i, flag, round)` checks
/// for that value in the i-th way. Data is written before and read after with plain accesses, unless Relaxed: the
/// thread sanitizer does not model fences.
template <class Signals, class T, cudax::thread_scope Scope, bool Relaxed = false> struct messages {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr unsigned ways = Signals::sends * Signals::receives;
  // If many pairs run at once, each pair goes through some of the ways, and together they go through all. If every pair
  // went through every way, that would take most of the time of all tests on the emulator, and would find nothing more.
  static constexpr unsigned many = 64, ways_of_one_of_many = 16;
  static constexpr unsigned stride = 7; // from the first way of one pair to the first way of the next pair
  static_assert((many - 1) * stride + ways_of_one_of_many >= ways && stride <= ways_of_one_of_many);
  static constexpr unsigned rounds(unsigned pairs) {
    return 2 * (pairs < many || ways < ways_of_one_of_many ? ways : ways_of_one_of_many);
  }
  static constexpr int length = 3;
  struct channel {
    unsigned data[length];
    cudax::atomic<T, Scope> flag;
  };
  channel channels[386]; // half as many as threads in the largest placement

  static void write(unsigned& data, unsigned value) {
    if constexpr (Relaxed) cudax::atomic_ref<unsigned, Scope>(data).store(value, cudax::memory_order_relaxed);
    else data = value;
  }
  static unsigned read(unsigned& data) {
    if constexpr (Relaxed) return cudax::atomic_ref<unsigned, Scope>(data).load(cudax::memory_order_relaxed);
    else return data;
  }

  void run(worker me, context& test_) {
    unsigned const half = me.size / 2;
    unsigned const pair = me.rank % half;
    channel& mine = channels[pair];
    for (unsigned round = 1; round <= rounds(half); ++round) {
      unsigned const way = stride * pair + round / 2; // each side sends, and receives, in every way of the pair
      if ((round % 2 == 1) == (me.rank < half)) {
        for (int i = 0; i < length; ++i) write(mine.data[i], 10 * round + i);
        Signals::template send<Scope>(way % Signals::sends, mine.flag, T(round));
        mine.flag.notify_all();
      } else {
        AWAIT(Signals::template received<Scope>(way / Signals::sends % Signals::receives, mine.flag, T(round)));
        for (int i = 0; i < length; ++i) CHECK_EQUAL(read(mine.data[i]), 10 * round + i);
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned i = 0; i < threads / 2; ++i) CHECK_EQUAL(channels[i].flag.load(), T(rounds(threads / 2)));
  }
};

TESTS_END
} // namespace cudax_test
