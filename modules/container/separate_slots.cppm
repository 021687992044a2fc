// SPDX-License-Identifier: Apache-2.0
//
// separate_slots: the slots of an insert_only_map with a state beside key and value: for pairs that do not fit in a
// word, for keys with an equality of their own, and for values that change.
//
// The state is a word. It changes from empty to reserved to filled, once. The thread that reserves a slot owns it: the
// thread writes key and value, and publishes them with the state `filled`. With the state goes a tag, 30 bits of the
// key's hash. A thread that searches for a key with another tag passes the slot at once, whether it is filled or only
// reserved: it reads no key, orders nothing and waits for no thread. If the tags are equal, the thread compares the
// keys of a filled slot. At a reserved slot a thread that inserts waits until the slot is filled. A thread that only
// finds continues: if the slot is for its key, the insertion is not complete, and the key may still count as absent.
//
// Progress. Only an insertion waits: for a thread that is between the reservation and the publication, and that itself
// waits for no thread. The owner may be a lane of the waiter's warp: it makes progress by the independent thread
// scheduling of sm_70.
module;
#include "../base/macros.hpp"
export module cudax.sync:separate_slots;
import :bits;
import :duration;
import :machine;
import :order;
import :packed_slots;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::container_detail {
using namespace machine;

template <class Key, class Value, thread_scope S>
struct separate_slots {
  /// Bits of a state; the tag is above them. An empty slot has neither bit and no tag.
  enum state_bits : u32 { empty = 0, reserved_bit = 1, filled_bit = 2, tag_unit = 4 };

  /// State zero: empty. The class is an aggregate without initializers, so that arrays of it can be in shared memory,
  /// and value-initialization makes it empty.
  struct slot {
    u32 state;
    alignas(Key) unsigned char key[sizeof(Key)];
    alignas(Value) unsigned char value[sizeof(Value)];
  };
  /// Slots after the table.
  static constexpr u64 extra = 0;

  static Key& key(slot* at) noexcept { return *(Key*)at->key; }
  static Value* value(slot* at) noexcept { return (Value*)at->value; }

  /// The state of a slot that is reserved for a key with this hash.
  static u32 reserved_state(u64 hash) noexcept { return u32(hash) * tag_unit | reserved_bit; }

  /// Returns the slot of the key; it is filled with `initial` if the key was absent. The order is acq_rel: threads that
  /// compare keys need it even if the program does not.
  template <class Initial, class Equal>
  static place<slot> insert(slot* slots, u64 capacity, Key const& wanted, u64 hash, Initial const& initial,
                            Equal const& equal, memory_order) {
    u32 const reserved = reserved_state(hash), filled = reserved | filled_bit;
    for (search where = search::of(hash, capacity); where.left != 0; where.advance()) {
      slot* const at = slots + where.index;
      u32 seen = load<S, u32>(&at->state, memory_order::relaxed);
      // Relaxed: a reservation publishes nothing, and its thread reads nothing that another thread wrote here.
      if (seen == empty &&
          compare_exchange<S, u32>(&at->state, seen, reserved, memory_order::relaxed, memory_order::relaxed)) {
        new (at->key) placed<Key>{wanted};
        new (at->value) placed<Value>{static_cast<Value>(initial)};
        // Release: publishes key and value; pairs with the upgrades below and in find().
        store<S, u32>(&at->state, filled, before_wake<memory_order::release>);
        wake<S>(&at->state);
        return {at, true};
      }
      if ((seen | filled_bit) != filled) continue; // another tag
      if (seen == reserved) {
        u32* const state = &at->state;
        auto const is_filled = [=]() noexcept { return load<S, u32>(state, memory_order::relaxed) != reserved; };
        block_until<S>(state, CUDAX_AWAITS(is_filled, "insert_only_map: another thread's insertion has not ended"),
                       forever);
      }
      upgrade_to_acquire<S, u32>(&at->state); // pairs with the release above; the state does not change any more
      if (equal(key(at), wanted)) return {at, false};
    }
    return {nullptr, false};
  }

  /// Returns the slot of the key; `*copy`, unless null, becomes its value.
  template <class Equal>
  static slot* find(slot* slots, u64 capacity, Key const& wanted, u64 hash, Value* copy, Equal const& equal,
                    memory_order) {
    u32 const filled = reserved_state(hash) | filled_bit;
    for (search where = search::of(hash, capacity); where.left != 0; where.advance()) {
      slot* const at = slots + where.index;
      u32 const seen = load<S, u32>(&at->state, memory_order::relaxed);
      if (seen == empty) return nullptr;
      if (seen != filled) continue;           // another tag, or not complete
      upgrade_to_acquire<S, u32>(&at->state); // pairs with the release in insert(); the state does not change any more
      if (!equal(key(at), wanted)) continue;
      if constexpr (__is_assignable(Value&, Value const&))
        if (copy) *copy = *value(at);
      return at;
    }
    return nullptr;
  }

  /// Whether the slot at `index` is filled, by a relaxed load; a reserved slot is not filled yet.
  static bool is_filled(slot* slots, u64 index) noexcept {
    return (load<S, u32>(&slots[index].state, memory_order::relaxed) & filled_bit) != 0;
  }
  /// Acquires a slot that is filled: its key and value happen before the return.
  static void acquire_filled(slot* slots, u64 index) noexcept {
    upgrade_to_acquire<S, u32>(&slots[index].state); // pairs with the release in insert(), the state's last write
  }
  static Key const& key(slot* slots, u64 index, u64) noexcept { return key(slots + index); }
  static void clear(slot* at) noexcept { at->state = empty; }
};

} // namespace cudax::container_detail

CUDAX_EVERYWHERE_END
