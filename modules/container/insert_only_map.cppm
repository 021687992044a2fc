// SPDX-License-Identifier: Apache-2.0
//
// insert_only_map: a hash table that threads of host and devices fill and search at the same time.
// Open addressing: a key is in the first slot of its search order that no other key has taken. Keys are never removed,
// so a search ends at the first empty slot. The map is a view: the program provides an array of slots, and bytes that
// are all 0 are an empty slot. There are two kinds of slots:
//
//   packed_slots    key and value share a word. An insertion is a load and one compare-and-swap, and no thread ever
//                   waits. For pairs that fit in a word, whose values do not change, with the default equality
//   separate_slots  a state beside key and value, for all others
//
// The hash of the program may be weak (the identity, for instance): the map mixes its bits.
module;
#include "../base/macros.hpp"
export module cudax.sync:insert_only_map;
import :bits;
import :machine;
import :order;
import :packed_slots;
import :scope;
import :separate_slots;
import :value_hash;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::container_detail {
using namespace machine;

/// The order of an operation of the map. A search is several loads: a sequentially consistent one would need a fence
/// that no program of this kind needs.
struct insertion_order {
  memory_order value;

  constexpr insertion_order(memory_order order) noexcept
      CUDAX_REFUSE(order == memory_order::seq_cst || !exists(order),
                   "insert_only_map: an insertion cannot be sequentially consistent; use relaxed, release, acquire or "
                   "acq_rel")
    : value(order) {}
  template <standard_memory_order E>
  constexpr insertion_order(E order) noexcept
      CUDAX_REFUSE(order == E::seq_cst, "insert_only_map: an insertion cannot be sequentially consistent; use relaxed, "
                                        "release, acquire or acq_rel")
    : value(memory_order(int(order))) {}
};
struct search_order {
  memory_order value;

  constexpr search_order(memory_order order) noexcept
      CUDAX_REFUSE(order == memory_order::seq_cst || !allowed_in_load(order),
                   "insert_only_map: a search only loads, and cannot be sequentially consistent; use relaxed or "
                   "acquire")
    : value(order) {}
  template <standard_memory_order E>
  constexpr search_order(E order) noexcept
      CUDAX_REFUSE(order == E::seq_cst || forbidden_in_load(int(order)),
                   "insert_only_map: a search only loads, and cannot be sequentially consistent; use relaxed or "
                   "acquire")
    : value(memory_order(int(order))) {}
};

// These check an order that is known only at run time. For a constant order the checks fold.
inline void ensure_insertion_order(memory_order order) noexcept {
  if (order == memory_order::seq_cst || !exists(order))
    stop("cudax.sync: insert_only_map: memory order %lld is not allowed in an insertion; use relaxed, release, acquire "
         "or acq_rel\n",
         int(order));
}
inline void ensure_search_order(memory_order order) noexcept {
  if (order == memory_order::seq_cst || !allowed_in_load(order))
    stop("cudax.sync: insert_only_map: memory order %lld is not allowed in a search; use relaxed or acquire\n",
         int(order));
}

/// Chooses the kind of slots: packed if there is a word.
template <class Key, class Value, thread_scope S, size_t WordSize>
struct slots_type {
  using type = packed_slots<Key, Value, S, WordSize>;
};
template <class Key, class Value, thread_scope S>
struct slots_type<Key, Value, S, 0> {
  using type = separate_slots<Key, Value, S>;
};

template <class Hash, class Key>
u64 hash_with(Hash const& hash, Key const& key) {
  if constexpr (same_as<Hash, value_hash>) return hash(key); // is mixed
  else return mix(u64(hash(key)));
}

} // namespace cudax::container_detail

