// SPDX-License-Identifier: Apache-2.0
//
// lock: one lane of a warp on each SM takes a lock, adds 1 to a plain counter and releases the lock.
#include "../support/rounds.hpp"

namespace CUDAX_BENCH_SIDE {

template <class Lock>
__global__ void lock_rounds(Lock* lock, unsigned* counter, unsigned* results, unsigned rounds) {
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i != rounds; ++i) {
    take(*lock);
    sum += (*counter)++;
    give_back(*lock);
  }
  results[blockIdx.x] += sum;
}

template <class Lock>
__global__ void make_lock(Lock* lock) {
  if constexpr (requires { lock->lock(); }) new (lock) Lock{};
  else new (lock) Lock(1);
}

template <class Lock>
bench::row make_lock_row(char const* name) {
  return {
      .name = name,
      .blocks_per_sm = 1,
      .threads_per_block = 32,
      .minimum_sm = 0,
      .initial_byte = 0,
      .object_bytes = [](unsigned) { return 2 * line; },
      .result_bytes = word_of_each,
      .launch =
          [](bench::work const& work, void* objects, void* results, unsigned) {
            launch_together(lock_rounds<Lock>, work, static_cast<Lock*>(objects),
                            reinterpret_cast<unsigned*>(static_cast<char*>(objects) + line),
                            static_cast<unsigned*>(results), work.rounds);
          },
      .check = [](bench::work const& work, void* objects, void* results) -> std::string {
        unsigned const expected = work.blocks * work.steps();
        unsigned const counted = *reinterpret_cast<unsigned*>(static_cast<char*>(objects) + line);
        if (counted != expected)
          return "the counter is " + std::to_string(counted) + ", expected " + std::to_string(expected);
        unsigned long long const n = expected;
        unsigned const expected_sum = unsigned(n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n);
        unsigned sum = 0;
        for (unsigned block = 0; block < work.blocks; ++block) sum += static_cast<unsigned*>(results)[block];
        return sum == expected_sum ? ""
                                   : "the values that were found add up to " + std::to_string(sum) + ", expected " +
                                         std::to_string(expected_sum);
      },
      .shown = bench::unit::nanoseconds,
      .operations = [](bench::work const& work) { return double(work.blocks) * work.steps(); },
      .prepare = [](bench::work const&, void* objects, void*) { make_lock<<<1, 1>>>(static_cast<Lock*>(objects)); }};
}

bench::rows rows_of_lock() {
  return {
      make_lock_row<library::binary_semaphore<device_scope>>("lock and unlock, a warp per SM, binary_semaphore"),
      make_lock_row<library::counting_semaphore<device_scope>>("lock and unlock, a warp per SM, counting_semaphore"),
      make_lock_row<fair_lock>("lock and unlock, a warp per SM, fair_semaphore against binary_semaphore"),
      make_lock_row<plain_lock>("lock and unlock, a warp per SM, mutex against binary_semaphore"),
      make_lock_row<ticket_lock>("lock and unlock, a warp per SM, ticket_mutex against binary_semaphore"),
  };
}

} // namespace CUDAX_BENCH_SIDE
