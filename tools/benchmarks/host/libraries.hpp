// SPDX-License-Identifier: Apache-2.0
//
// libraries: cudax.sync and the C++ standard library, with one name for each pair of objects that a row compares. The
// objects of cudax.sync have their default scope, the system. So a device might change them, which a waiting thread
// must also notice.
#pragma once

#include <atomic>
#include <barrier>
#include <latch>
#include <mutex>
#include <semaphore>

import cudax.sync;

namespace bench::host {

struct cudax_library {
  template <class T> using atomic = cudax::atomic<T>;
  using mutex = cudax::mutex<>;
  using queue_mutex = cudax::ticket_mutex<>;
  using binary_semaphore = cudax::binary_semaphore<>;
  using counting_semaphore = cudax::counting_semaphore<>;
  using queue_semaphore = cudax::fair_semaphore<>;
  using latch = cudax::latch<>;
  using barrier = cudax::barrier<>;
  static constexpr auto acquire = cudax::memory_order_acquire;
};
struct standard_library {
  template <class T> using atomic = std::atomic<T>;
  using mutex = std::mutex;
  using queue_mutex = std::mutex;
  using binary_semaphore = std::binary_semaphore;
  using counting_semaphore = std::counting_semaphore<>;
  using queue_semaphore = std::counting_semaphore<>;
  using latch = std::latch;
  using barrier = std::barrier<>;
  static constexpr auto acquire = std::memory_order_acquire;
};

} // namespace bench::host
