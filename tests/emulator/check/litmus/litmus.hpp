// SPDX-License-Identifier: Apache-2.0
//
// litmus: small programs of two to four threads, each with one outcome in question.
//
// A program is a type with its number of threads and a function that each thread runs. `on` has the operations, at the
// scope of the placement. A row of the table adds the outcome and the verdict of the PTX model.
#pragma once

#include <cuda_runtime.h>

#include <vector>

import cudax.sync;

namespace litmus {

using cudax::memory_order;
using cudax::thread_scope;
inline constexpr memory_order rlx = cudax::memory_order_relaxed, acq = cudax::memory_order_acquire,
                              rel = cudax::memory_order_release, acq_rel = cudax::memory_order_acq_rel,
                              sc = cudax::memory_order_seq_cst;

/// The threads' shared variables, initially zero, and the values that the threads read.
struct variables {
  int x, y, z, weak;
  int count[3];
  int r[8];
};

/// The operations at one scope.
template <thread_scope scope>
struct on {
  using word = cudax::atomic_ref<int, scope>;
  static __device__ void write(int& where, int value, memory_order order = rlx) { word(where).store(value, order); }
  static __device__ int read(int& where, memory_order order = rlx) { return word(where).load(order); }
  static __device__ int add(int& where, memory_order order = rlx) { return word(where).fetch_add(1, order); }
  /// A fence; with relaxed order, no fence.
  static __device__ void fence(memory_order order) { cudax::atomic_thread_fence(order, scope); }
};

enum class verdict {
  forbidden,
  allowed,
  not_modelled ///< allowed by PTX, but the emulator performs a thread's reads before the writes that follow them
};

/// Where a program's threads are, and the scope that includes them all.
enum class placement { block, cluster, device, system };

struct row {
  char const* name;
  litmus::verdict verdict;
  int threads;
  bool (*occurred)(variables const&); ///< whether the outcome in question occurred
  void (*kernels[4])(variables*);     ///< by placement; null: not run there
  int per_block = 1;                  ///< threads per block, if they are not all in one
};

template <class program, thread_scope scope>
__global__ void kernel(variables* v) {
  program::template run<on<scope>>(int(blockIdx.x * blockDim.x + threadIdx.x), *v, v->r);
}

template <class program>
row row_of(char const* name, verdict v, bool (*occurred)(variables const&)) {
  return {name,
          v,
          program::threads,
          occurred,
          {kernel<program, cudax::thread_scope_block>, kernel<program, cudax::thread_scope_cluster>,
           kernel<program, cudax::thread_scope_device>, kernel<program, cudax::thread_scope_system>}};
}

/// A program of two blocks of two threads each, which chooses its scopes itself.
template <class program>
row row_of_two_blocks(char const* name, verdict v, bool (*occurred)(variables const&)) {
  return {name, v, 4, occurred, {nullptr, nullptr, kernel<program, cudax::thread_scope_device>, nullptr}, 2};
}

/// The rows of each file.
std::vector<row> two_threads();
std::vector<row> coherence();
std::vector<row> more_threads();
std::vector<row> combined();

} // namespace litmus
