// SPDX-License-Identifier: Apache-2.0
//
// held_streams: a thread that takes the locks of <cstdio>'s streams and never releases them.
//
// ThreadSanitizer replaces abort() by a function that first flushes all streams, so there a program cannot abort()
// while a stream is locked. CUDAX_TEST_ABORT_TAKES_STREAMS states this. The cases that it removes run in all other
// presets.
#pragma once

#include <atomic>
#include <cstdio>
#include <thread>
#include <unistd.h>

#if __has_feature(thread_sanitizer)
#define CUDAX_TEST_ABORT_TAKES_STREAMS 1
#else
#define CUDAX_TEST_ABORT_TAKES_STREAMS 0
#endif

namespace cudax_test {

/// Returns once the locks are held. A program that waits for one of them ends by SIGALRM after five minutes.
inline void hold_for_ever(auto... stream) {
  static std::atomic<bool> held = false;
  alarm(300);
  std::thread([=] {
    (flockfile(stream), ...);
    held = true;
    for (;;) pause();
  }).detach();
  while (!held) std::this_thread::yield();
}

} // namespace cudax_test