export namespace cudax {

/// What insert_only_map::insert did.
enum class map_insertion {
  inserted, ///< the map did not contain the key, and does now
  present,  ///< the map contained the key; the value is unchanged
  full,     ///< the map does not contain the key, and has no empty slot for it
};

/// A map that threads fill and search at the same time, and that forgets nothing. The object is a view of an array of
/// slots that the program provides; it can be copied freely, also as a kernel parameter.
///
/// A map is packed if a struct of a Key and a Value has at most PackedBytes bytes, and Equal is value_equal. Then the
/// pair is one word: an insertion is one read-modify-write, and no thread waits. A value does not change after its
/// insertion, so mapped_type is const. With PackedBytes 16, insertions into slots of 16 bytes require sm_90; a device
/// link for an older SM fails.
///
/// In other maps values may change. The program accesses a value that changes by atomic_ref, or Value is an atomic. For
/// a map that is never packed, use 0 as PackedBytes or an atomic as Value.
/// Source:   extension; the members of the map in the talk "The CUDA C++ Standard Library" by O. Giroux and B. A. Lelbach
/// Scope:    Scope, where thread_scope_thread means the block; threads outside Scope must not use the map. A map that
///           host and device fill at the same time needs memory that is atomic between host and device. In other memory
///           one side may insert while the other searches
/// Requires: Key is trivially copyable. Value is trivially copyable, or its destructor is trivial and it is constructed
///           from the initial value without an exception. Equal keys have equal hashes. Hash is a function object that
///           returns an integer; several threads call Hash and Equal at the same time
/// Example:
///     struct word_counts { // one key for each number that occurs; slots of device memory, set to 0 by cudaMemset
///       using map = cudax::insert_only_map<unsigned, cudax::atomic<unsigned>>;
///       map counts;
///       __device__ void add(unsigned number) const {
///         if (auto const [count, inserted] = counts.try_insert(number, 0u); count) ++*count;
///       }
///     };
template <class Key, class Value, thread_scope Named = thread_scope_system, class Hash = value_hash,
          class Equal = value_equal, size_t PackedBytes = 8>
class insert_only_map {
  CUDAX_ENSURE_SCOPE(Named, "insert_only_map<Key, Value, Scope>");
  static_assert(PackedBytes == 0 || PackedBytes == 8 || PackedBytes == 16,
                "cudax.sync: insert_only_map: PackedBytes must be 0, 8 or 16");
  static_assert(same_as<Key, remove_cv<Key>> && same_as<Value, remove_cv<Value>>,
                "cudax.sync: insert_only_map<Key, Value>: Key and Value must not be const, volatile or references");
  static_assert(container_detail::copied_by_bytes<Key>,
                "cudax.sync: insert_only_map<Key, Value>: Key must be trivially copyable, since threads of host and "
                "devices read it; use a pointer or an index as the key");
  static_assert(__is_trivially_destructible(Value),
                "cudax.sync: insert_only_map<Key, Value>: the map destroys no value, so the destructor of Value must "
                "be trivial; use a pointer or an index as the value");

  static constexpr thread_scope Scope = scope_among_threads(Named);
  static constexpr size_t word_size =
      same_as<Equal, value_equal> ? container_detail::packed_size<Key, Value>(PackedBytes) : 0;
  using slots_of = typename container_detail::slots_type<Key, Value, Scope, word_size>::type;

public:
  using key_type = Key;
  /// Whether key and value share a word. Then values do not change.
  static constexpr bool is_packed = word_size != 0;
  /// Value, const if the map is packed.
  using mapped_type = choose<is_packed, Value const, Value>;
  /// A slot of the array; it is empty if all of its bytes are 0.
  using slot = typename slots_of::slot;

  /// The result of try_insert. `value` is the address of the key's value; null if the map is full.
  struct insertion {
    mapped_type* value;
    bool inserted; ///< by this call
  };

  /// What an iterator refers to.
  struct entry {
    Key key;
    mapped_type& value;
  };

