// SPDX-License-Identifier: Apache-2.0
//
// packed_slots: the slots of an insert_only_map whose keys and values share a word of 4, 8 or 16 bytes.
//
// A slot is empty if its word is 0. An insertion is one compare-and-swap of the word from 0 to key and value; after
// that the word never changes. So a thread that reads a key reads its value with it, and no slot is ever half full.
//
// A search is linear probing that begins at the first of four slots of 8 bytes, a sector of 32 bytes, which is what a
// GPU fetches from memory at once. A device loads the four together and takes the first empty one. That is the order in
// which the host visits them: a slot is tried only after all before it were seen with other keys, which they then keep.
// So a key is in one slot at most, and a search may end at an empty slot. On an H100 that made insertions
// of distinct keys 1.08 (relaxed: 16.5 to 17.8 Gop/s) to 1.11 times as fast (acq_rel), and those of 16 of each key 1.07
// and 1.06 times (tools/bench, tables of 64 MB, half full at the end). By hand, one relaxed load of a random slot, and
// a compare-and-swap if it is empty, are at most 19.2 and 48.9 Gop/s there; the map has 17.8 and 47.0.
//
// No key and no value is reserved. A word is 0 only if the bits of its key are, and the key whose bits are all 0 has a
// slot of its own, after the table. The table does not contain this key, so a word of the table is 0 only if the slot
// is empty. In the slot of its own the key is stored as bits that are all 1. Which key has bits that are all 0 must not
// depend on an equality that the program defines. So packed slots compare value representations (value_equal) only.
//
// Memory orders. The word is accessed as a whole only: loads and compare-and-swaps of one size. PTX promises nothing
// for a race of accesses of two sizes. Therefore the value must not change while other threads load the word, and
// programs get it as a const object. A program that reads the value at its address reads a part of the word. This read
// is no race: the read happens after the write of the word, which is the thread's own, or was acquired by the operation
// that returned the address. That acquire pairs with the release of the compare-and-swap that wrote the word. No other
// write follows. A compare-and-swap
// of another thread may follow, if that thread has seen the slot empty: it fails, and so does not write.
module;
#include "../base/macros.hpp"
export module cudax.sync:packed_slots;
import :bits;
import :machine;
import :order;
import :scope;
import :value_hash;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::container_detail {
using namespace machine;

/// Where an operation ended. `at` is null if there was no slot: the key is absent, or the map is full.
template <class Slot>
struct place {
  Slot* at;
  bool inserted;
};

template <class Key, class Value>
struct pair {
  Key key;
  Value value;
};

/// Whether the bytes of a T can be copied in place of the T. An atomic is trivially copyable, but has no copy.
template <class T>
concept copied_by_bytes = __is_trivially_copyable(T) && __is_constructible(T, T const&);

/// The size of the word for a pair; 0 if the pair does not fit in `most` bytes.
template <class Key, class Value>
constexpr size_t packed_size(size_t most) noexcept {
  if constexpr (copied_by_bytes<Key> && copied_by_bytes<Value>) {
    constexpr size_t size = sizeof(pair<Key, Value>);
    constexpr size_t word = size <= 4 ? 4 : size <= 8 ? 8 : 16;
    return size <= word && word <= most ? word : 0;
  } else {
    return 0;
  }
}

constexpr bool acquires(memory_order order) noexcept {
  return order != memory_order::relaxed && order != memory_order::release;
}
constexpr bool releases(memory_order order) noexcept {
  return order == memory_order::release || order == memory_order::acq_rel || order == memory_order::seq_cst;
}

/// Visits the slots of a table in the order of a search: from `index` to the end, then from the beginning.
struct search {
  u64 index, left, capacity;

  /// Begins where the hash says: it is the numerator of a fraction of 2^64, and so its upper bits decide.
  static inline search of(u64 hash, u64 capacity) noexcept {
    return {u64(u128(hash) * capacity >> 64), capacity, capacity};
  }

  /// Begins at a multiple of `count` instead.
  inline void align(u64 count) noexcept { index -= index % count; }
  /// Whether the next `count` slots are next to each other.
  inline bool has(u64 count) const noexcept { return index + count <= capacity; }

  inline void advance(u64 count = 1) noexcept {
    index += count;
    if (index == capacity) index = 0;
    left -= count;
  }
};

template <class Key, class Value, thread_scope S, size_t Size>
struct packed_slots {
  using word = typename word_type<Size>::type;

  /// All bytes zero: empty. The class is an aggregate without initializers, so that arrays of it can be in shared
  /// memory, and value-initialization makes it empty.
  struct slot {
    alignas(word) unsigned char bytes[Size];
  };
  /// Slots after the table.
  static constexpr u64 extra = 1;

  /// The bits of a word that hold the key's value.
  static word key_mask() noexcept {
    word mask = 0;
    if constexpr (padded<Key>) {
      auto const of_value = value_mask<Key>();
      __builtin_memcpy(&mask, &of_value, sizeof(Key));
    } else {
      __builtin_memset(&mask, 0xff, sizeof(Key));
    }
    return mask;
  }
  static word bits_of(Key const& key) noexcept {
    word bits = 0;
    __builtin_memcpy(&bits, __builtin_addressof(key), sizeof(Key));
    return bits & key_mask();
  }

  /// The number of slots that a device loads together, where the table is aligned to 32 bytes.
  static constexpr unsigned sector_slots = Size == 8 ? 4 : 1;
  static bool has_sectors(slot* slots) noexcept {
    return traits::loads_sectors && sector_slots != 1 && u64(slots) % 32 == 0;
  }

  static constexpr size_t value_offset = __builtin_offsetof(pair<Key, Value>, value);

  static Value const* value(slot* at) noexcept { return (Value const*)(at->bytes + value_offset); }

  /// A key, as words contain it, and the slots in which it can be.
  struct sought {
    word key;
    search where;

    sought(Key const& sought_key, u64 hash, u64 capacity) noexcept
      : key(bits_of(sought_key)), where(search::of(hash, capacity)) {
      where.align(sector_slots);
      if (key != 0) return;
      __builtin_memset(&key, 0xff, sizeof(Key));
      where = {capacity, 1, capacity};
    }
    /// A key may have no bits at all, as an object of an empty class. For all others the second condition folds.
    bool is_in(word seen) const noexcept { return ((seen ^ key) & key_mask()) == 0 && (key_mask() != 0 || seen != 0); }
  };

  /// The words of a sector's slots, each by a relaxed load: what they say is as in insert() and find() below.
  struct sector {
    word words[sector_slots];

    explicit sector(slot const* at) noexcept {
      if constexpr (sector_slots == 4) {
        u128 const low = load_two<S>((u64 const*)at), high = load_two<S>((u64 const*)(at + 2));
        words[0] = u64(low), words[1] = u64(low >> 64), words[2] = u64(high), words[3] = u64(high >> 64);
      }
    }
    // Branches would cost as much as the loads that the sector saves, so these select. An index of sector_slots: none.
    unsigned of(sought const& wanted) const noexcept {
      unsigned found = sector_slots;
#pragma unroll
      for (unsigned each = 0; each < sector_slots; ++each) found = wanted.is_in(words[each]) ? each : found;
      return found;
    }
    unsigned first_empty() const noexcept {
      unsigned found = sector_slots;
#pragma unroll
      for (unsigned each = sector_slots; each-- > 0;) found = words[each] == 0 ? each : found;
      return found;
    }
    word at(unsigned index) const noexcept {
      word seen = 0;
#pragma unroll
      for (unsigned each = 0; each < sector_slots; ++each) seen = each == index ? words[each] : seen;
      return seen;
    }
  };

  /// Returns the slot of the key; it is filled with `initial` if the key was absent.
  template <class Equal>
  static place<slot> insert(slot* slots, u64 capacity, Key const& key, u64 hash, Value const& initial, Equal const&,
                            memory_order order) noexcept {
    [[maybe_unused]] unrecorded_accesses const of_words;
    sought wanted(key, hash, capacity);
    word desired = wanted.key;
    __builtin_memcpy((char*)&desired + value_offset, __builtin_addressof(initial), sizeof(Value));
    // Release: pairs with the upgrade to acquire in present() and in find(). On failure relaxed: if the word holds the key,
    // the upgrade follows.
    auto const fill = [&](slot* at, word& seen) {
      return compare_exchange<S, word>(
          at, seen, desired, releases(order) ? memory_order::release : memory_order::relaxed, memory_order::relaxed);
    };
    // Pairs with the release of the compare-and-swap that filled the slot. No write follows that one.
    auto const present = [&](slot* at) -> place<slot> {
      if (acquires(order)) upgrade_to_acquire<S, word>(at);
      return {at, false};
    };
    bool const by_sectors = has_sectors(slots);
    while (wanted.where.left != 0) {
      slot* const at = slots + wanted.where.index;
      if (by_sectors && wanted.where.has(sector_slots)) {
        sector const words(at);
        if (unsigned const found = words.of(wanted); found != sector_slots) return present(at + found);
        if (unsigned const empty = words.first_empty(); empty != sector_slots) {
          word seen = 0;
          if (fill(at + empty, seen)) return {at + empty, true};
          // Another thread has filled the slot, maybe with this key: the next round loads what the attempt saw, or
          // newer.
        } else {
          wanted.where.advance(sector_slots);
        }
        continue;
      }
      // Relaxed: it only tells whether the slot is worth a compare-and-swap, and whether the key is here.
      word seen = load<S, word>(at, memory_order::relaxed);
      if (seen == 0 && fill(at, seen)) return {at, true};
      if (wanted.is_in(seen)) return present(at);
      wanted.where.advance();
    }
    return {nullptr, false};
  }

  /// Returns the slot of the key; `*copy`, unless null, becomes its value.
  template <class Equal>
  static slot* find(slot* slots, u64 capacity, Key const& key, u64 hash, Value* copy, Equal const&,
                    memory_order order) noexcept {
    [[maybe_unused]] unrecorded_accesses const of_words;
    sought wanted(key, hash, capacity);
    auto const present = [&](slot* at, word seen) {
      if (acquires(order)) upgrade_to_acquire<S, word>(at); // pairs with the compare-and-swap in insert()
      if (copy) __builtin_memcpy(copy, (char const*)&seen + value_offset, sizeof(Value));
      return at;
    };
    bool const by_sectors = has_sectors(slots);
    while (wanted.where.left != 0) {
      slot* const at = slots + wanted.where.index;
      if (by_sectors && wanted.where.has(sector_slots)) {
        sector const seen(at);
        unsigned const found = seen.of(wanted);
        if (found != sector_slots) return present(at + found, seen.at(found));
        if (seen.first_empty() != sector_slots) return nullptr;
        wanted.where.advance(sector_slots);
        continue;
      }
      word const seen = load<S, word>(at, memory_order::relaxed);
      if (wanted.is_in(seen)) return present(at, seen);
      if (seen == 0) return nullptr;
      wanted.where.advance();
    }
    return nullptr;
  }

  /// Whether the slot at `index` is filled, by a relaxed load.
  static bool is_filled(slot* slots, u64 index) noexcept {
    return load<S, word>(slots + index, memory_order::relaxed) != 0;
  }
  /// Acquires a slot that is filled: what the thread that filled it released happens before the return.
  static void acquire_filled(slot* slots, u64 index) noexcept {
    upgrade_to_acquire<S, word>(slots + index); // pairs with the compare-and-swap in insert(), the word's last write
  }
  /// Returns the key of a filled slot.
  static Key key(slot* slots, u64 index, u64 capacity) noexcept {
    word const seen = index == capacity ? 0 : load<S, word>(slots + index, memory_order::relaxed);
    bytes<sizeof(Key)> part;
    __builtin_memcpy(&part, &seen, sizeof(Key));
    return __builtin_bit_cast(Key, part);
  }
  static void clear(slot* at) noexcept { plain_store<word>(at, 0); }
};

} // namespace cudax::container_detail

CUDAX_EVERYWHERE_END
