// SPDX-License-Identifier: Apache-2.0
//
// planted: a library of four lines, for the test of the sweep. Of each line it is known whether its order is needed.
// The comments before the lines name them; sweep_test.py says what must become of their mutants.
#pragma once

namespace planted {
TESTS_BEGIN

using flag = cudax::atomic_ref<unsigned, cudax::thread_scope_device>;

inline void publish(unsigned& object, unsigned round) {
  // needed
  flag(object).store(round, cudax::memory_order_release);
}

/// Acquires once.
inline bool is_published(unsigned& object, unsigned round) {
  // alone
  return flag(object).load(cudax::memory_order_acquire) == round;
}

/// Acquires twice: one of the two may be weaker.
inline bool is_published_certainly(unsigned& object, unsigned round) {
  // first
  bool const is = flag(object).load(cudax::memory_order_acquire) == round;
  // second
  cudax::atomic_thread_fence(cudax::memory_order_acquire, cudax::thread_scope_device);
  return is;
}

TESTS_END
} // namespace planted
