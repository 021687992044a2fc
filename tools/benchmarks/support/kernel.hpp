// SPDX-License-Identifier: Apache-2.0
//
// kernel: turns an operation and a place into a row.
//
// An operation is a struct:
//   using object = ...;                     what the threads access
//   using result = ...;                     the sum of the results of apply, or void
//   apply(object*, thread, step)            one operation, on the device; step counts the rounds of all launches
//   expect(threads, work) -> expectation    what `threads` threads on one object leave there; on the host
// A place selects the object that a thread uses. Each operation at a place makes two rows (loop.hpp). In the first one
// no compiler unrolls the loop, and a result is used before the next operation. So each thread has one operation in
// flight, and the comparison is of one operation with one operation. In the second one the compiler decides.
//
// The pointer to the objects is a parameter of the kernel, or it is loaded from memory. The compiler knows that a
// parameter points to global memory. It knows nothing about a pointer from memory, and must not know more: each round
// adds an offset to the pointer that is zero, which no compiler sees. Otherwise a compiler could ask once, before the
// loop, which state space the pointer has.
#pragma once

#include "cuda.hpp"
#include "library.hpp"
#include "loop.hpp"
#include "row.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

namespace CUDAX_BENCH_SIDE {

// --- places ----------------------------------------------------------------------------------------------------------

/// Every thread on one object, and ptxas can see that: it may aggregate in the warp by itself.
template <unsigned At = 0> struct uniform {
  static constexpr char const* name = "one address, known uniform";
  static constexpr bool contended = true;
  __host__ __device__ static constexpr unsigned objects(unsigned) { return At / 2 * 2 + 2; }
  __host__ __device__ static unsigned index(unsigned, unsigned) { return At; }
};

/// Every thread on one object, but each lane calculates its address: `zero` is a parameter of the kernel.
template <unsigned At = 0> struct opaque {
  static constexpr char const* name = "one address, opaque";
  static constexpr bool contended = true;
  __host__ __device__ static constexpr unsigned objects(unsigned) { return At / 2 * 2 + 2; }
  __host__ __device__ static unsigned index(unsigned thread, unsigned zero) { return At + (thread & zero); }
};

/// Each thread on its own object, Stride objects from the next one.
template <unsigned Stride = 1> struct spread {
  static constexpr char const* name = "spread";
  static constexpr bool contended = false;
  __host__ __device__ static constexpr unsigned objects(unsigned threads) { return threads * Stride; }
  __host__ __device__ static unsigned index(unsigned thread, unsigned) { return thread * Stride; }
};

/// All threads distributed over Count objects.
template <unsigned Count> struct among {
  static constexpr bool contended = true;
  __host__ __device__ static constexpr unsigned objects(unsigned) { return Count; }
  __host__ __device__ static unsigned index(unsigned thread, unsigned) { return thread % Count; }
};

/// One thread alone. The address of an operation depends on the result of the previous one, if it has a result.
struct alone_in_chain {
  static constexpr bool contended = false, is_chain = true;
  __host__ __device__ static constexpr unsigned objects(unsigned) { return 2; }
  __host__ __device__ static unsigned index(unsigned, unsigned) { return 0; }
};
template <class Place> inline constexpr bool is_chain = requires { Place::is_chain; };

/// Where a kernel gets its pointer.
enum class pointer { parameter, memory };

// --- expectations ----------------------------------------------------------------------------------------------------

template <class Object, class Result> struct expectation {
  Object object;
  bool results_known; ///< the sum of the results does not depend on the order of the threads
  Result results;
};

/// Returns the expectation for one thread alone: `model` applies one step to the object and returns its result, as
/// plain code.
template <class Object, class Result, class Model>
expectation<Object, Result> alone(Object initial, unsigned steps, Model model) {
  expectation<Object, Result> expected{initial, true, Result()};
  for (unsigned step = 0; step < steps; ++step) expected.results += model(expected.object, step);
  return expected;
}

/// 0 + 1 + ... + n - 1: the sum of what n additions of 1 return.
constexpr unsigned long long sum_below(unsigned long long n) { return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n; }

template <class T> std::string text(T const& value) {
  if constexpr (requires { std::to_string(value); }) return std::to_string(value);
  else
    return std::to_string((unsigned long long)(value >> 64)) + " * 2^64 + " + std::to_string((unsigned long long)value);
}

// --- the kernel ------------------------------------------------------------------------------------------------------

/// The structure from which a kernel loads its pointer. It is in global memory, after the results.
template <class Object> struct holder {
  Object* objects;
};

/// Performs the rounds of one thread, whose object is objects[Place::index()], and returns the sum of the results.
template <class Operation, class Place, pointer From, loop Loop>
__device__ auto rounds_of_thread(typename Operation::object* objects, unsigned index, unsigned thread, unsigned first,
                                 unsigned last, unsigned zero) {
  using result = typename Operation::result;
  std::conditional_t<std::is_void_v<result>, char, result> sum{};
  auto* const object = objects + index;
  repeat<Loop>(first, last, [&](unsigned step) {
    auto* here = object;
    if constexpr (is_chain<Place> && !std::is_void_v<result>) here += unsigned(sum) & zero;
    else if constexpr (From == pointer::memory) here += step & zero;
    if constexpr (std::is_void_v<result>) Operation::apply(here, thread, step);
    else sum += Operation::apply(here, thread, step);
  });
  return sum;
}

template <class Operation, class Place, loop Loop>
__global__ void kernel(typename Operation::object* objects, [[maybe_unused]] typename Operation::result* results,
                       unsigned first, unsigned last, unsigned zero) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] auto const sum = rounds_of_thread<Operation, Place, pointer::parameter, Loop>(
      objects, Place::index(thread, zero), thread, first, last, zero);
  if constexpr (!std::is_void_v<typename Operation::result>) results[thread] += sum;
}

