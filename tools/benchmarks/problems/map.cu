// SPDX-License-Identifier: Apache-2.0
//
// map: insertions into a concurrent hash map of u32 keys and values, half of whose slots are used at the end. A round
// empties the map and inserts into it; the rate counts the insertions, and the time includes the emptying.
//
// libcu++ has no map. Its column is the map of the talk "The CUDA C++ Standard Library" on libcu++'s atomics: arrays of
// keys, values and states, linear probing. "16 of each key": each key is inserted 16 times, scattered over the round.
// cuCollections' static_map inserts with relaxed order, so it is in the rows of that order.
//
// "visit", "size": one thread goes over a smaller table; the time is that of a slot, of which half are filled.
#include "../support/loop.hpp"

#include <cuda_runtime.h>
#ifdef CUDAX_BENCH_CUCOLLECTIONS
#include <cuco/static_map.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <utility>
#include <vector>
#endif

namespace CUDAX_BENCH_SIDE {

/// The number of different keys, and of slots: the slots exceed the L2.
inline constexpr unsigned keys_power = 22, keys = 1u << keys_power, slots = 2 * keys;

/// Key number `i`; different numbers have different keys.
__host__ __device__ constexpr unsigned key_of(unsigned i) { return i * 2654435761u + 1; }

/// What the sides with a map in the row's objects have in common.
struct map_in_objects {
  using argument = void*;
  static argument of(void* objects) { return objects; }
  static void clear(void* objects, std::size_t bytes) { cudaMemsetAsync(objects, 0, bytes); }
};

// A side's tested_map: `clear` enqueues the emptying, a kernel makes the map from the argument `of` and inserts, and
// afterwards the host makes `contents` from its copy of the objects and asks for the values.
#if defined(CUDAX_BENCH_CUCOLLECTIONS)

/// It has memory of its own. One thread inserts a pair; it probes one slot after the other. That is its fastest form
/// here: with groups of 2 and 4 threads the rows take longer, and with two slots at a time that of distinct keys does.
template <library::memory_order> struct tested_map {
  using map =
      cuco::static_map<unsigned, unsigned, cuco::extent<std::size_t>, library::thread_scope_device,
                       thrust::equal_to<unsigned>, cuco::linear_probing<1, cuco::default_hash_function<unsigned>>>;
  static constexpr std::size_t bytes = sizeof(unsigned); // unused
  static constexpr unsigned no_key = ~0u;
  static_assert(key_of(3806962014u) == no_key && 3806962014u >= keys); // so it is no key of the rows

  /// Made by the first row that runs. It lives as long as the program.
  static map& it() {
    static auto* const made = new map(slots, cuco::empty_key<unsigned>{no_key}, cuco::empty_value<unsigned>{~0u});
    return *made;
  }

  using argument = decltype(std::declval<map&>().ref(cuco::insert));
  static argument of(void*) { return it().ref(cuco::insert); }
  static void clear(void*, std::size_t) { it().clear_async(); }

  argument map_;
  __device__ explicit tested_map(argument map) : map_(map) {}
  __device__ bool insert(unsigned key, unsigned value) {
    return map_.insert(cuco::pair<unsigned, unsigned>{key, value});
  }

  struct to_key {
    __host__ __device__ unsigned operator()(unsigned number) const { return key_of(number); }
  };
  struct contents {
    std::vector<unsigned> values;
    explicit contents(void*) : values(keys) {
      unsigned* found = nullptr;
      cudaMalloc(&found, keys * sizeof(unsigned));
      auto const all = thrust::make_transform_iterator(thrust::make_counting_iterator(0u), to_key());
      it().find(all, all + keys, found);
      cudaMemcpy(values.data(), found, keys * sizeof(unsigned), cudaMemcpyDefault);
      cudaFree(found);
    }
    unsigned const* value(unsigned number) const { return &values[number]; }
  };
};

#elif defined(CUDAX_BENCH_CUDAX)

template <library::memory_order Order, unsigned Slots = slots> struct tested_map : map_in_objects {
  using contents = tested_map;
  using map = library::insert_only_map<unsigned, unsigned, library::thread_scope_device>;
  map slots_;

  static constexpr std::size_t bytes = (Slots + 1) * sizeof(map::slot);
  __host__ __device__ explicit tested_map(void* memory) : slots_(static_cast<map::slot*>(memory), Slots + 1) {}

  __device__ bool insert(unsigned key, unsigned value) const { return slots_.try_insert(key, value, Order).inserted; }
  __device__ unsigned sum_of_values() const {
    unsigned sum = 0;
    for (auto const [key, value] : slots_) sum += value;
    return sum;
  }
  __device__ unsigned size() const { return unsigned(slots_.size()); }
  unsigned const* value(unsigned number) const { return slots_.find(key_of(number)); }
};

#else

template <library::memory_order, unsigned Slots = slots> struct tested_map : map_in_objects {
  using contents = tested_map;
  using state = library::atomic<unsigned, library::thread_scope_device>;
  enum state_value : unsigned { empty, reserved, filled };
  state* states_;
  unsigned *keys_, *values_;

  static constexpr std::size_t bytes = Slots * (sizeof(state) + 2 * sizeof(unsigned));
  __host__ __device__ explicit tested_map(void* memory)
    : states_(static_cast<state*>(memory)), keys_(reinterpret_cast<unsigned*>(states_ + Slots)),
      values_(keys_ + Slots) {}

  __host__ __device__ static unsigned first(unsigned key) {
    key = (key ^ key >> 16) * 0x9e3779b1u;
    return (key ^ key >> 15) % Slots;
  }
  __device__ bool insert(unsigned key, unsigned value) const {
    for (unsigned at = first(key), left = Slots; left != 0; --left, at = (at + 1) % Slots) {
      unsigned seen = states_[at].load(acquire);
      while (seen == empty)
        if (states_[at].compare_exchange_weak(seen, reserved, acquire)) {
          keys_[at] = key;
          values_[at] = value;
          states_[at].store(filled, release);
          states_[at].notify_all();
          return true;
        }
      if (seen == reserved) states_[at].wait(reserved, acquire);
      if (keys_[at] == key) return false;
    }
    return false;
  }
  __device__ unsigned sum_of_values() const {
    unsigned sum = 0;
    for (unsigned at = 0; at < Slots; ++at)
      if (states_[at].load(acquire) == filled) sum += values_[at];
    return sum;
  }
  __device__ unsigned size() const {
    unsigned count = 0;
    for (unsigned at = 0; at < Slots; ++at) count += states_[at].load(relaxed) == filled;
    return count;
  }
  unsigned const* value(unsigned number) const {
    unsigned const key = key_of(number);
    for (unsigned at = first(key); states_[at].load(acquire) == filled; at = (at + 1) % Slots)
      if (keys_[at] == key) return values_ + at;
    return nullptr;
  }
};

#endif

/// All threads insert keys * Repeats pairs.
template <class Map, unsigned Repeats, loop Loop>
__global__ void fill(typename Map::argument argument, unsigned* inserted) {
  constexpr unsigned all = keys * Repeats;
  Map map(argument);
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  unsigned count = 0;
  unsigned const each = all / threads + (thread < all % threads);
  repeat<Loop>(0, each, [&](unsigned round) {
    unsigned const i = thread + round * threads;
    unsigned const number = i * 2654435769u % all / Repeats; // a permutation of the numbers below `all`, a power of two
    count += map.insert(key_of(number), number);
  });
  inserted[thread] += count;
}

template <library::memory_order Order, unsigned Repeats>
void add_map_rows(bench::rows& rows, char const* name) {
  using map = tested_map<Order>;
  add_both_loops(rows,
                 {.name = name,
                  .blocks_per_sm = 8,
                  .threads_per_block = 256,
                  .minimum_sm = 0,
                  .initial_byte = 0,
                  .object_bytes = [](unsigned) { return map::bytes; },
                  .result_bytes = [](unsigned threads) { return threads * sizeof(unsigned); },
                  .launch = nullptr,
                  .check = [](bench::work const& work, void* objects, void* results) -> std::string {
                    unsigned long long inserted = 0;
                    for (unsigned thread = 0; thread < work.threads(); ++thread)
                      inserted += static_cast<unsigned*>(results)[thread];
                    unsigned long long const expected = 1ull * keys * work.steps();
                    if (inserted != expected)
                      return std::to_string(inserted) + " insertions, expected " + std::to_string(expected);
                    typename map::contents const found(objects);
                    for (unsigned number = 0; number < keys; number += 61) { // all of them would take seconds
                      unsigned const* const value = found.value(number);
                      if (!value || *value != number)
                        return "the value of key number " + std::to_string(number) + " is wrong";
                    }
                    return "";
                  },
                  .operations = [](bench::work const& work) { return 1.0 * keys * Repeats * work.steps(); }},
                 [=]<loop Loop>() {
                   return [](bench::work const& work, void* objects, void* results, unsigned) {
                     for (unsigned round = 0; round < work.rounds; ++round) {
                       map::clear(objects, map::bytes);
                       fill<map, Repeats, Loop>
                           <<<work.blocks, work.threads_per_block>>>(map::of(objects), static_cast<unsigned*>(results));
                     }
                   };
                 });
}

#ifndef CUDAX_BENCH_CUCOLLECTIONS
/// A table of which half is filled, and what one thread does with it.
inline constexpr unsigned small_slots = 1u << 16, small_keys = small_slots / 2;
using small_map = tested_map<acq_rel, small_slots>;

__global__ void fill_small(void* objects) {
  unsigned const number = blockIdx.x * blockDim.x + threadIdx.x;
  small_map(objects).insert(key_of(number), number);
}
template <unsigned (small_map::*Of)() const, loop Loop>
__global__ void ask(void* objects, unsigned* result, unsigned rounds) {
  small_map const map(objects);
  repeat<Loop>(0, rounds, [&](unsigned) { *result += (map.*Of)(); });
}

template <unsigned (small_map::*Of)() const>
void add_small_map_rows(bench::rows& rows, char const* name, unsigned of_each_round) {
  add_both_loops(
      rows,
      {.name = name,
       .blocks_per_sm = 0,
       .threads_per_block = 1,
       .minimum_sm = 0,
       .initial_byte = 0,
       .object_bytes = [](unsigned) { return small_map::bytes; },
       .result_bytes = [](unsigned) { return sizeof(unsigned); },
       .launch = nullptr,
       .check = [=](bench::work const& work, void*, void* results) -> std::string {
         unsigned const result = *static_cast<unsigned*>(results), expected = of_each_round * work.steps();
         if (result == expected) return "";
         return "all rounds together returned " + std::to_string(result) + ", expected " + std::to_string(expected);
       },
       .shown = bench::unit::nanoseconds,
       .operations = [](bench::work const& work) { return double(small_slots) * work.steps(); },
       .blocks = 1,
       .prepare = [](bench::work const&, void* objects, void*) { fill_small<<<small_keys / 256, 256>>>(objects); }},
      [=]<loop Loop>() {
        return [](bench::work const& work, void* objects, void* results, unsigned) {
          ask<Of, Loop><<<1, 1>>>(objects, static_cast<unsigned*>(results), work.rounds);
        };
      });
}
#endif

bench::rows rows_of_map() {
  bench::rows rows;
#ifndef CUDAX_BENCH_CUCOLLECTIONS
  add_small_map_rows<&small_map::sum_of_values>(rows, "visit a map, against the talk's map",
                                                small_keys * (small_keys - 1) / 2);
  add_small_map_rows<&small_map::size>(rows, "size of a map, against the talk's map", small_keys);
  add_map_rows<acq_rel, 1>(rows, "insert into a map, distinct keys, against the talk's map");
  add_map_rows<acq_rel, 16>(rows, "insert into a map, 16 of each key, against the talk's map");
#endif
  add_map_rows<relaxed, 1>(rows, "insert into a map, distinct keys, relaxed against the talk's map");
  add_map_rows<relaxed, 16>(rows, "insert into a map, 16 of each key, relaxed against the talk's map");
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
