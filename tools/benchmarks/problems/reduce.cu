// SPDX-License-Identifier: Apache-2.0
//
// reduce: the sum of a range in device memory, by the whole device. The time is that of one sum: a launch of the row is
// a number of calls in one stream, each of which begins when the previous one has ended. A range of 2^20 elements stays
// in the L2.
#include "../support/reduction.hpp"
#include "../support/row.hpp"

namespace CUDAX_BENCH_SIDE {

/// The number of places for the sums, which are used in turn.
inline constexpr unsigned sums = 16;

/// The layout of the results: first the expected sum, computed by atomic additions while the range is written.
inline constexpr std::size_t sums_at = 256, scratch_at = 512;

/// Small values, so that sums are exact in float, too; and irregular ones, so that a missing or repeated element
/// changes the sum.
__device__ inline int content(unsigned long long i) {
  return int((unsigned(i) * 2654435761u ^ unsigned(i >> 5)) >> 24) % 5 - 2;
}

template <class T>
__global__ void fill(T* range, unsigned long long n, long long* expected) {
  long long sum = 0;
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int const value = content(i);
    range[i] = T(value);
    sum += value;
  }
  atomicAdd(reinterpret_cast<unsigned long long*>(expected), static_cast<unsigned long long>(sum));
}

template <class T>
T* place_of_sum(void* results, unsigned step) {
  return reinterpret_cast<T*>(static_cast<char*>(results) + sums_at) + step % sums;
}

template <class T, unsigned Power>
bench::row make_reduce_row(char const* name) {
  static constexpr unsigned long long n = 1ull << Power;
  return {.name = name,
          .blocks_per_sm = 1,
          .threads_per_block = 1,
          .minimum_sm = 0,
          .initial_byte = 0,
          .object_bytes = [](unsigned) { return std::size_t(n * sizeof(T)); },
          .result_bytes = [](unsigned) { return scratch_at + sum_scratch_bytes<T>(n); },
          .launch =
              [](bench::work const& work, void* objects, void* results, unsigned first) {
                static std::size_t const scratch_bytes = sum_scratch_bytes<T>(n);
                for (unsigned step = first; step != first + work.rounds; ++step)
                  launch_sum(work.blocks, static_cast<char*>(results) + scratch_at, scratch_bytes,
                             static_cast<T const*>(objects), n, place_of_sum<T>(results, step));
              },
          .check = [](bench::work const& work, void*, void* results) -> std::string {
            auto const expected = T(*static_cast<long long*>(results));
            for (unsigned step = 0; step < work.steps() && step < sums; ++step)
              if (T const found = *place_of_sum<T>(results, step); found != expected)
                return "sum " + std::to_string(step) + " is " + std::to_string(found) + ", expected " +
                       std::to_string(expected);
            return "";
          },
          .shown = bench::unit::nanoseconds,
          .operations = [](bench::work const& work) { return double(work.steps()); },
          .prepare =
              [](bench::work const& work, void* objects, void* results) {
                fill<<<work.blocks * 8, 256>>>(static_cast<T*>(objects), n, static_cast<long long*>(results));
              },
          .objects_are_input = true};
}

bench::rows rows_of_reduce() {
  return {
      make_reduce_row<unsigned, 16>("sum of 2^16 u32, against cub::DeviceReduce"),
      make_reduce_row<unsigned, 20>("sum of 2^20 u32, against cub::DeviceReduce"),
      make_reduce_row<unsigned, 24>("sum of 2^24 u32, against cub::DeviceReduce"),
      make_reduce_row<unsigned, 26>("sum of 2^26 u32, against cub::DeviceReduce"),
      make_reduce_row<unsigned, 28>("sum of 2^28 u32, against cub::DeviceReduce"),
      make_reduce_row<float, 16>("sum of 2^16 f32, against cub::DeviceReduce"),
      make_reduce_row<float, 20>("sum of 2^20 f32, against cub::DeviceReduce"),
      make_reduce_row<float, 24>("sum of 2^24 f32, against cub::DeviceReduce"),
      make_reduce_row<float, 26>("sum of 2^26 f32, against cub::DeviceReduce"),
      make_reduce_row<float, 28>("sum of 2^28 f32, against cub::DeviceReduce"),
  };
}

} // namespace CUDAX_BENCH_SIDE
