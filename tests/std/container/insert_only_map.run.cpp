// SPDX-License-Identifier: Apache-2.0
//
// insert_only_map, an extension, whose members are those of the map in the talk "The CUDA C++ Standard Library". Slots
// of 16 bytes, whose insertion requires sm_90, are in insert_only_map_wide.
#include "support/test.hpp"
import cudax.sync;
#include "mapping.hpp"
#include "support/lists.hpp"

using namespace cudax;
using namespace cudax_test;

TESTS_BEGIN

/// A key of 16 bytes, equal if its first numbers are: the rest is not part of the key.
struct numbered {
  unsigned number, ignored[3];

  static numbered of(unsigned number) { return {number, {number, 2, 3}}; }
};
struct hash_of_numbered {
  unsigned operator()(numbered const& key) const { return key.number; } // the identity: a weak hash
};
struct equal_numbers {
  bool operator()(numbered const& a, numbered const& b) const { return a.number == b.number; }
};

using packed = kind_of_map<unsigned>;
using separate = kind_of_map<unsigned, value_hash, value_equal, 0>;
using large = kind_of_map<numbered, hash_of_numbered, equal_numbers>;
using colliding_packed = kind_of_map<unsigned, one_slot>;
using colliding_large = kind_of_map<numbered, one_slot, equal_numbers>;

// --- one thread ------------------------------------------------------------------------------------------------------

template <class Map, unsigned Count> struct storage {
  typename Map::slot slots[Count];
};

/// Calls f.operator()<Map>() with maps of unsigned keys and values, packed and not.
template <class F> void for_each_kind(F f) {
  for_each_scope([&]<thread_scope S>() {
    f.template operator()<insert_only_map<unsigned, unsigned, S>>();
    f.template operator()<insert_only_map<unsigned, unsigned, S, value_hash, value_equal, 0>>();
  });
}

TEST("value-initialized slots are an empty map") {
  for_each_kind([&]<class Map>() {
    Map const map(make<storage<Map, 5>>(test_).slots, 5);
    CHECK_EQUAL(map.size(), 0ull);
    CHECK(map.begin() == map.end());
    CHECK(map.find(3) == nullptr && map.find(0) == nullptr);
    CHECK(!map.contains(3) && !map.contains(0));
    unsigned copy = 17;
    CHECK(!map.find(3, copy) && copy == 17);
  });
}

TEST("an insertion is found, and a second insertion of the key changes nothing: every key and value") {
  for_each_kind([&]<class Map>() {
    Map const map(make<storage<Map, 10>>(test_).slots, 10);
    unsigned const some[] = {0, 1, 0xffffffff, 0x80000000};
    for (unsigned key : some) {
      auto const first = map.try_insert(key, ~key);
      CHECK(first.inserted && first.value && *first.value == ~key);
      auto const second = map.try_insert(key, 5u);
      CHECK(!second.inserted && second.value == first.value && *second.value == ~key);
      CHECK(map.insert(key, 6) == map_insertion::present);
      CHECK(map.find(key) == first.value);
      unsigned copy = 17;
      CHECK(map.find(key, copy) && copy == ~key);
      CHECK(map.contains(key));
      CHECK(!map.contains(key ^ 2));
    }
    CHECK_EQUAL(map.size(), 4ull);
    unsigned seen = 0;
    for (auto [key, value] : map) {
      CHECK_EQUAL(value, ~key);
      for (unsigned i = 0; i < 4; ++i) seen |= (some[i] == key) << i;
    }
    CHECK_EQUAL(seen, 15u);
    map.clear();
    CHECK(map.size() == 0 && !map.contains(0) && !map.contains(1));
    CHECK(map.insert(0) == map_insertion::inserted && *map.find(0) == 0);
  });
}

TEST("every allowed order inserts and finds") {
  for_each_kind([&]<class Map>() {
    Map const map(make<storage<Map, 10>>(test_).slots, 10);
    unsigned key = 0;
    for_orders(
        [&](memory_order order) {
          CHECK(map.try_insert(key, key + 1, order).inserted);
          CHECK(map.insert(key, 0, order) == map_insertion::present);
          ++key;
        },
        memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel);
    for_orders(
        [&](memory_order order) {
          for (unsigned i = 0; i < key; ++i) CHECK(*map.find(i, order) == i + 1 && map.contains(i, order));
        },
        memory_order_relaxed, memory_order_consume, memory_order_acquire);
  });
}

