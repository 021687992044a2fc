// SPDX-License-Identifier: Apache-2.0
//
// hand_lock: locks that programs write themselves on atomics. One thread of each block takes the lock, adds 1 to a
// plain counter and releases the lock. The time is that of one turn, by any thread.
#include "../support/kernel.hpp"
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

// PTX by hand has no wait: it polls.
template <class Ref> __device__ void wait_for_change(Ref ref, unsigned old) {
  if constexpr (requires { ref.wait(old, relaxed); }) ref.wait(old, relaxed);
}
template <class Ref> __device__ void wake_one(Ref ref) {
  if constexpr (requires { ref.notify_one(); }) ref.notify_one();
}
template <class Ref> __device__ void wake_all(Ref ref) {
  if constexpr (requires { ref.notify_all(); }) ref.notify_all();
}

using word = device_ref<unsigned>;

/// The exchange in lock() acquires what the store in unlock() releases.
struct exchange_lock {
  unsigned taken;
  __device__ void lock() {
    while (word(taken).exchange(1, acquire)) wait_for_change(word(taken), 1);
  }
  __device__ void unlock() {
    word(taken).store(0, release);
    wake_one(word(taken));
  }
};

struct spin_lock {
  unsigned taken;
  __device__ void lock() {
    while (word(taken).exchange(1, acquire))
      while (word(taken).load(relaxed)) {}
  }
  __device__ void unlock() { word(taken).store(0, release); }
};

/// The load in lock() acquires what the addition in unlock() releases. The tickets themselves order nothing.
struct ticket_of_two_words {
  alignas(line) unsigned next;
  alignas(line) unsigned serving;
  __device__ void lock() {
    unsigned const mine = word(next).fetch_add(1, relaxed);
    for (unsigned now; (now = word(serving).load(acquire)) != mine;) wait_for_change(word(serving), now);
  }
  __device__ void unlock() {
    word(serving).fetch_add(1, release);
    wake_all(word(serving));
  }
};

template <class Lock> struct guarded {
  Lock* lock;
  unsigned* counter;
};

/// `zero` hides from the compiler that each round uses the same lock (see kernel.hpp).
template <class Lock, pointer From, loop Loop>
__device__ unsigned turns(guarded<Lock> const it, unsigned rounds, unsigned zero) {
  unsigned sum = 0;
  repeat<Loop>(0, rounds, [&](unsigned i) {
    Lock* const lock = From == pointer::memory ? it.lock + (i & zero) : it.lock;
    lock->lock();
    sum += (*it.counter)++;
    lock->unlock();
  });
  return sum;
}
template <class Lock, loop Loop>
__global__ void turns_of_parameter(Lock* lock, unsigned* counter, unsigned* results, unsigned rounds, unsigned zero) {
  results[blockIdx.x] += turns<Lock, pointer::parameter, Loop>({lock, counter}, rounds, zero);
}
template <class Lock, loop Loop>
__global__ void turns_of_memory(guarded<Lock> const* it, unsigned* results, unsigned rounds, unsigned zero) {
  results[blockIdx.x] += turns<Lock, pointer::memory, Loop>(*it, rounds, zero);
}

inline constexpr std::size_t counter_at = 4 * line, pointers_at = 5 * line; // in the objects

template <class Lock, pointer From>
void add_turn_rows(bench::rows& rows, std::string name, unsigned threads) {
  static_assert(2 * sizeof(Lock) <= counter_at);
  auto const counter = [](void* objects) {
    return reinterpret_cast<unsigned*>(static_cast<char*>(objects) + counter_at);
  };
  auto const pointers = [](void* objects) {
    return reinterpret_cast<guarded<Lock>*>(static_cast<char*>(objects) + pointers_at);
  };
  add_both_loops(rows,
                 {.name = std::move(name) + (From == pointer::memory ? ", pointer from memory" : ""),
                  .blocks_per_sm = 0,
                  .threads_per_block = 1,
                  .minimum_sm = 0,
                  .initial_byte = 0,
                  .object_bytes = [](unsigned) { return 6 * line; },
                  .result_bytes = word_of_each,
                  .launch = nullptr,
                  .check = [=](bench::work const& work, void* objects,
                               void* results) { return check_turns(work, *counter(objects), results, work.blocks); },
                  .shown = bench::unit::nanoseconds,
                  .operations = [](bench::work const& work) { return double(work.blocks) * work.steps(); },
                  .blocks = threads,
                  .prepare =
                      [=](bench::work const&, void* objects, void*) {
                        guarded<Lock> const on_host{static_cast<Lock*>(objects), counter(objects)};
                        CUDA_MUST(cudaMemcpy(pointers(objects), &on_host, sizeof on_host, cudaMemcpyHostToDevice));
                      },
                  .together = true},
                 [=]<loop Loop>() {
                   return [=](bench::work const& work, void* objects, void* results, unsigned) {
                     auto* const sums = static_cast<unsigned*>(results);
                     if constexpr (From == pointer::memory)
                       launch_together(turns_of_memory<Lock, Loop>, work, pointers(objects), sums, work.rounds, 0u);
                     else
                       launch_together(turns_of_parameter<Lock, Loop>, work, static_cast<Lock*>(objects),
                                       counter(objects), sums, work.rounds, 0u);
                   };
                 });
}

bench::rows rows_of_hand_lock() {
  bench::rows rows;
  auto const add = [&]<class Lock>(std::string const& kind) {
    for (unsigned threads : {1u, 64u}) {
      std::string const name = "lock and unlock, " + std::to_string(threads) +
                               (threads == 1 ? " thread, " : " blocks of one thread, ") + kind;
      add_turn_rows<Lock, pointer::parameter>(rows, name, threads);
      add_turn_rows<Lock, pointer::memory>(rows, name, threads);
    }
  };
  add.operator()<exchange_lock>("exchange, store and notify");
  add.operator()<ticket_of_two_words>("tickets");
  add.operator()<spin_lock>("exchange and spin");
  return rows;
}

} // namespace CUDAX_BENCH_SIDE
