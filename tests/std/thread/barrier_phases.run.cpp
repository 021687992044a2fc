// SPDX-License-Identifier: Apache-2.0
//
// [thread.barrier] barrier: no phase is lost, however fast they follow each other.
// The two programs with which libcu++'s barrier hangs: it begins a phase and sets its count by two operations, and
// another phase fits between them. CUDAX_TEST_PHASES=1000000 in the environment makes them long.
#include "support/test.hpp"
import cudax.sync;
#include "arriving.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// Two threads of a pair end every second phase each, alone, and wait for the other's by parity. Each passes on what it was
/// given, plainly. Two pairs, over the greatest distance.
template <thread_scope Scope> struct ping_pong {
  static constexpr thread_scope scope = Scope;
  struct channel {
    barrier<Scope> b;
    unsigned value;
  };
  static constexpr unsigned pairs = 2;
  unsigned phases = phases_wanted();
  atomic<unsigned, Scope> made;
  channel channels[pairs];

  void run(worker me, context& test_) {
    unsigned const half = me.size / 2;
    if (me.rank == 0) {
      for (channel& each : channels) init(&each.b, 1);
      made.store(1, memory_order_release);
    } else {
      AWAIT(made.load(memory_order_acquire) == 1);
    }
    note_check(test_);
    if (me.rank % half >= pairs) return;
    channel& mine = channels[me.rank % half];
    bool const first = me.rank < half;
    unsigned wrong = 0;
    for (unsigned phase = 0; phase < phases; ++phase) {
      if (first == (phase % 2 == 0)) {
        wrong += mine.value != phase;
        mine.value = phase + 1;
        (void)mine.b.arrive();
      } else {
        mine.b.wait_parity(phase % 2);
      }
    }
    CHECK_EQUAL(wrong, 0u);
  }
  void verify(unsigned, context& test_) {
    for (channel& each : channels) CHECK_EQUAL(each.value, phases);
  }
};
CONCURRENT_TEST("two threads that end phases in turn lose none: block", ping_pong<thread_scope_block>)
CONCURRENT_TEST("two threads that end phases in turn lose none: cluster", ping_pong<thread_scope_cluster>)
CONCURRENT_TEST("two threads that end phases in turn lose none: device", ping_pong<thread_scope_device>)
CONCURRENT_TEST("two threads that end phases in turn lose none: system", ping_pong<thread_scope_system>)

/// Threads arrive for a number of others that changes with every phase. Few, so that one phase follows the other closely:
/// the first four of a placement, or two on each side of it.
template <thread_scope Scope> struct varying {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned players = 4;
  static constexpr unsigned each = 8; // arrivals per thread, on average
  unsigned phases = phases_wanted();
  atomic<unsigned, Scope> made;
  barrier<Scope> b;
  unsigned total[players];

  /// Two threads arrive for 2 * each together.
  static unsigned share(unsigned player, unsigned phase) {
    unsigned const part = 1 + (phase * 2654435761u >> 16) % (2 * each - 1);
    return player % 2 ? part : 2 * each - part;
  }

  void run(worker me, context& test_) {
    if (me.rank == 0) {
      init(&b, players * each);
      made.store(1, memory_order_release);
    } else {
      AWAIT(made.load(memory_order_acquire) == 1);
    }
    note_check(test_);
    // On host and device: the first two of the host, the last two of the device.
    unsigned const player = me.rank < players / 2 ? me.rank : me.rank + players - me.size;
    if (player >= players || (me.rank >= players / 2 && me.rank < me.size - players / 2)) return;
    unsigned arrived = 0;
    for (unsigned phase = 0; phase < phases; ++phase) {
      unsigned const mine = share(player, phase);
      arrived += mine;
      auto token = b.arrive(mine);
      b.wait(static_cast<decltype(token)&&>(token));
    }
    total[player] = arrived;
  }
  void verify(unsigned, context& test_) {
    unsigned sum = 0;
    for (unsigned arrived : total) sum += arrived;
    CHECK_EQUAL(sum, phases * players * each);
  }
};
CONCURRENT_TEST("threads that arrive for others lose no phase: block", varying<thread_scope_block>)
CONCURRENT_TEST("threads that arrive for others lose no phase: cluster", varying<thread_scope_cluster>)
CONCURRENT_TEST("threads that arrive for others lose no phase: device", varying<thread_scope_device>)
CONCURRENT_TEST("threads that arrive for others lose no phase: system", varying<thread_scope_system>)

TESTS_END
