// SPDX-License-Identifier: Apache-2.0
//
// planted: a library of a few lines, for the test of the host's sweep. Of each order it is known whether it is needed.
// The comments before the lines name them; host_sweep_test.py says what must become of their mutants.
#pragma once

#include <atomic>

namespace planted {

using word = std::atomic<unsigned>;

inline void publish(word& flag, unsigned round) {
  // needed
  flag.store(round, std::memory_order_release);
}

/// Acquires once.
inline bool is_published(word& flag, unsigned round) {
  // alone
  return flag.load(std::memory_order_acquire) == round;
}

/// Acquires twice: one of the two may be weaker.
inline bool is_published_certainly(word& flag, unsigned round) {
  // first
  bool const is = flag.load(std::memory_order_acquire) == round;
  // second
  return is && flag.load(std::memory_order_acquire) == round;
}

/// Of two threads, at least one sees the other's write.
inline bool write_and_read(word& mine, word const& others) {
  // write
  mine.fetch_add(1, std::memory_order_seq_cst);
  // read
  return others.load(std::memory_order_seq_cst) != 0;
}

/// The same by a fence. The write need not be in the total order.
inline bool write_fence_read(word& mine, word const& others) {
  // before the fence
  mine.store(1, std::memory_order_seq_cst);
  // fence
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return others.load(std::memory_order_relaxed) != 0;
}

} // namespace planted
