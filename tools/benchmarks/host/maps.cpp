// SPDX-License-Identifier: Apache-2.0
//
// maps: insertions into a map by all threads. The standard library has no concurrent map: its side is a map with a
// lock.
#include "row.hpp"
#include "threads.hpp"

#include <mutex>
#include <unordered_map>

import cudax.sync;

namespace bench::host {
namespace {

// Maps from u32 to u32, for at most `keys` keys.
class cudax_map {
  using map = cudax::insert_only_map<unsigned, unsigned>;
  std::vector<map::slot> slots_;
  map map_;

public:
  explicit cudax_map(unsigned keys) : slots_(map::slots_for(keys)), map_(slots_.data(), slots_.size()) {}

  bool insert(unsigned key, unsigned value) { return map_.try_insert(key, value).inserted; }
  unsigned long long size() const { return map_.size(); }
};
class standard_map {
  std::mutex mutex_;
  std::unordered_map<unsigned, unsigned> map_;

public:
  explicit standard_map(unsigned keys) { map_.reserve(keys); }

  bool insert(unsigned key, unsigned value) {
    std::lock_guard const lock(mutex_);
    return map_.try_emplace(key, value).second;
  }
  unsigned long long size() const { return map_.size(); }
};

/// The threads together insert 2^18 pairs, with the same key `Repeats` times.
template <class Map, unsigned Repeats> double insertions(int threads) {
  constexpr unsigned all = 1u << 18, keys = all / Repeats;
  Map map(keys);
  std::atomic<unsigned> inserted = 0;
  double const took = together(threads, [&](int t) {
    unsigned count = 0;
    for (unsigned i = unsigned(t); i < all; i += unsigned(threads)) {
      unsigned const key = i * 2654435769u % all / Repeats; // scattered: a permutation of the numbers below `all`
      count += map.insert(key, i);
    }
    inserted += count;
  });
  check(inserted == keys && map.size() == keys, "a map has lost or duplicated a key");
  return took / all;
}

} // namespace

rows maps() {
  char const against[] = "std::unordered_map under std::mutex";
  rows all =
      by_threads("insert_only_map: distinct keys", against, insertions<cudax_map, 1>, insertions<standard_map, 1>);
  append(all, by_threads("insert_only_map: 16 of each key", against, insertions<cudax_map, 16>,
                         insertions<standard_map, 16>));
  return all;
}

} // namespace bench::host
