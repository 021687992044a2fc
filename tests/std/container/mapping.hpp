// SPDX-License-Identifier: Apache-2.0
//
// mapping: guarantees of every insert_only_map, whatever its slots. Include after `import cudax.sync;`.
//
// The values are positions in an array of plain data. A thread writes its datum before it inserts the position, and
// every thread that gets the value reads the datum: a checked run (tools/emulate --check) and the thread sanitizer
// detect an order that is missing.
#pragma once

#include "support/test.hpp"

namespace cudax_test {
TESTS_BEGIN

/// Sends every key to one slot, so that the keys collide.
struct one_slot {
  template <class Key> unsigned operator()(Key const&) const { return 7; }
};

/// The keys of a test: number 0 is the key whose bits are all 0.
template <class Key> Key key_of(unsigned number) {
  if constexpr (requires { Key::of(number); }) return Key::of(number);
  else return Key(number * 2654435761u);
}

/// A kind of map: the parameters of insert_only_map except its Scope.
template <class Key, class Hash = cudax::value_hash, class Equal = cudax::value_equal, unsigned long PackedBytes = 8>
struct kind_of_map {
  using key = Key;
  template <cudax::thread_scope Scope>
  using map = cudax::insert_only_map<Key, unsigned, Scope, Hash, Equal, PackedBytes>;
};

/// Map after map, all threads insert the same keys. For each key, one thread inserts, and all get its value.
template <class Kind, cudax::thread_scope Scope, cudax::thread_scope Named = Scope> struct same_keys {
  static constexpr cudax::thread_scope scope = Scope;
  using map = typename Kind::template map<Named>;
  using slot = typename map::slot;

  static constexpr unsigned data_count = 1600, keys = 3, slots = 6;
  static constexpr unsigned most_rounds = 20000 / (slots * sizeof(slot));
  alignas(32) slot of[most_rounds][slots]; // every second table of 8-byte slots is aligned to its sectors
  unsigned data[data_count];
  cudax::atomic<unsigned, Scope> inserted[most_rounds][keys];
  cudax::atomic<unsigned, Scope> sum[most_rounds][keys];

  static unsigned rounds(unsigned threads) {
    unsigned const rounds = data_count / threads, most = threads <= 8 ? most_rounds : 6;
    return rounds < most ? rounds : most;
  }

  void run(worker me, context& test_) {
    for (unsigned round = 0; round < rounds(me.size); ++round) {
      map const entries(of[round], slots);
      unsigned const mine = round * me.size + me.rank;
      data[mine] = ~mine;
      for (unsigned i = 0; i < keys; ++i) {
        unsigned const number = (i + me.rank) % keys;
        auto const [value, is_new] = entries.try_insert(key_of<typename Kind::key>(number), mine);
        CHECK(value != nullptr);
        if (!value) return;
        if (is_new) inserted[round][number].fetch_add(1, cudax::memory_order_relaxed);
        CHECK(is_new == (*value == mine));
        CHECK_EQUAL(data[*value], ~*value); // plain data of the thread that inserted
        sum[round][number].fetch_add(*value, cudax::memory_order_relaxed);
      }
    }
  }
  void verify(unsigned threads, context& test_) {
    for (unsigned round = 0; round < rounds(threads); ++round) {
      map const entries(of[round], slots);
      CHECK_EQUAL(entries.size(), keys + 0ull);
      for (unsigned number = 0; number < keys; ++number) {
        CHECK_EQUAL(inserted[round][number].load(), 1u);
        auto const* const value = entries.find(key_of<typename Kind::key>(number));
        CHECK(value != nullptr);
        if (value) CHECK_EQUAL(sum[round][number].load(), *value * threads);
      }
    }
  }
};

/// Returns whether a visit of the whole map finds this value.
template <class Map> bool visit_finds(Map const& entries, unsigned wanted) {
  for (auto [key, value] : entries)
    if (value == wanted) return true;
  return false;
}

/// Each thread inserts keys of its own, and searches for those of another thread until it finds them.
template <class Kind, cudax::thread_scope Scope> struct own_keys {
  static constexpr cudax::thread_scope scope = Scope;
  using map = typename Kind::template map<Scope>;
  static constexpr unsigned data_count = 800, slots = 1001;
  alignas(32) typename map::slot of[slots];
  unsigned data[data_count];

  static unsigned each(unsigned threads) {
    unsigned const most = threads <= 8 ? data_count : 6; // a search may visit the keys of all threads
    return data_count / threads < most ? data_count / threads : most;
  }

  void run(worker me, context& test_) {
    map const entries(of, slots);
    for (unsigned i = 0; i < each(me.size); ++i) {
      unsigned const mine = i * me.size + me.rank, other = i * me.size + (me.rank + 1) % me.size;
      data[mine] = ~mine;
      CHECK(entries.insert(key_of<typename Kind::key>(mine), mine) == cudax::map_insertion::inserted);
      auto const key = key_of<typename Kind::key>(other);
      unsigned value = other;
      unsigned const form = i == 0 && me.rank % 16 == 1 ? 3 : (me.rank + i) % 3; // a visit takes long
      switch (form) {                                                            // each form acquires
      case 0: AWAIT(entries.contains(key)); break;
      case 1: AWAIT(entries.find(key, value)); break;
      case 2: {
        decltype(entries.find(key)) at = nullptr;
        AWAIT((at = entries.find(key)) != nullptr);
        value = *at;
        break;
      }
      default: AWAIT(visit_finds(entries, other));
      }
      CHECK_EQUAL(value, other);
      CHECK_EQUAL(data[other], ~other);
    }
  }
  void verify(unsigned threads, context& test_) {
    map const entries(of, slots);
    unsigned const all = threads * each(threads);
    CHECK_EQUAL(entries.size(), all + 0ull);
    bool found[data_count] = {};
    for (auto [key, value] : entries) {
      CHECK(value < all && !found[value]);
      if (value < data_count) found[value] = true;
      CHECK_SAME(key, key_of<typename Kind::key>(value));
    }
  }
};

/// The threads have more keys than the map has slots. Every slot is used, and the other insertions report the map full.
template <class Kind, cudax::thread_scope Scope> struct too_many_keys {
  static constexpr cudax::thread_scope scope = Scope;
  using map = typename Kind::template map<Scope>;
  static constexpr unsigned slots = 30, keys_of_each = 16;
  alignas(32) typename map::slot of[slots];
  cudax::atomic<unsigned, Scope> inserted, refused;

  void run(worker me, context& test_) {
    map const entries(of, slots);
    for (unsigned i = 0; i < keys_of_each; ++i) {
      unsigned const mine = 1 + i * me.size + me.rank; // not 0, which has a slot of its own
      auto const key = key_of<typename Kind::key>(mine);
      auto const [value, is_new] = entries.try_insert(key, mine);
      (is_new ? inserted : refused).fetch_add(1, cudax::memory_order_relaxed);
      CHECK(is_new == (value != nullptr));
      CHECK(entries.contains(key) == is_new);
      CHECK(entries.insert(key, mine) == (is_new ? cudax::map_insertion::present : cudax::map_insertion::full));
    }
  }
  void verify(unsigned threads, context& test_) {
    map const entries(of, slots);
    CHECK_EQUAL(inserted.load() + 0ull, entries.capacity());
    CHECK_EQUAL(inserted.load() + refused.load(), threads * keys_of_each);
    CHECK_EQUAL(entries.size(), entries.capacity());
    for (auto [key, value] : entries) CHECK_SAME(key, key_of<typename Kind::key>(value));
  }
};

TESTS_END
} // namespace cudax_test