template <class Operation, class Place, loop Loop>
__global__ void kernel_of_holder(holder<typename Operation::object> const* holder,
                                 [[maybe_unused]] typename Operation::result* results, unsigned first, unsigned last,
                                 unsigned zero) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] auto const sum = rounds_of_thread<Operation, Place, pointer::memory, Loop>(
      holder->objects, Place::index(thread, zero), thread, first, last, zero);
  if constexpr (!std::is_void_v<typename Operation::result>) results[thread] += sum;
}

/// Checks the objects and the sums of the results. Thread i used the object `index(i)` of `count`.
template <class Operation, class Index>
std::string check_objects(bench::work const& work, void* objects, void* results, unsigned count, Index index) {
  using object = typename Operation::object;
  using result = typename Operation::result;
  static constexpr bool has_result = !std::is_void_v<result>;
  using result_or_char = std::conditional_t<has_result, result, char>;
  std::vector<unsigned> threads_on(count);
  std::vector<result_or_char> sum_on(count);
  for (unsigned thread = 0; thread < work.threads(); ++thread) {
    unsigned const at = index(thread);
    ++threads_on[at];
    if constexpr (has_result) sum_on[at] += static_cast<result*>(results)[thread];
  }
  // Few different thread counts occur, so the expectation is computed once for each change of the count.
  unsigned known = ~0u;
  decltype(Operation::expect(1, work)) expected{};
  for (unsigned at = 0; at < count; ++at) {
    if (threads_on[at] != known) expected = Operation::expect(known = threads_on[at], work);
    auto const found = Operation::value(static_cast<object*>(objects)[at]);
    if (found != expected.object)
      return "object " + std::to_string(at) + " holds " + text(found) + ", expected " + text(expected.object);
    if constexpr (has_result)
      if (expected.results_known && sum_on[at] != expected.results)
        return "the results on object " + std::to_string(at) + " add up to " + text(sum_on[at]) + ", expected " +
               text(expected.results);
  }
  return "";
}

template <class Operation, class Place, pointer From = pointer::parameter> struct row_of {
  using object = typename Operation::object;
  using result = typename Operation::result;
  static constexpr bool has_result = !std::is_void_v<result>;
  using result_or_char = std::conditional_t<has_result, result, char>;
  using holder = CUDAX_BENCH_SIDE::holder<object>;

  static std::size_t object_bytes(unsigned threads) { return Place::objects(threads) * sizeof(object); }
  static std::size_t holder_at(unsigned threads) {
    return has_result ? (threads * sizeof(result_or_char) + 15) / 16 * 16 : 0;
  }
  static std::size_t result_bytes(unsigned threads) { return holder_at(threads) + sizeof(holder); }
  static holder* holder_in(void* results, bench::work const& work) {
    return reinterpret_cast<holder*>(static_cast<char*>(results) + holder_at(work.threads()));
  }

  static void prepare(bench::work const& work, void* objects, void* results) {
    holder const on_host{static_cast<object*>(objects)};
    CUDA_MUST(cudaMemcpy(holder_in(results, work), &on_host, sizeof on_host, cudaMemcpyHostToDevice));
  }

  template <loop Loop> static void launch(bench::work const& work, void* objects, void* results, unsigned first) {
    unsigned const last = first + work.rounds;
    if constexpr (From == pointer::parameter)
      kernel<Operation, Place, Loop><<<work.blocks, work.threads_per_block>>>(
          static_cast<object*>(objects), static_cast<result*>(results), first, last, 0);
    else
      kernel_of_holder<Operation, Place, Loop><<<work.blocks, work.threads_per_block>>>(
          holder_in(results, work), static_cast<result*>(results), first, last, 0);
  }

  static std::string check(bench::work const& work, void* objects, void* results) {
    return check_objects<Operation>(work, objects, results, Place::objects(work.threads()),
                                    [](unsigned thread) { return Place::index(thread, 0); });
  }
};

/// Returns the row of an operation at a place, still without its launch. Contended rows run two blocks per SM, which is
/// enough contention; others as many blocks as fit, so that throughput and not latency is the limit. A chain is one
/// thread, and its number is the time of one operation.
template <class Operation, class Place, pointer From = pointer::parameter>
bench::row make_row(std::string name, unsigned minimum_sm = 0) {
  using row = row_of<Operation, Place, From>;
  bench::row made{std::move(name),   Place::contended ? 2u : 8u, 256,     minimum_sm, Operation::initial_byte,
                  row::object_bytes, row::result_bytes,          nullptr, row::check};
  if (From == pointer::memory) made.prepare = row::prepare;
  if (is_chain<Place>) {
    made.blocks = made.threads_per_block = 1;
    made.shown = bench::unit::nanoseconds;
  }
  return made;
}

/// Adds the rows of both loops of an operation at a place.
template <class Operation, class Place, pointer From = pointer::parameter>
void add_rows(bench::rows& rows, std::string name, unsigned minimum_sm = 0) {
  add_both_loops(rows, make_row<Operation, Place, From>(std::move(name), minimum_sm),
                 [=]<loop Loop>() { return row_of<Operation, Place, From>::template launch<Loop>; });
}

/// The base of most operations: objects that start at 0 and are their own value.
template <class Object, class Result> struct operation {
  using object = Object;
  using result = Result;
  using expected = expectation<Object, std::conditional_t<std::is_void_v<Result>, char, Result>>;
  static constexpr int initial_byte = 0;
  static Object value(Object object) { return object; }
};

} // namespace CUDAX_BENCH_SIDE