  /// Makes a view of an array of `count` slots. All slots are empty (value-initialized, set to 0 by cudaMemset, or
  /// after clear()), or filled by maps of this type. A packed map has one slot less for its keys: see capacity(). A
  /// device searches slots of 8 bytes four at a time if the array is aligned to 32 bytes, as what cudaMalloc returns.
  /// Requires: `slots` is not null, and is aligned to alignof(slot); `count` is at least 1, or 2 for a packed map; all
  ///           views of the array have the same count, and an equivalent hash and equality
  /// Errors:   checked builds stop if a requirement is violated
  /// Example:
  ///     using map = cudax::insert_only_map<unsigned, unsigned>;
  ///     unsigned long long const count = map::slots_for(1000);
  ///     void* memory = nullptr;
  ///     cudaMalloc(&memory, count * sizeof(map::slot));
  ///     cudaMemset(memory, 0, count * sizeof(map::slot)); // all slots are empty
  ///     map const positions(static_cast<map::slot*>(memory), count);
  constexpr insert_only_map(slot* slots, u64 count, Hash hash = Hash(), Equal equal = Equal()) noexcept
      CUDAX_REFUSE(count <= slots_of::extra,
                   "insert_only_map: the array has no slot for a key; use 1 slot or more, or 2 for a packed map")
    : slots_(slots), capacity_(count - slots_of::extra), hash_(hash), equal_(equal) {
    if (__builtin_is_constant_evaluated()) return;
    CUDAX_ENSURE(slots != nullptr, "insert_only_map: the array of %lld slots is null; check its allocation",
                 (long long)count);
    CUDAX_ENSURE(machine::checked_address(slots) % alignof(slot) == 0,
                 "insert_only_map: the array at address 0x%llx is not aligned to alignof(insert_only_map::slot)",
                 (long long)slots);
    CUDAX_ENSURE(
        count > slots_of::extra,
        "insert_only_map: an array of %lld slots has none for a key; use 1 slot or more, or 2 for a packed map",
        (long long)count);
  }

  /// Returns how many slots to allocate for a number of keys: twice as many, so that searches are short. With fewer
  /// slots the map uses less memory and takes longer.
  static constexpr u64 slots_for(u64 keys) noexcept { return (keys == 0 ? 1 : 2 * keys) + slots_of::extra; }

  /// Returns a number of keys for which there is always room. A packed map may contain one key more: the key whose bits
  /// are all 0 has a slot of its own.
  constexpr u64 capacity() const noexcept { return capacity_; }

  /// Inserts the key with a value made from `initial` if the map does not contain the key. Returns the address of the
  /// key's value, which the map contained or has now, and whether this call inserted it. If many threads insert one key
  /// at the same time, one of them inserts, and all get the same address.
  /// A map that is not packed: the call waits while another thread inserts a key with the same hash.
  /// Order:    acq_rel: what the inserting thread did before happens before the return of every other call that returns
  ///           the address. With relaxed, a packed map only inserts: a program that reads a value which another thread
  ///           inserted synchronizes by other means, such as the end of the kernel. Maps that are not packed always use
  ///           acq_rel
  /// Errors:   a null address if the map is full; such a call has visited every slot
  template <class Initial = Value>
  insertion try_insert(Key const& key, Initial const& initial = Initial(),
                       container_detail::insertion_order order = memory_order::acq_rel) const {
    auto const [at, inserted] = place(key, initial, order.value);
    return {at ? slots_of::value(at) : nullptr, inserted};
  }

  /// As try_insert, without the address.
  /// Order:    release if it inserts, none otherwise; pairs with the acquire of try_insert, find and contains
  /// Errors:   map_insertion::full
  /// Example:
  ///     __global__ void fill(cudax::insert_only_map<unsigned, unsigned> positions, unsigned const* keys) {
  ///       unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  ///       positions.insert(keys[i], i, cudax::memory_order_relaxed); // another kernel reads the values
  ///     }
  template <class Initial = Value>
  map_insertion insert(Key const& key, Initial const& initial = Initial(),
                       container_detail::insertion_order order = memory_order::release) const {
    auto const [at, inserted] = place(key, initial, order.value);
    return inserted ? map_insertion::inserted : at ? map_insertion::present : map_insertion::full;
  }

  /// Returns the address of the key's value; null if the map does not contain the key. Never waits: a key whose
  /// insertion is not complete is absent.
  /// Order:    acquire if it finds the key; pairs with the release of its insertion. With relaxed, a program that reads
  ///           the value in a packed map synchronizes by other means. Maps that are not packed always use acquire
  mapped_type* find(Key const& key, container_detail::search_order order = memory_order::acquire) const {
    slot* const at = search(key, nullptr, order.value);
    return at ? slots_of::value(at) : nullptr;
  }

