// SPDX-License-Identifier: Apache-2.0
//
// held_streams: a thread that takes the locks of <cstdio>'s streams and never gives them back.
//
// ThreadSanitizer replaces abort() by one that first flushes all streams, so no program can end by abort() there while a
// stream is locked. CUDAX_TEST_ABORT_TAKES_STREAMS says so; the cases that it removes run in all other presets.
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

/// Returns when they are held. A program that waits for one ends by SIGALRM after five minutes.
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
