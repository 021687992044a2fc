// SPDX-License-Identifier: Apache-2.0
//
// pairs: two threads that act on one object after the other at about the same time, in late_stores.
#pragma once

#include "late_stores.hpp"
#include "meeting.hpp"

#include <deque>
#include <thread>

namespace cudax_sweep {

/// So many objects, each made from the same arguments.
template <class T> struct objects : std::deque<T> {
  static constexpr int rounds = 80;

  template <class... Arguments> explicit objects(Arguments const&... from) {
    for (int i = 0; i < rounds; ++i) this->emplace_back(from...);
  }
};

/// One thread calls waits(object, round), the other one acts(object, round), until they have used all objects, or a
/// wake-up was lost.
template <class Objects, class Waits, class Acts> void run_pairs(Objects& all, Waits waits, Acts acts) {
  late_stores::turn_on();
  auto const run = [&all](auto call, bool is_waiter) {
    int round = 0;
    for (auto& each : all) {
      if (!meeting::begin(round, is_waiter)) return;
      call(each, round++);
    }
  };
  std::thread waiter(run, waits, true), other(run, acts, false);
  waiter.join();
  other.join();
}

} // namespace cudax_sweep
