// SPDX-License-Identifier: Apache-2.0
//
// locks: turns under a mutex. A turn adds one to a plain counter, which at the end has the number of all turns.
#include "libraries.hpp"
#include "row.hpp"
#include "threads.hpp"

namespace bench::host {
namespace {

/// With `Yields` a thread yields after each unlock, so that the standard's mutex changes hands, too.
template <class Mutex, bool Yields = false> double turns(int threads) {
  Mutex m{};
  long counter = 0;
  return repeated(
      threads,
      [&](int) {
        m.lock();
        ++counter;
        m.unlock();
        if constexpr (Yields) std::this_thread::yield();
      },
      [&](long count) { check(counter == count, "a mutex has lost an update"); });
}

} // namespace

rows locks() {
  using ours = cudax_library;
  using theirs = standard_library;
  rows all = by_threads("mutex", "std::mutex", turns<ours::mutex>, turns<theirs::mutex>);
  append(all, by_threads("ticket_mutex", "std::mutex", turns<ours::queue_mutex>, turns<theirs::queue_mutex>));
  append(all, by_threads("ticket_mutex, yield after each turn", "std::mutex", turns<ours::queue_mutex, true>,
                         turns<theirs::queue_mutex, true>));
  return all;
}

} // namespace bench::host