TEST("a full map reports that it is full, and still finds its keys") {
  for_each_kind([&]<class Map>() {
    Map const map(make<storage<Map, 5>>(test_).slots, 5);
    unsigned const room = unsigned(map.capacity());
    CHECK_EQUAL(room, 5u - Map::is_packed);
    for (unsigned key = 1; key <= room; ++key) CHECK(map.insert(key, key) == map_insertion::inserted);
    CHECK(map.insert(100, 1) == map_insertion::full);
    CHECK(map.try_insert(100, 1u).value == nullptr && !map.try_insert(100, 1u).inserted);
    CHECK(!map.contains(100));
    CHECK(map.insert(1, 2) == map_insertion::present);
    for (unsigned key = 1; key <= room; ++key) CHECK(*map.find(key) == key);
    CHECK(map.insert(0, 3) == (Map::is_packed ? map_insertion::inserted : map_insertion::full)); // a slot of its own
    CHECK_EQUAL(map.size(), 5ull);
  });
}

/// Inserts the keys 0 to Count - 1 into tables of Count slots, and compares where they are.
template <unsigned Count, class Map = insert_only_map<unsigned, unsigned>>
void fill_both(typename Map::slot* aligned, typename Map::slot* other, context& test_) {
  Map const one(aligned, Count), two(other, Count);
  for (unsigned key = 0; key < Count; ++key) {
    auto const in_one = one.try_insert(key, ~key), in_two = two.try_insert(key, ~key);
    CHECK(in_one.inserted && in_two.inserted);
    if (!in_one.inserted || !in_two.inserted) return;
    CHECK_EQUAL((char*)in_one.value - (char*)aligned, (char*)in_two.value - (char*)other);
    CHECK(one.contains(Count) == two.contains(Count));
    unsigned copy = 0;
    CHECK(one.find(key, copy) && copy == ~key && one.find(key) == in_one.value);
    CHECK(one.insert(key, 1) == map_insertion::present && two.insert(key, 1) == map_insertion::present);
  }
  CHECK(one.insert(Count, 1) == map_insertion::full && two.insert(Count, 1) == map_insertion::full);
  CHECK(!one.contains(Count) && !two.contains(Count));
}

template <unsigned Count> struct two_tables {
  using slot = insert_only_map<unsigned, unsigned>::slot;
  slot slots[2 * Count + 4];

  void fill(context& test_) {
    slot* aligned = slots;
    while (reinterpret_cast<unsigned long>(aligned) % 32 != 0) ++aligned;
    fill_both<Count>(aligned, aligned + Count + (Count % 4 == 0), test_);
  }
};

TEST("a key has the same slot in a table that is aligned to sectors as in one that is not") {
  auto with = [&]<unsigned Count>() {
    make<two_tables<Count>>(test_).fill(test_);
    two_tables<Count> automatic{};
    auto* volatile hidden = &automatic; // so that the compiler does not know the state space
    hidden->fill(test_);
  };
  with.template operator()<2>();
  with.template operator()<4>();
  with.template operator()<5>();
  with.template operator()<9>();
  with.template operator()<12>();
}

TEST("the smallest map has room for one key") {
  for_each_kind([&]<class Map>() {
    Map const map(make<storage<Map, 2>>(test_).slots, 1 + Map::is_packed);
    CHECK_EQUAL(map.capacity(), 1ull);
    CHECK(map.insert(9, 1) == map_insertion::inserted);
    CHECK(map.insert(8, 1) == map_insertion::full);
    CHECK(map.contains(9) && !map.contains(8));
  });
}

TEST("keys are compared by the equality of the program") {
  using map_type = insert_only_map<numbered, int, thread_scope_system, hash_of_numbered, equal_numbers>;
  static_assert(!map_type::is_packed);
  map_type const map(make<storage<map_type, 5>>(test_).slots, 5);
  CHECK(map.try_insert({1, {5, 6, 7}}, 10).inserted);
  CHECK(!map.try_insert({1, {0, 0, 0}}, 11).inserted);
  CHECK_EQUAL(*map.find({1, {}}), 10);
  CHECK((*map.begin()).key.ignored[0] == 5); // the key of the insertion
}

struct even_or_odd {
  bool operator()(unsigned a, unsigned b) const { return a % 2 == b % 2; }
};
TEST("an equality may make the key of zero bits equal to others") {
  using map_type = insert_only_map<unsigned, int, thread_scope_system, one_slot, even_or_odd>;
  map_type const map(make<storage<map_type, 4>>(test_).slots, 4);
  CHECK(map.insert(4, 10) == map_insertion::inserted);
  CHECK(map.insert(0, 11) == map_insertion::present && *map.find(2) == 10);
  CHECK(map.insert(3, 12) == map_insertion::inserted && *map.find(1) == 12);
}

