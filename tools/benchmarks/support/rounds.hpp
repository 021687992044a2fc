// SPDX-License-Identifier: Apache-2.0
//
// rounds: the common part of the rows whose threads wait for each other. Their kernels need all blocks to run at once,
// so they are launched cooperatively, which fails if the device does not support it. Their number is the time of a
// round.
#pragma once

#include "cuda.hpp"
#include "loop.hpp"
#include "row.hpp"
#include "synchronization.hpp"

#include <cuda_runtime.h>

#include <new>

namespace CUDAX_BENCH_SIDE {

/// The distance of contended objects: each has its own cache lines.
inline constexpr std::size_t line = 128;

template <class... Parameters, class... Arguments>
void launch_together(void (*kernel)(Parameters...), bench::work const& work, Arguments... arguments) {
  auto start = [&](Parameters... exact) {
    void* pointers[] = {&exact...};
    CUDA_MUST(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(kernel), dim3(work.blocks),
                                          dim3(work.threads_per_block), pointers, 0, nullptr));
  };
  start(arguments...);
}

/// One synchronization of all threads is one operation.
inline double rounds_of(bench::work const& work) { return work.steps(); }

/// Constructs `count` objects, a line apart, each with the same argument.
template <class Object>
__global__ void make_objects(char* where, unsigned count, unsigned argument) {
  unsigned const at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < count) new (where + at * line) Object(argument);
}
template <class Object>
void make(void* where, unsigned count, unsigned argument) {
  static_assert(sizeof(Object) <= line);
  make_objects<Object><<<(count + 255) / 256, 256>>>(static_cast<char*>(where), count, argument);
}

/// Verifies that a synchronization worked: in the first and the last round of a launch each thread stores a word, and
/// after the synchronization reads the word of the thread `far` further on. The rounds between only synchronize.
template <loop Loop, class Meet>
__device__ unsigned meet_and_look(unsigned* words, unsigned thread, unsigned threads, unsigned far, unsigned first,
                                  unsigned last, Meet meet) {
  unsigned const other = (thread + far) % threads;
  words[thread] = first + 1;
  meet(first);
  unsigned found = words[other] == first + 1;
  if (last - first < 3) return found;
  repeat<Loop>(first + 1, last - 1, meet);
  words[thread] = last + 1;
  meet(last - 1);
  return found + (words[other] == last + 1);
}

/// Checks the results of meet_and_look, summed over the launches.
inline std::string check_looks(bench::work const& work, void*, void* results) {
  unsigned const expected = work.launches * (work.rounds < 3 ? 1 : 2);
  for (unsigned thread = 0; thread < work.threads(); ++thread)
    if (unsigned const found = static_cast<unsigned*>(results)[thread]; found != expected)
      return "thread " + std::to_string(thread) + " found the other thread's word " + std::to_string(found) +
             " times, expected " + std::to_string(expected);
  return "";
}

/// Checks turns with a lock: each adds 1 to a counter, and `sums` words of the results hold the sum of what was there
/// before.
inline std::string check_turns(bench::work const& work, unsigned counted, void* results, unsigned sums) {
  unsigned const expected = sums * work.steps();
  if (counted != expected)
    return "the counter is " + std::to_string(counted) + ", expected " + std::to_string(expected);
  unsigned long long const n = expected;
  unsigned const expected_sum = unsigned(n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n);
  unsigned sum = 0;
  for (unsigned i = 0; i < sums; ++i) sum += static_cast<unsigned*>(results)[i];
  return sum == expected_sum ? ""
                             : "the values that were found add up to " + std::to_string(sum) + ", expected " +
                                   std::to_string(expected_sum);
}

inline std::size_t word_of_each(unsigned threads) { return threads * sizeof(unsigned); }

// --- words in global memory, which threads copy and add up -----------------------------------------------------------

__host__ __device__ constexpr unsigned content(unsigned index) { return index * 2654435761u; }

/// Template, so that only the problems that use it contain it.
template <class Word>
__global__ void fill_words(Word* words, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    words[i] = content(i);
}

/// Checks the sum of each thread.
template <class Expected>
std::string check_sum_of_each(bench::work const& work, void* results, Expected expected_of) {
  for (unsigned thread = 0; thread < work.threads(); ++thread)
    if (unsigned const found = static_cast<unsigned*>(results)[thread], expected = expected_of(thread);
        found != expected)
      return "the words of thread " + std::to_string(thread) + " add up to " + std::to_string(found) + ", expected " +
             std::to_string(expected);
  return "";
}

} // namespace CUDAX_BENCH_SIDE
