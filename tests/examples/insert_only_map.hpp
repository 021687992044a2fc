// SPDX-License-Identifier: Apache-2.0
//
// insert_only_map: the concurrent map of the talk by O. Giroux and B. A. Lelbach, "The CUDA C++ Standard Library": open
// addressing with linear probing, and a state for each slot. Threads of host and device insert and find at the same
// time.
//
// A slot changes from empty to reserved to filled. The thread that changes empty to reserved owns the slot exclusively,
// writes key and value, and publishes them by the release store of `filled`. A thread that reads `filled` with acquire
// sees key and value. Slots are never removed, so a key is in the first slot of its probe sequence that no other key
// has taken. Include it after `import cudax.sync;`.
#pragma once

#include "example.hpp"

#include <cstdint>
#include <new>

namespace example {

template <class Key, class Value, class Hash, class Equal, cudax::thread_scope Scope = cudax::thread_scope_system>
class insert_only_map {
public:
  enum state_type : unsigned { state_empty, state_reserved, state_filled };
  using state = cudax::atomic<state_type, Scope>;

  struct insertion {
    Value* value;  // null: the map is full
    bool inserted; // by this call
  };

  /// Makes a map of `capacity` slots in memory that the caller provides; all states must be empty.
  __host__ __device__ insert_only_map(std::uint64_t capacity, Key* keys, Value* values, state* states, Hash hash = {},
                                      Equal equal = {})
    : capacity_(capacity), keys_(keys), values_(values), states_(states), hash_(hash), equal_(equal) {}

  /// Inserts the key with the value if the map does not contain the key; returns the address of the key's value.
  __host__ __device__ insertion try_insert(Key const& key, Value const& value) {
    std::uint64_t index = hash_(key) % capacity_;
    for (std::uint64_t i = 0; i < capacity_; ++i) {
      state_type old = states_[index].load(cudax::memory_order_acquire); // pairs with the store of state_filled
      while (old == state_empty) { // as long as the slot is empty, try to reserve it
        // Acquire on failure: the slot may have been filled; pairs with the store of state_filled. A reservation
        // publishes nothing, so it need not release.
        if (states_[index].compare_exchange_weak(old, state_reserved, cudax::memory_order_acquire)) {
          new (keys_ + index) Key(key);
          new (values_ + index) Value(value);
          states_[index].store(state_filled, cudax::memory_order_release); // publishes key and value
          states_[index].notify_all();
          return {values_ + index, true};
        }
      }
      // Another thread owns the slot: wait until the slot is filled. The owner is running and does not wait for any
      // thread.
      if (old == state_reserved) states_[index].wait(state_reserved, cudax::memory_order_acquire);
      if (equal_(keys_[index], key)) return {values_ + index, false};
      index = (index + 1) % capacity_; // another key
    }
    return {nullptr, false};
  }

  /// Returns the address of the key's value; null if the key has not been inserted.
  __host__ __device__ Value* find(Key const& key) const {
    std::uint64_t index = hash_(key) % capacity_;
    for (std::uint64_t i = 0; i < capacity_; ++i) {
      state_type const now = states_[index].load(cudax::memory_order_acquire);
      if (now == state_empty) return nullptr;
      if (now == state_reserved) states_[index].wait(state_reserved, cudax::memory_order_acquire);
      if (equal_(keys_[index], key)) return values_ + index;
      index = (index + 1) % capacity_;
    }
    return nullptr;
  }

private:
  std::uint64_t capacity_;
  Key* keys_;
  Value* values_;
  state* states_;
  Hash hash_;
  Equal equal_;
};

} // namespace example
