// SPDX-License-Identifier: Apache-2.0
//
// The interface of insert_only_map.
import cudax.sync;

using namespace cudax;

struct three_words {
  unsigned at[3];
};
struct weak_hash {
  int operator()(three_words const& key) const { return int(key.at[0]); }
};
struct first_word {
  bool operator()(three_words const& a, three_words const& b) const { return a.at[0] == b.at[0]; }
};

// Pairs that fit in a word are packed, and their values do not change.
using packed = insert_only_map<unsigned, float>;
static_assert(packed::is_packed && sizeof(packed::slot) == 8 && alignof(packed::slot) == 8);
static_assert(__is_same(packed::key_type, unsigned) && __is_same(packed::mapped_type, float const));
static_assert(sizeof(insert_only_map<char, char>::slot) == 4);
static_assert(insert_only_map<void*, char>::is_packed == false);
using wide = insert_only_map<void*, unsigned, thread_scope_device, value_hash, value_equal, 16>;
static_assert(wide::is_packed && sizeof(wide::slot) == 16 && alignof(wide::slot) == 16);

// Others are not: larger ones, those with an equality of their own, values that change.
using large = insert_only_map<three_words, unsigned, thread_scope_system, weak_hash, first_word>;
using changing = insert_only_map<unsigned, unsigned, thread_scope_system, value_hash, value_equal, 0>;
using counters = insert_only_map<unsigned, atomic<unsigned>>;
static_assert(!large::is_packed && __is_same(large::mapped_type, unsigned) && sizeof(large::slot) == 20);
static_assert(!changing::is_packed && __is_same(changing::mapped_type, unsigned) && sizeof(changing::slot) == 12);
static_assert(!counters::is_packed && __is_same(counters::mapped_type, atomic<unsigned>));

// The storage: plain bytes, which can be in shared memory and cleared by cudaMemset.
static_assert(__is_trivial(packed::slot) && __is_trivial(large::slot) && __is_trivial(counters::slot));
// The map: a view that can be a kernel parameter.
static_assert(__is_trivially_copyable(packed) && sizeof(packed) == 16 && sizeof(large) == 16);
static_assert(!__is_constructible(packed) && !__is_constructible(packed, packed::slot*));

static_assert(packed::slots_for(10) == 21 && changing::slots_for(10) == 20 && packed::slots_for(0) == 2);
static_assert(packed(nullptr, 5).capacity() == 4 && changing(nullptr, 5).capacity() == 5);

// Like std::memory_order.
enum class standard_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };

// Named and called in host and in device code.
inline void uses(packed const& map, large const& other, counters const& counts) {
  auto const [value, inserted] = map.try_insert(1, 2.0f);
  static_assert(__is_same(decltype(value), float const* const) && __is_same(decltype(inserted), bool const));
  static_assert(__is_same(decltype(map.insert(1, 2.0f)), map_insertion));
  (void)map.try_insert(1);
  (void)map.try_insert(1, 2, memory_order_relaxed); // converts to the value
  (void)map.insert(1, 2.0f, memory_order_relaxed);
  float copy = *map.find(1);
  (void)map.find(1, memory_order_relaxed);
  (void)map.find(1, copy);
  (void)map.find(1, copy, memory_order_relaxed);
  (void)map.contains(1, memory_order_relaxed);
  (void)map.insert(1, 2.0f, standard_order::release);
  (void)map.find(1, standard_order::acquire);
  for (auto [key, found] : map) copy += float(key) + found;
  map.clear();
  (void)(map.begin() != map.end());
  unsigned& changes = *other.try_insert({{1, 2, 3}}, 5u).value;
  atomic_ref<unsigned>(changes).store_min(4);
  counts.try_insert(1, 0u).value->fetch_add(1);
}

template <class Map>
concept copies_values =
    requires(Map map, typename Map::key_type key, counters::mapped_type& value) { map.find(key, value); };
static_assert(!copies_values<counters>);
static_assert(__is_same(decltype(value_hash()(1)), unsigned long long) && __is_empty(value_hash));
static_assert(__is_same(decltype(value_equal()(1, 1)), bool) && __is_empty(value_equal));
