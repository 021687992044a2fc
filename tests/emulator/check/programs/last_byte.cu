// SPDX-License-Identifier: Apache-2.0
//
// A lock and a set of bits, of one byte each, are the last bytes of an allocation. The library modifies them by
// operations on the 32-bit word around them, which has bytes that belong to nothing (arch/README.md, "Sub-word
// objects"). Wrong: they lie in the next word.
#include "program.hpp"
import cudax.sync;

extern __shared__ unsigned char last_bytes[]; // in no unnamed namespace: clang would miss its definition

namespace {

using namespace cudax;

constexpr int blocks = 2, threads = 8, size = 6; // of the allocation

template <thread_scope Scope>
__device__ void count(unsigned char* bytes, int first, int* total) {
  atomic_ref<unsigned char, Scope> const lock(bytes[first]);
  for (unsigned char free = 0; !lock.compare_exchange_weak(free, 1, memory_order_acquire);) free = 0; // first
  *total += 1;
  lock.store(0, memory_order_release);
  atomic_ref<unsigned char, Scope> const seen(bytes[first + 1]);
  seen.fetch_or(static_cast<unsigned char>(1u << threadIdx.x), memory_order_relaxed); // first
}

__global__ void count_in_memory(unsigned char* bytes, int first, int* total) {
  count<thread_scope_device>(bytes, first, total);
}

__device__ unsigned char variable[size];
__global__ void count_in_variable(int first, int* total) { count<thread_scope_device>(variable, first, total); }

__global__ void count_in_shared(int first, int* total) {
  if (threadIdx.x == 0)
    for (int i = 0; i < size; ++i) last_bytes[i] = 0;
  __syncthreads();
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  count<thread_scope_block>(last_bytes, first, &sum);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

bool has_counted(check::device_memory<int> const& total) { return total[0] == blocks * threads; }

/// `allocate` makes `size` bytes, zeroed.
template <class Allocate, class Free>
bool run_in(bool right, Allocate allocate, Free free) {
  unsigned char* const bytes = allocate();
  check::device_memory<int> total;
  check::launch({.blocks = blocks, .threads = threads}, count_in_memory, bytes, right ? 4 : 8, total.data());
  bool result = has_counted(total);
  unsigned char last = 0;
  CHECK_MUST(cudaMemcpy(&last, bytes + size - 1, 1, cudaMemcpyDefault));
  result &= last == 255;
  free(bytes);
  return result;
}

bool run_device(bool right) {
  return run_in(
      right,
      [] {
        unsigned char* p;
        CHECK_MUST(cudaMalloc(reinterpret_cast<void**>(&p), size));
        CHECK_MUST(cudaMemset(p, 0, size));
        return p;
      },
      [](unsigned char* p) { CHECK_MUST(cudaFree(p)); });
}

bool run_managed(bool right) {
  return run_in(
      right,
      [] {
        unsigned char* p;
        CHECK_MUST(cudaMallocManaged(reinterpret_cast<void**>(&p), size));
        for (int i = 0; i < size; ++i) p[i] = 0;
        return p;
      },
      [](unsigned char* p) { CHECK_MUST(cudaFree(p)); });
}

bool run_mapped(bool right) {
  return run_in(
      right,
      [] {
        unsigned char* p;
        CHECK_MUST(cudaHostAlloc(reinterpret_cast<void**>(&p), size, cudaHostAllocMapped));
        for (int i = 0; i < size; ++i) p[i] = 0;
        return p;
      },
      [](unsigned char* p) { CHECK_MUST(cudaFreeHost(p)); });
}

bool run_registered(bool right) {
  alignas(4096) static unsigned char page[4096];
  return run_in(
      right,
      [] {
        CHECK_MUST(cudaHostRegister(page, size, cudaHostRegisterMapped));
        return page;
      },
      [](unsigned char* p) { CHECK_MUST(cudaHostUnregister(p)); });
}

bool run_variable(bool right) {
  check::device_memory<int> total;
  check::launch({.blocks = blocks, .threads = threads}, count_in_variable, right ? 4 : 8, total.data());
  return has_counted(total);
}

bool run_shared(bool right) {
  check::device_memory<int> total;
  count_in_shared<<<blocks, threads, size>>>(right ? 4 : 8, total.data());
  CHECK_MUST(cudaGetLastError());
  cudaDeviceSynchronize(); // the wrong twin ends with an error
  return has_counted(total);
}

check::program const in_device_memory("byte_beyond_device_memory", "out of bounds", run_device);
check::program const in_managed_memory("byte_beyond_managed_memory", "out of bounds", run_managed);
check::program const in_mapped_memory("byte_beyond_mapped_memory", "out of bounds", run_mapped);
check::program const in_registered_memory("byte_beyond_registered_memory", "out of bounds", run_registered);
check::program const in_a_variable("byte_beyond_variable", "out of bounds", run_variable);
check::program const in_shared_memory("byte_beyond_shared_memory", "out of bounds", run_shared);

} // namespace
