// SPDX-License-Identifier: Apache-2.0
//
// planted: uses the library of planted.hpp. Its cases run under the thread sanitizer, and in late_stores.
#define BOOST_TEST_MODULE planted
#include "planted.hpp"
#include "meeting.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>
#include <vector>

namespace {

/// One thread writes, the other one reads and answers.
template <class IsPublished> void pass_messages(IsPublished is_published) {
  constexpr unsigned rounds = 20;
  planted::word flag = 0;
  unsigned data = 0;
  auto const run = [&](unsigned side) {
    for (unsigned round = 1; round <= rounds; ++round) {
      if (round % 2 == side) {
        data = round;
        planted::publish(flag, round);
      } else {
        while (!is_published(flag, round)) std::this_thread::yield();
        if (data != round) std::terminate();
      }
    }
  };
  std::thread first(run, 1), second(run, 0);
  first.join();
  second.join();
  BOOST_TEST(data == rounds);
}

template <class WriteAndRead> void exchange_writes(WriteAndRead write_and_read) {
  constexpr int rounds = 200;
  struct round {
    planted::word written[2] = {};
    bool seen[2];
  };
  std::vector<round> all(rounds);
  cudax_sweep::meeting::forget(0);
  auto const run = [&](int side) {
    for (int i = 0; i < rounds; ++i) {
      round& one = all[std::size_t(i)];
      cudax_sweep::meeting::begin(i, false);
      one.seen[side] = write_and_read(one.written[side], one.written[1 - side]);
    }
  };
  std::thread first(run, 0), second(run, 1);
  first.join();
  second.join();
  int unseen = 0;
  for (round const& one : all) unseen += !one.seen[0] && !one.seen[1];
  BOOST_TEST(unseen == 0);
}

} // namespace

BOOST_AUTO_TEST_CASE(messages) { pass_messages(planted::is_published); }
BOOST_AUTO_TEST_CASE(messages_certainly) { pass_messages(planted::is_published_certainly); }
BOOST_AUTO_TEST_CASE(writes) { exchange_writes(planted::write_and_read); }
BOOST_AUTO_TEST_CASE(writes_with_a_fence) { exchange_writes(planted::write_fence_read); }