  /// As above, and copies the value to `value` if the map contains the key. In a packed map it is the value even with
  /// relaxed, and no second access to memory.
  /// Requires: no thread changes the value during the call
  bool find(Key const& key, Value& value, container_detail::search_order order = memory_order::acquire) const
    requires(__is_assignable(Value&, Value const&))
  {
    return search(key, __builtin_addressof(value), order.value) != nullptr;
  }

  /// Returns whether the map contains the key.
  /// Order:    as find
  bool contains(Key const& key, container_detail::search_order order = memory_order::acquire) const {
    return find(key, order) != nullptr;
  }

  // --- the whole map -----------------------------------------------------------------------------------------------

  /// Visits the filled slots, in no particular order: `for (auto [key, value] : map)`. Threads may insert at the same
  /// time; a key that is inserted during the iteration may be visited or not.
  /// Order:    acquire for each key that it visits
  class iterator {
  public:
    using value_type = entry;
    using difference_type = ptrdiff_t;

    entry operator*() const noexcept { return {slots_of::key(slots_, at_, capacity_), *slots_of::value(slots_ + at_)}; }
    iterator& operator++() noexcept {
      ++at_;
      return pass_empty_slots();
    }
    iterator operator++(int) noexcept {
      iterator const before = *this;
      ++*this;
      return before;
    }
    bool operator==(iterator const& other) const noexcept { return at_ == other.at_; }

  private:
    friend class insert_only_map;
    iterator(slot* slots, u64 at, u64 capacity) noexcept : slots_(slots), at_(at), capacity_(capacity) {
      pass_empty_slots();
    }
    /// Nothing is read of an empty slot, so only the filled slot is acquired.
    iterator& pass_empty_slots() noexcept {
      for (u64 const last = capacity_ + slots_of::extra; at_ < last; ++at_) {
        if (!slots_of::is_filled(slots_, at_)) continue;
        slots_of::acquire_filled(slots_, at_);
        break;
      }
      return *this;
    }

    slot* slots_;
    u64 at_, capacity_;
  };

  iterator begin() const noexcept { return iterator(slots_, 0, capacity_); }
  iterator end() const noexcept { return iterator(slots_, capacity_ + slots_of::extra, capacity_); }

  /// Returns the number of keys. Loads every slot. If threads insert at the same time, it is a number between those
  /// before and after the call.
  /// Order:    relaxed: no key and no value is read
  u64 size() const noexcept {
    u64 count = 0;
    for (u64 at = 0; at < capacity_ + slots_of::extra; ++at) count += slots_of::is_filled(slots_, at);
    return count;
  }

  /// Makes every slot empty, or the part of one of several threads: thread number `rank`, from 0, of `threads`.
  /// Order:    none: the threads that use the map synchronize with the caller by other means, such as the end of the
  ///           kernel
  /// Requires: no other thread uses the map during the calls
  void clear(u64 rank = 0, u64 threads = 1) const noexcept {
    for (u64 at = rank; at < capacity_ + slots_of::extra; at += threads) slots_of::clear(slots_ + at);
  }

private:
  template <class Initial>
  container_detail::place<slot> place(Key const& key, Initial const& initial, memory_order order) const {
    constexpr bool can_be_made = requires { static_cast<Value>(initial); };
    static_assert(can_be_made, "cudax.sync: insert_only_map: Value cannot be made from the initial value");
    if constexpr (can_be_made) {
      static_assert(noexcept(static_cast<Value>(initial)),
                    "cudax.sync: insert_only_map: making the Value may throw; other threads would wait indefinitely "
                    "for a slot that is reserved for it");
      container_detail::ensure_insertion_order(order);
      u64 const hash = container_detail::hash_with(hash_, key);
      if constexpr (is_packed)
        return slots_of::insert(slots_, capacity_, key, hash, static_cast<Value>(initial), equal_, order);
      else return slots_of::insert(slots_, capacity_, key, hash, initial, equal_, order);
    }
  }
  slot* search(Key const& key, Value* copy, memory_order order) const {
    container_detail::ensure_search_order(order);
    return slots_of::find(slots_, capacity_, key, container_detail::hash_with(hash_, key), copy, equal_, order);
  }

  slot* slots_;
  u64 capacity_;
  [[no_unique_address]] Hash hash_;
  [[no_unique_address]] Equal equal_;
};

} // namespace cudax

CUDAX_EVERYWHERE_END
