// SPDX-License-Identifier: Apache-2.0
//
// shared_kernel: like kernel.hpp, for objects in shared memory. A block copies its objects from global memory, works on
// them and copies them back, so what an operation expects is the same as in global memory.
#pragma once

#include "operations.hpp"

namespace CUDAX_BENCH_SIDE {

inline constexpr unsigned shared_block_size = 256;

template <class Operation, class Place, pointer From, loop Loop>
__global__ void shared_kernel(typename Operation::object* objects, [[maybe_unused]] typename Operation::result* results,
                              unsigned first, unsigned last, unsigned zero) {
  using object = typename Operation::object;
  constexpr unsigned count = Place::objects(shared_block_size);
  __shared__ object here[count];
  __shared__ object* volatile from_memory;
  object* const mine = objects + blockIdx.x * count;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) here[i] = mine[i];
  if (threadIdx.x == 0) from_memory = here;
  __syncthreads();
  object* const base = From == pointer::memory ? from_memory : here;
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] auto const sum =
      rounds_of_thread<Operation, Place, From, Loop>(base, Place::index(threadIdx.x, zero), thread, first, last, zero);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) mine[i] = here[i];
  if constexpr (!std::is_void_v<typename Operation::result>) results[thread] += sum;
}

template <class Operation, class Place, pointer From> void add_shared_rows(bench::rows& rows, std::string name) {
  using global = row_of<Operation, Place>;
  using object = typename Operation::object;
  static constexpr unsigned count = Place::objects(shared_block_size);
  static constexpr unsigned threads_per_block = is_chain<Place> ? 1 : shared_block_size;
  bench::row made = make_row<Operation, Place>(std::move(name));
  made.blocks_per_sm = 8;
  made.object_bytes = [](unsigned threads) { return threads / threads_per_block * count * sizeof(object); };
  made.result_bytes = global::result_bytes;
  made.check = [](bench::work const& work, void* objects, void* results) {
    return check_objects<Operation>(work, objects, results, work.blocks * count, [](unsigned thread) {
      return thread / threads_per_block * count + Place::index(thread % threads_per_block, 0);
    });
  };
  add_both_loops(rows, std::move(made), [=]<loop Loop>() {
    return [](bench::work const& work, void* objects, void* results, unsigned first) {
      shared_kernel<Operation, Place, From, Loop><<<work.blocks, threads_per_block>>>(
          static_cast<object*>(objects), static_cast<typename Operation::result*>(results), first, first + work.rounds,
          0);
    };
  });
}

struct shared_table {
  bench::rows rows;

  template <class Operation, class Place> void one(std::string name) {
    if constexpr (Operation::exists) add_shared_rows<Operation, Place, pointer::parameter>(rows, std::move(name));
  }
  template <class Operation, class Place> void both(std::string const& name) {
    one<Operation, Place>(name);
    if constexpr (Operation::exists)
      add_shared_rows<Operation, Place, pointer::memory>(rows, name + ", pointer from memory");
  }
  template <template <class, library::memory_order, class> class Operation> void usual(std::string const& name) {
    for_types<u8, u16, u32, u64>([&]<class T>() {
      both<Operation<T, relaxed, in_shared>, spread<>>(name + type_name<T> + in_shared::name + ", spread");
    });
  }
};

} // namespace CUDAX_BENCH_SIDE
