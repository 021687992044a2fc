// SPDX-License-Identifier: Apache-2.0
//
// store_buffers: two threads each write their own object and read the other's. At least one must see the other's write.
// Paired threads are as far apart as possible. Include after `import cudax.sync;`.
#pragma once

namespace cudax_test {
TESTS_BEGIN

/// `Accesses::write_and_read<Scope>(mine, others)` writes 1 to `mine` and returns what it then reads from `others`.
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
    // With fewer than 16 pairs, each pair also runs the rounds of the missing pairs.
    for (unsigned i = me.rank % half * rounds; i < pairs * rounds; i += half * rounds)
      for (unsigned j = i; j < i + rounds; ++j) {
        round& one = at[j];
        one.ready.fetch_add(1, cudax::memory_order_relaxed); // both threads begin together
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
