// SPDX-License-Identifier: Apache-2.0
//
// shared: what the translation units of the mixed program share. Each unit imports the module in its own flavour. The
// same name must denote the same type, object or function in all units.
#pragma once

#include <thread>
#include <vector>
import cudax.sync;

namespace cudax_test {

inline constexpr unsigned threads = 4, rounds = 2000; // of each unit

/// One atomic of each kind: by an instruction, of 16 bytes, by a lock, with parking.
struct alignas(16) wide {
  unsigned long long low, high;
};
struct point {
  int x, y, z;
};
struct state {
  cudax::atomic<unsigned> count;
  cudax::atomic<wide> wide_count;
  cudax::atomic<point, cudax::thread_scope_device> locked_count;
  cudax::atomic<float> sum;
  cudax::atomic_flag go;
};

extern state shared;                      // defined in one unit
inline cudax::atomic<unsigned> in_header; // one object, defined in all of them
template <class T>
inline cudax::atomic<T> of_template;

/// Start the threads of a unit; each unit defines the function that has its name.
std::vector<std::thread> start_plain_main();
std::vector<std::thread> start_plain_worker();
std::vector<std::thread> start_cuda_worker();
std::vector<std::thread> start_cuda_launcher();

/// Functions with the library's types as parameters and results, called across the flavours.
unsigned plain_loads(cudax::atomic<unsigned> const& object, cudax::memory_order order);
unsigned cuda_loads(cudax::atomic<unsigned> const& object, cudax::memory_order order);
cudax::thread_scope plain_scope();
cudax::thread_scope cuda_scope();

/// The addresses and the size of the shared objects, as one unit sees them.
struct addresses {
  void const* in_header;
  void const* of_template;
  unsigned long state_size;
};
addresses plain_addresses();
addresses cuda_addresses();

// static: each unit has its own copy, so that its own instantiations are used if they are not inlined.
static inline addresses my_addresses() { return {&in_header, &of_template<int>, sizeof(state)}; }

static inline void work() {
  shared.go.wait(false, cudax::memory_order_acquire); // parks until another unit notifies
  for (unsigned i = 0; i < rounds; ++i) {
    shared.count.fetch_add(1, cudax::memory_order_relaxed);
    in_header.store_add(1, cudax::memory_order_relaxed);
    ++of_template<int>;
    shared.sum += 1.0f;
    wide seen = shared.wide_count.load(cudax::memory_order_relaxed);
    while (!shared.wide_count.compare_exchange_weak(seen, wide{seen.low + 1, seen.high - 1})) {}
    point before = shared.locked_count.load();
    while (!shared.locked_count.compare_exchange_strong(before, point{before.x + 1, before.y, before.z - 1})) {}
  }
}

static inline std::vector<std::thread> start() {
  std::vector<std::thread> started;
  for (unsigned i = 0; i < threads; ++i) started.emplace_back([] { work(); });
  return started;
}

} // namespace cudax_test
