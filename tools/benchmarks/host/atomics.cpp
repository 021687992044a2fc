// SPDX-License-Identifier: Apache-2.0
//
// atomics: exchanges of a value that needs a lock, a number that the threads pass around, and notifications for which
// no thread waits.
#include "libraries.hpp"
#include "row.hpp"
#include "threads.hpp"

namespace bench::host {
namespace {

struct twelve_bytes {
  int a, b, c;
  bool operator==(twelve_bytes const&) const = default;
};

template <class Library> double exchanges(int threads) {
  typename Library::template atomic<twelve_bytes> a(twelve_bytes{0, 0, 0});
  std::atomic<long> sum = 0;
  return repeated(
      threads, [&](int) { sum.fetch_add(a.exchange({1, 1, 1}).c, std::memory_order_relaxed); },
      [&](long count) { check(sum == count - 1, "a value of 12 bytes was lost"); });
}

/// Each thread waits until it is its turn.
template <class Library> double ring(int threads, long rounds) {
  typename Library::template atomic<int> turn(0);
  double const took = together(threads, [&](int t) {
    for (long i = 0; i < rounds; ++i) {
      for (int seen; (seen = turn.load(Library::acquire)) != t;) turn.wait(seen, Library::acquire);
      turn.store((t + 1) % threads);
      turn.notify_all();
    }
  });
  check(turn.load() == 0, "the number is lost");
  return took;
}

/// Notifies without a waiter; with Stores, after a store of default order. 16 times in a row, so that the loop around
/// them counts little.
template <class Library, bool Stores> double notifications(int threads) {
  struct alignas(64) own {
    typename Library::template atomic<int> value{0};
  };
  std::deque<own> objects(static_cast<std::size_t>(threads));
  double const took = repeated(
      threads,
      [&](int t) {
        auto& mine = objects[static_cast<std::size_t>(t)].value;
        for (int i = 0; i < 16; ++i) {
          if constexpr (Stores) mine.store(i);
          mine.notify_one();
        }
      },
      [&](long) {
        for (own const& each : objects) check(each.value.load() == (Stores ? 15 : 0), "a store is lost");
      });
  return took / 16;
}

} // namespace

rows atomics() {
  using ours = cudax_library;
  using theirs = standard_library;
  rows all = by_threads("atomic of 12 bytes: exchange", "std::atomic", exchanges<ours>, exchanges<theirs>);
  append(all, by_threads("atomic: a turn in a ring", "std::atomic", round_time<ring<ours>>, round_time<ring<theirs>>));
  for (bool const stores : {false, true})
    all.push_back({stores ? "atomic: store and notify_one, no waiter" : "atomic: notify_one, no waiter", "std::atomic",
                   1, [=] { return stores ? notifications<ours, true>(1) : notifications<ours, false>(1); },
                   [=] { return stores ? notifications<theirs, true>(1) : notifications<theirs, false>(1); }});
  return all;
}

} // namespace bench::host
