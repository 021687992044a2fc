// SPDX-License-Identifier: Apache-2.0
//
// seq_cst operations are in one total order: of two threads that each write an object and read the other's, at least
// one sees the other's write. In late_stores, where each of the two orders is needed.
#include "pairs.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <thread>

import cudax.sync;

using namespace cudax_sweep;
using namespace std::chrono_literals;

namespace {

constexpr auto device = cudax::thread_scope_device;

template <class T> struct two_objects {
  cudax::atomic<T, device> written[2] = {};
  bool seen[2] = {};
};

struct triple {
  int x = 0, y = 0, z = 0;
};

/// write_and_read(mine, others) returns whether it has seen the other's write.
template <class T, class WriteAndRead> void at_least_one_sees_the_other(WriteAndRead write_and_read) {
  objects<two_objects<T>> all;
  meeting::forget(0);
  auto const side = [&](int mine) {
    return [=](auto& each, int) { each.seen[mine] = write_and_read(each.written[mine], each.written[1 - mine]); };
  };
  run_pairs(all, side(0), side(1));
  int unseen = 0;
  for (auto const& each : all) unseen += !each.seen[0] && !each.seen[1];
  BOOST_TEST(unseen == 0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(total_order)

BOOST_AUTO_TEST_CASE(store) {
  at_least_one_sees_the_other<int>([](auto& mine, auto& others) { return mine.store(1), others.load() == 1; });
}
BOOST_AUTO_TEST_CASE(exchange) {
  at_least_one_sees_the_other<int>([](auto& mine, auto& others) { return mine.exchange(1), others.load() == 1; });
}
BOOST_AUTO_TEST_CASE(fetch_add) {
  at_least_one_sees_the_other<int>([](auto& mine, auto& others) { return ++mine, others.load() == 1; });
}
BOOST_AUTO_TEST_CASE(fetch_and_kin) {
  at_least_one_sees_the_other<unsigned>([](auto& mine, auto& others) { return mine.fetch_or(1u), others.load() == 1; });
  at_least_one_sees_the_other<unsigned>(
      [](auto& mine, auto& others) { return mine.fetch_xor(1u), others.load() == 1; });
  at_least_one_sees_the_other<unsigned>([](auto& mine, auto& others) {
    mine.store(3, cudax::memory_order_relaxed);
    mine.fetch_and(1u);
    return (others.load() & 1) == 1;
  });
  at_least_one_sees_the_other<int>([](auto& mine, auto& others) { return mine.fetch_max(1), others.load() == 1; });
}
BOOST_AUTO_TEST_CASE(compare_exchange) {
  at_least_one_sees_the_other<int>([](auto& mine, auto& others) {
    int expected = 0;
    return mine.compare_exchange_strong(expected, 1), others.load() == 1;
  });
}
BOOST_AUTO_TEST_CASE(compare_exchange_that_fails) {
  at_least_one_sees_the_other<int>([](auto& mine, auto& others) {
    int seen = 2;
    return mine.store(1), others.compare_exchange_strong(seen, 3) || seen == 1;
  });
}
BOOST_AUTO_TEST_CASE(fence) {
  at_least_one_sees_the_other<int>([](auto& mine, auto& others) {
    mine.store(1, cudax::memory_order_relaxed);
    cudax::atomic_thread_fence(cudax::memory_order_seq_cst, device);
    return others.load(cudax::memory_order_relaxed) == 1;
  });
}
BOOST_AUTO_TEST_CASE(object_with_a_lock) {
  at_least_one_sees_the_other<triple>(
      [](auto& mine, auto& others) { return mine.store({1, 2, 3}), others.load().x == 1; });
}

// No total order: what is written before a release fence is seen after an acquire fence. The sanitizer knows no fences.
BOOST_AUTO_TEST_CASE(message_with_fences) {
  objects<two_objects<int>> all;
  meeting::forget(0);
  run_pairs(
      all,
      [](auto& each, int) {
        while (each.written[1].load(cudax::memory_order_relaxed) == 0) std::this_thread::sleep_for(50us);
        cudax::atomic_thread_fence(cudax::memory_order_acquire, device);
        each.seen[0] = each.written[0].load(cudax::memory_order_relaxed) == 1;
      },
      [](auto& each, int) {
        each.written[0].store(1, cudax::memory_order_relaxed);
        cudax::atomic_thread_fence(cudax::memory_order_release, device);
        each.written[1].store(1, cudax::memory_order_relaxed);
      });
  for (auto const& each : all) BOOST_TEST(each.seen[0]);
}

// A thread plays the device: it claims the first request as the code of a device does (stop_state.cppm).
BOOST_AUTO_TEST_CASE(requests_of_host_and_device) {
  struct both_sides {
    cudax::stop_state<> state{};
    int firsts = 0;
  };
  enum claim : unsigned { unclaimed, claimed, won, lost };
  objects<both_sides> all;
  meeting::forget(0);
  run_pairs(
      all,
      [](auto& each, int) {
        if (cudax::stop_source(each.state).request_stop()) __atomic_fetch_add(&each.firsts, 1, __ATOMIC_RELAXED);
      },
      [](auto& each, int) {
        auto* const words =
            reinterpret_cast<unsigned*>(&each.state); // the request, the host's claim, the device's claim
        __atomic_store_n(&words[2], claimed, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        bool const is_first = __atomic_load_n(&words[1], __ATOMIC_RELAXED) == unclaimed;
        __atomic_store_n(&words[2], is_first ? won : lost, __ATOMIC_RELAXED);
        if (!is_first) return;
        __atomic_fetch_add(&each.firsts, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&words[0], 1u, __ATOMIC_RELEASE);
      });
  for (auto const& each : all) BOOST_TEST(each.firsts == 1);
}

BOOST_AUTO_TEST_SUITE_END()
