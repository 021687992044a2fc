// SPDX-License-Identifier: Apache-2.0
//
// reduce by the threads of a grid, each of which passes a value. CUDA only.
#include "support/test.hpp"
import cudax.sync;
#include "on_grid.hpp"

using namespace cudax;
using namespace cudax_test;

/// A state that is never initialized explicitly: __device__ variables are zero.
static __device__ reduce_state<affine> static_state;

/// What a kernel finds. `data` is plain: the sink sees what each thread wrote before the call.
template <class T> struct reduced_by_grid {
  alignas(T) unsigned char result[sizeof(T)];
  unsigned calls;
  unsigned seen;
  unsigned wrong;
  unsigned data[most_grid_threads];
};

template <class T> static __device__ unsigned rank_in_grid() {
  unsigned const block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned const thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return block * blockDim.x * blockDim.y * blockDim.z + thread;
}

template <class T, class State> static __global__ void reduce_once(State* state, reduced_by_grid<T>* to,
                                                                   unsigned round) {
  unsigned const rank = rank_in_grid<T>();
  unsigned const threads = gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z;
  to->data[rank] = rank + round;
  reduce(*state, value_of<T>(rank, round), after(), [&](T const& result) {
    __builtin_memcpy(to->result, &result, sizeof(T));
    ++to->calls;
    for (unsigned i = 0; i < threads; ++i) to->seen += to->data[i] == i + round;
  });
}

template <class T, class State>
static void check_once(State* state, dim3 blocks, dim3 threads, unsigned round, context& test_) {
  managed<reduced_by_grid<T>> to;
  to->calls = to->seen = 0;
  reduce_once<T><<<blocks, threads>>>(state, to.get(), round);
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  unsigned const count = blocks.x * blocks.y * blocks.z * threads.x * threads.y * threads.z;
  T const expected = folded<T>(count, round, after());
  CHECK_EQUAL(to->calls, 1u);
  CHECK_EQUAL(to->seen, count);
  T given = expected;
  __builtin_memcpy(&given, to->result, sizeof(T));
  CHECK(given == expected);
}

DEVICE_TEST("one thread gets the result, in rank order, for any shape of grid") {
  device_object<reduce_state<affine>> state;
  dim3 const shapes[][2] = {{1, 1},    {1, 2},   {1, 31},        {1, 32}, {1, 33},        {2, 1},
                            {3, 48},   {7, 64},  {5, {8, 4, 3}}, {4, 1},  {{3, 2, 2}, 5}, {{2, 3}, {7, 5}},
                            {1, 1023}, {2, 512}, {70, 3},        {90, 33}};
  unsigned round = 0;
  for (auto const& [blocks, threads] : shapes) check_once<affine>(state.get(), blocks, threads, ++round, test_);
}

DEVICE_TEST("a grid may have more blocks than are resident, up to the number of places") {
  device_object<reduce_state<affine, thread_scope_device, 300>> state;
  for (unsigned round = 0; round < 3; ++round) check_once<affine>(state.get(), 300, 4, round, test_);
}

DEVICE_TEST("values of other sizes, without a default constructor, are reduced, also at system scope") {
  device_object<reduce_state<large_affine, thread_scope_system, 8>> large;
  device_object<reduce_state<brackets, thread_scope_device, 8>> small;
  for (unsigned round = 0; round < 2; ++round) {
    check_once<large_affine>(large.get(), 8, 70, round, test_);
    check_once<brackets>(small.get(), 5, 40, round, test_);
  }
}

DEVICE_TEST("a __device__ variable is ready") {
  void* state = nullptr;
  CUDA_MUST(cudaGetSymbolAddress(&state, static_state));
  for (unsigned round = 0; round < 3; ++round)
    check_once<affine>(static_cast<reduce_state<affine>*>(state), 6, 50, round, test_);
}

/// Every thread gets the result, in many rounds with two states in turn. Writes before the call are visible after it.
template <class T, class State>
static __global__ void reduce_often(State* states, reduced_by_grid<T>* to, unsigned rounds) {
  unsigned const rank = rank_in_grid<T>(), threads = gridDim.x * blockDim.x;
  unsigned wrong = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    to->data[rank] = rank + round;
    T const result = reduce(states[round % 2], value_of<T>(rank, round), after());
    unsigned const other = (rank + threads / 2 + round) % threads;
    wrong += to->data[other] != other + round;
    // No thread writes again before all have read: the third state is the barrier, and counts the threads.
    affine const right = reduce(*reinterpret_cast<reduce_state<affine>*>(states + 2), affine{1, 1}, after());
    wrong += right.b != threads;
    if (rank % 61 == 0) wrong += !(result == folded<T>(threads, round, after()));
  }
  if (wrong) atomicAdd(&to->wrong, wrong);
}

template <class T> static void check_often(unsigned blocks, unsigned threads, unsigned rounds, context& test_) {
  using state = reduce_state<T>;
  struct three {
    state two[2];
    reduce_state<affine> adding;
  };
  device_object<three> states;
  managed<reduced_by_grid<T>> to;
  to->wrong = 0;
  auto* at = &states.get()->two[0];
  reduced_by_grid<T>* out = to.get();
  void* arguments[] = {&at, &out, &rounds};
  auto* const kernel = reduce_often<T, state>;
  CUDA_MUST(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(kernel), dim3(blocks), dim3(threads), arguments));
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  CHECK_EQUAL(to->wrong, 0u);
}

DEVICE_TEST("every thread gets the result, and may reduce again immediately") {
  check_often<affine>(1, 1, 3, test_);
  check_often<affine>(1, 65, 4, test_);
  check_often<affine>(4, 1, 20, test_); // in a checked run only few threads are likely to be late at every point
  check_often<affine>(4, 96, 6, test_);
  check_often<affine>(3, 33, 6, test_);
  check_often<large_affine>(4, 40, 4, test_);
}

/// Two reductions of one type in a kernel share the block's shared memory: the last block of the first may be late. So
/// many blocks that reading their results takes more than one warp.
static __global__ void reduce_two(reduce_state<affine>* states, affine* results, unsigned* calls) {
  unsigned const rank = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned which = 0; which < 4; ++which)
    reduce(states[which], value_of<affine>(rank, which), after(), [&](affine const& result) {
      results[which] = result;
      atomicAdd(calls, 1);
    });
}
DEVICE_TEST("one kernel may do several reductions in turn, with one state each") {
  struct four {
    reduce_state<affine> at[4];
  };
  device_object<four> states;
  managed<affine[4]> results;
  managed<unsigned> calls;
  *calls.get() = 0;
  reduce_two<<<40, 70>>>(states.get()->at, *results.get(), calls.get());
  CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
  CHECK_EQUAL(*calls.get(), 4u);
  for (unsigned which = 0; which < 4; ++which) CHECK((*results.get())[which] == folded<affine>(2800, which, after()));
}

HOST_TEST("on the host the grid is the calling thread") {
  static reduce_state<double> state; // static: zero-initialized, hence ready
  double given = 0;
  reduce(state, 2.5, plus(), [&](double result) { given = result; });
  CHECK_EQUAL(given, 2.5);
  CHECK_EQUAL(reduce(state, 3.5, plus()), 3.5);
}
