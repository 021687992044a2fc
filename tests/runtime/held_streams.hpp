// SPDX-License-Identifier: Apache-2.0
//
// held_streams: a thread that takes the locks of <cstdio>'s streams and never gives them back.
#pragma once

#include <atomic>
#include <cstdio>
#include <thread>
#include <unistd.h>

namespace cudax_test {

/// Returns when they are held. A program that waits for one ends by SIGALRM after a minute.
inline void hold_for_ever(auto... stream) {
  static std::atomic<bool> held = false;
  alarm(60);
  std::thread([=] {
    (flockfile(stream), ...);
    held = true;
    for (;;) pause();
  }).detach();
  while (!held) std::this_thread::yield();
}

} // namespace cudax_test
