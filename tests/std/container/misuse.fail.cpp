// SPDX-License-Identifier: Apache-2.0
//
// Misuse of insert_only_map that can be detected at compile time is rejected.
import cudax.sync;

using namespace cudax;

struct owner {
  int* memory;
  owner(owner const&);
  ~owner();
};
struct may_throw {
  int value;
  may_throw(int value) noexcept(false) : value(value) {}
};

// expected-error@*:* {{cudax.sync: insert_only_map<Key, Value>: Key must be trivially copyable, since threads of host and devices read it; use a pointer or an index as the key}}
static_assert(sizeof(insert_only_map<owner, int>) != 0);
// expected-error@*:* {{cudax.sync: insert_only_map<Key, Value>: the map destroys no value, so the destructor of Value must be trivial; use a pointer or an index as the value}}
static_assert(sizeof(insert_only_map<int, owner>) != 0);
// expected-error@*:* {{cudax.sync: insert_only_map<Key, Value>: Key and Value must not be const, volatile or references}}
static_assert(sizeof(insert_only_map<int, int const>) != 0);
// expected-error@*:* {{cudax.sync: insert_only_map: PackedBytes must be 0, 8 or 16}}
static_assert(sizeof(insert_only_map<int, int, thread_scope_system, value_hash, value_equal, 12>) != 0);
// expected-error@*:* {{cudax.sync: insert_only_map<Key, Value, Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
static_assert(sizeof(insert_only_map<int, int, thread_scope(7)>) != 0);

using map = insert_only_map<int, int>;
using unpacked = insert_only_map<int, int, thread_scope_system, value_hash, value_equal, 0>;

void counts(map::slot* slots, unpacked::slot* others) {
  // expected-error@+1 {{cudax.sync: insert_only_map: the array has no slot for a key; use 1 slot or more, or 2 for a packed map}}
  (void)map(slots, 0);
  // expected-error@+1 {{cudax.sync: insert_only_map: the array has no slot for a key; use 1 slot or more, or 2 for a packed map}}
  (void)map(slots, 1);
  (void)map(slots, 2);
  // expected-error@+1 {{cudax.sync: insert_only_map: the array has no slot for a key; use 1 slot or more, or 2 for a packed map}}
  (void)unpacked(others, 0);
  (void)unpacked(others, 1);
}

// Like std::memory_order.
enum class standard_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };

void orders(map const& entries) {
  // expected-error@+1 {{cudax.sync: insert_only_map: an insertion cannot be sequentially consistent; use relaxed, release, acquire or acq_rel}}
  entries.insert(1, 2, memory_order_seq_cst);
  // expected-error@+1 {{cudax.sync: insert_only_map: an insertion cannot be sequentially consistent; use relaxed, release, acquire or acq_rel}}
  entries.try_insert(1, 2, memory_order_seq_cst);
  // expected-error@+1 {{cudax.sync: insert_only_map: a search only loads, and cannot be sequentially consistent; use relaxed or acquire}}
  (void)entries.find(1, memory_order_seq_cst);
  // expected-error@+1 {{cudax.sync: insert_only_map: a search only loads, and cannot be sequentially consistent; use relaxed or acquire}}
  (void)entries.contains(1, memory_order_release);
  // expected-error@+1 {{cudax.sync: insert_only_map: an insertion cannot be sequentially consistent; use relaxed, release, acquire or acq_rel}}
  entries.insert(1, 2, standard_order::seq_cst);
  // expected-error@+1 {{cudax.sync: insert_only_map: a search only loads, and cannot be sequentially consistent; use relaxed or acquire}}
  (void)entries.find(1, standard_order::acq_rel);
}

void values(map const& entries,
            insert_only_map<int, may_throw, thread_scope_system, value_hash, value_equal, 0> const& others) {
  // expected-error@+1 {{read-only variable is not assignable}}
  *entries.find(1) = 2;
  // expected-error@*:* {{cudax.sync: insert_only_map: making the Value may throw; other threads would wait indefinitely for a slot that is reserved for it}}
  others.insert(1, 2);
  // expected-error@*:* {{cudax.sync: insert_only_map: Value cannot be made from the initial value}}
  entries.insert(1, "text");
}
