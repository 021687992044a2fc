// SPDX-License-Identifier: Apache-2.0
//
// insert_only_map with slots of 16 bytes. A separate file: their insertion requires sm_90, and a program that contains
// one does not link for older SMs.
#include "support/test.hpp"
import cudax.sync;
#include "mapping.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

struct wide_key {
  unsigned at[3];

  static wide_key of(unsigned number) { return {{number, 0, number * 3}}; }
};
using of_words = kind_of_map<wide_key, value_hash, value_equal, 16>;          // 12 bytes and 4
using of_long = kind_of_map<unsigned long long, value_hash, value_equal, 16>; // 8 bytes, 4, and padding
using colliding = kind_of_map<unsigned long long, one_slot, value_equal, 16>;

TEST("pairs of 9 to 16 bytes are packed if the program allows 16 bytes") {
  using map_type = insert_only_map<long long, double, thread_scope_system, value_hash, value_equal, 16>;
  static_assert(map_type::is_packed && sizeof(map_type::slot) == 16);
  static_assert(!insert_only_map<long long, double>::is_packed);
  struct storage {
    map_type::slot slots[9];
  };
  map_type const map(make<storage>(test_).slots, 9);
  long long const some[] = {0, -1, 1ll << 32, 1};
  for (long long key : some) {
    CHECK(map.try_insert(key, double(key)).inserted);
    CHECK(map.insert(key, 7) == map_insertion::present);
    CHECK(*map.find(key) == double(key));
  }
  CHECK_EQUAL(map.size(), 4ull);
  CHECK(!map.contains(2));
  for (auto [key, value] : map) CHECK(value == double(key));
}

CONCURRENT_TEST("one thread inserts a key, and all threads get its value: 16 bytes, block",
                same_keys<of_words, thread_scope_block>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: 16 bytes, block",
                own_keys<of_words, thread_scope_block>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: 16 bytes, device",
                same_keys<of_words, thread_scope_device>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: 16 bytes, device",
                own_keys<of_words, thread_scope_device>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: 16 bytes, system",
                same_keys<of_long, thread_scope_system>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: 16 bytes, system",
                own_keys<of_long, thread_scope_system>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: 16 bytes, all keys collide",
                same_keys<colliding, thread_scope_device>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: 16 bytes, all keys collide",
                own_keys<colliding, thread_scope_device>)
CONCURRENT_TEST("every slot is used, and a full map says so: 16 bytes", too_many_keys<of_long, thread_scope_device>)

TESTS_END