struct padded_key {
  char a;
  short b;
};
TEST("the default hash is the same on host and device, and ignores padding bits") {
  CHECK_EQUAL(value_hash()(1), 0xd8a7'7e52'8080'6164ull);
  CHECK_EQUAL(value_hash()(0x0000'0002'0000'0001ull), 0xc981'1a27'631e'8b5bull);
  struct two_parts {
    unsigned long long a, b;
  };
  CHECK_EQUAL(value_hash()(two_parts{1, 2}), 0x5205'c4ce'd3fc'5d69ull);
  struct with_padding {
    unsigned a;
    unsigned long long b;
    char c;
  };
  with_padding zeros, ones;
  __builtin_memset(&zeros, 0, sizeof(zeros));
  __builtin_memset(&ones, 0xff, sizeof(ones));
  zeros.a = ones.a = 1, zeros.b = ones.b = 2, zeros.c = ones.c = 3;
  CHECK_EQUAL(value_hash()(zeros), value_hash()(ones));
  CHECK(value_equal()(zeros, ones));
  ones.c = 4;
  CHECK(value_hash()(zeros) != value_hash()(ones));
  CHECK(!value_equal()(zeros, ones));
}

TEST("padding bits of a key are ignored") {
  for_each_value<8, 0>([&]<auto PackedBytes>() {
    using map_type = insert_only_map<padded_key, int, thread_scope_system, value_hash, value_equal, PackedBytes>;
    map_type const map(make<storage<map_type, 5>>(test_).slots, 5);
    auto const key = [](int padding, char a, short b) {
      padded_key made;
      __builtin_memset(&made, padding, sizeof(made));
      made.a = a, made.b = b;
      return made;
    };
    CHECK(map.try_insert(key(0x55, 1, 2), 1).inserted);
    CHECK(!map.try_insert(key(0xff, 1, 2), 2).inserted);
    CHECK(map.try_insert(key(0x55, 0, 0), 3).inserted); // the value bits are all 0
    CHECK(!map.try_insert(key(0xaa, 0, 0), 4).inserted);
    CHECK(*map.find(key(0, 1, 2)) == 1 && *map.find(key(1, 0, 0)) == 3);
    CHECK_EQUAL(map.size(), 2ull);
  });
}

TEST("a map of one possible key") {
  struct nothing {};
  struct still_nothing {
    nothing member;
  };
  for_each_type(types<nothing, still_nothing>(), [&]<class Key>() {
    using map_type = insert_only_map<Key, unsigned>;
    map_type const map(make<storage<map_type, 4>>(test_).slots, 4);
    CHECK(!map.contains(Key()));
    CHECK(map.insert(Key(), 0) == map_insertion::inserted);
    CHECK(map.insert(Key(), 1) == map_insertion::present);
    CHECK(map.size() == 1 && *map.find(Key()) == 0);
  });
}

TEST("floating-point keys are compared by representation: NaN equals itself, -0.0 differs from 0.0") {
  using map_type = insert_only_map<float, float>;
  map_type const map(make<storage<map_type, 6>>(test_).slots, 6);
  CHECK(map.insert(__builtin_nanf(""), 1) == map_insertion::inserted);
  CHECK(map.insert(__builtin_nanf(""), 1) == map_insertion::present);
  CHECK(map.insert(0.0f, 2) == map_insertion::inserted);
  CHECK(map.insert(-0.0f, 3) == map_insertion::inserted);
  CHECK(*map.find(0.0f) == 2 && *map.find(-0.0f) == 3);
}

TEST("pairs of 2 to 7 bytes are packed") {
  struct value {
    unsigned char of[3];
  };
  using smallest = insert_only_map<unsigned char, bool>;
  using seven = insert_only_map<unsigned, value>;
  using six = insert_only_map<unsigned short, float>;
  static_assert(smallest::is_packed && sizeof(smallest::slot) == 4 && seven::is_packed && six::is_packed);
  {
    smallest const map(make<storage<smallest, 40>>(test_).slots, 40);
    for (int key = 0; key < 39; ++key) CHECK(map.try_insert((unsigned char)(key * 6), key % 2 != 0).inserted);
    for (int key = 0; key < 39; ++key) CHECK(*map.find((unsigned char)(key * 6)) == (key % 2 != 0));
  }
  {
    seven const map(make<storage<seven, 5>>(test_).slots, 5);
    CHECK(map.try_insert(0xffffff00, value{{1, 2, 3}}).inserted);
    CHECK(map.find(0xffffff00)->of[2] == 3);
  }
  six const map(make<storage<six, 5>>(test_).slots, 5);
  CHECK(map.try_insert(0, -0.0f).inserted);
  CHECK_SAME(*map.find(0), -0.0f);
}

TEST("values that change: through atomic_ref, or of an atomic type") {
  using by_reference = insert_only_map<unsigned, unsigned, thread_scope_system, value_hash, value_equal, 0>;
  {
    by_reference const map(make<storage<by_reference, 3>>(test_).slots, 3);
    atomic_ref<unsigned>(*map.try_insert(5, 1u).value).fetch_add(2);
    CHECK_EQUAL(*map.find(5), 3u);
  }
  using of_atomics = insert_only_map<unsigned, atomic<unsigned>>;
  static_assert(!of_atomics::is_packed);
  of_atomics const map(make<storage<of_atomics, 3>>(test_).slots, 3);
  map.try_insert(5, 1u).value->fetch_add(2);
  CHECK_EQUAL(map.find(5)->load(), 3u);
}

TEST("clear by several threads makes all slots empty") {
  for_each_kind([&]<class Map>() {
    Map const map(make<storage<Map, 9>>(test_).slots, 9);
    for (unsigned key = 0; key < 8; ++key) map.insert(key, key);
    for (unsigned rank = 0; rank < 4; ++rank) map.clear(rank, 4);
    CHECK_EQUAL(map.size(), 0ull);
  });
}

// --- many threads ----------------------------------------------------------------------------------------------------

CONCURRENT_TEST("one thread inserts a key, and all threads get its value: packed, block",
                same_keys<packed, thread_scope_block>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: packed, block",
                own_keys<packed, thread_scope_block>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: packed, device",
                same_keys<packed, thread_scope_device>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: packed, device",
                own_keys<packed, thread_scope_device>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: packed, system",
                same_keys<packed, thread_scope_system>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: packed, system",
                own_keys<packed, thread_scope_system>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: packed, all keys collide",
                same_keys<colliding_packed, thread_scope_device>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: packed, all keys collide",
                own_keys<colliding_packed, thread_scope_device>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: separate, block",
                same_keys<separate, thread_scope_block>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: separate, block",
                own_keys<separate, thread_scope_block>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: separate, cluster",
                same_keys<separate, thread_scope_cluster>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: separate, cluster",
                own_keys<separate, thread_scope_cluster>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: separate, device",
                same_keys<separate, thread_scope_device>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: separate, device",
                own_keys<separate, thread_scope_device>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: large keys, system",
                same_keys<large, thread_scope_system>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: large keys, system",
                own_keys<large, thread_scope_system>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: large keys, all collide",
                same_keys<colliding_large, thread_scope_device>)
CONCURRENT_TEST("a thread that finds a key sees what was written before its insertion: large keys, all collide",
                own_keys<colliding_large, thread_scope_device>)
CONCURRENT_TEST("one thread inserts a key, and all threads get its value: thread scope means the block",
                same_keys<packed, thread_scope_block, thread_scope_thread>)
CONCURRENT_TEST("every slot is used, and a full map says so: packed", too_many_keys<packed, thread_scope_device>)
CONCURRENT_TEST("every slot is used, and a full map says so: separate", too_many_keys<separate, thread_scope_device>)

/// Every thread counts the keys that it inserts, in values that are atomic.
template <thread_scope Scope> struct counts {
  static constexpr thread_scope scope = Scope;
  static constexpr unsigned keys = 7, rounds = 20;
  using map = insert_only_map<unsigned, atomic<unsigned, Scope>, Scope>;
  typename map::slot of[11];

  void run(worker me, context& test_) {
    map const entries(of, 11);
    for (unsigned i = 0; i < keys * rounds; ++i) {
      auto const [value, is_new] = entries.try_insert((i + me.rank) % keys, 0u);
      CHECK(value != nullptr);
      value->fetch_add(1, memory_order_relaxed);
    }
  }
  void verify(unsigned threads, context& test_) {
    map const entries(of, 11);
    CHECK_EQUAL(entries.size(), keys + 0ull);
    for (unsigned key = 0; key < keys; ++key) CHECK_EQUAL(entries.find(key)->load(), threads * rounds);
  }
};
CONCURRENT_TEST("values of an atomic type change: block", counts<thread_scope_block>)
CONCURRENT_TEST("values of an atomic type change: device", counts<thread_scope_device>)
CONCURRENT_TEST("values of an atomic type change: system", counts<thread_scope_system>)

TESTS_END
