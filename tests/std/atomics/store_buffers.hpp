// SPDX-License-Identifier: Apache-2.0
//
// store_buffers: two threads each write one object and read the other's. One of them must see the other's write.
// Threads are paired over the greatest distance. Include after `import cudax.sync;`.
#pragma once

namespace cudax_test {
TESTS_BEGIN

/// `Accesses::write_and_read<Scope>(mine, others)` writes 1 to the one and tells what it then reads of the other.
template <class Accesses, cudax::thread_scope Scope> struct store_buffers {
  static constexpr cudax::thread_scope scope = Scope;
  static constexpr unsigned rounds = 40;
  static constexpr unsigned pairs = 16;
  struct round {
    cudax::atomic<int, Scope> written[2];
    int seen[2];
    cudax::atomic<int, Scope> ready;
  };
  round at[pairs * rounds] = {};

  void run(worker me, context& test_) {
    unsigned const half = me.size / 2;
    int const side = me.rank >= half;
    // Few pairs take the rounds of others, too.
    for (unsigned i = me.rank % half * rounds; i < pairs * rounds; i += half * rounds)
      for (unsigned j = i; j < i + rounds; ++j) {
        round& one = at[j];
        one.ready.fetch_add(1, cudax::memory_order_relaxed); // both begin at once
        AWAIT(one.ready.load(cudax::memory_order_relaxed) == 2);
        one.seen[side] = Accesses::template write_and_read<Scope>(one.written[side], one.written[1 - side]);
      }
  }
  void verify(unsigned, context& test_) {
    for (round const& one : at) CHECK(one.seen[0] == 1 || one.seen[1] == 1);
  }
};

TESTS_END
} // namespace cudax_test
