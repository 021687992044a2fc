// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a warp wait for each other, and a barrier or a collective follows. Wrong: the store that ends the wait is
// one that ptxas may let the lanes of the warp meet before; such a kernel hangs on an H100.
#include "program.hpp"
#include "ptx.hpp"

namespace {

constexpr int lanes = 32;

__device__ void count(int* sum) {
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
}

template <bool right>
__global__ void release(int* lock, int* sum) {
  while (atomicExch(lock, 1)) // second
    ;
  count(sum);
  if constexpr (right) atomicExch(lock, 0);
  else ptx::store_release(lock, 0); // first
  __syncthreads();
}

template <bool right>
__global__ void with_volatile(int* lock, int* sum) {
  while (atomicExch(lock, 1)) // second
    ;
  count(sum);
  *static_cast<int volatile*>(lock) = 0; // first
  if constexpr (right) __threadfence_block();
  __syncthreads();
}

template <bool right>
__global__ void in_shared_memory(int*, int* sum) {
  __shared__ int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1)) // second
    ;
  count(sum);
  *static_cast<int volatile*>(&lock) = 0; // first
  if constexpr (right) __threadfence_block();
  __syncthreads();
}

/// In the right twin no barrier follows the unlock directly: another round may come first.
template <bool right>
__global__ void in_rounds(int* lock, int* sum, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    while (atomicExch(lock, 1)) // second
      ;
    count(sum);
    ptx::store_release(lock, 0); // first
    if constexpr (!right) __syncthreads();
  }
  __syncthreads();
}

template <bool right>
__global__ void before_a_shuffle(int* lock, int* sum) {
  while (atomicExch(lock, 1)) // second
    ;
  count(sum);
  if constexpr (right) atomicExch(lock, 0);
  else ptx::store_release(lock, 0); // first
  sum[1 + threadIdx.x] = __shfl_xor_sync(0xffffffff, int(threadIdx.x), 1);
}

/// Each lane waits for the flag of the lane before it.
template <bool right>
__global__ void raise(int* flags) {
  int volatile* const mine = flags + threadIdx.x;
  if (threadIdx.x == 0) *mine = 1;
  while (!*mine) // second
    ;
  if constexpr (right) atomicExch(flags + threadIdx.x + 1, 1);
  else mine[1] = 1; // first
  __syncthreads();
}

template <auto Wrong, auto Right, int rounds = 1, class... More>
bool counts(bool is_right, More... more) {
  check::device_memory<int> lock, sum(1 + lanes);
  check::launch({.threads = lanes}, is_right ? Right : Wrong, lock.data(), sum.data(), more...);
  return sum[0] == lanes * rounds;
}

bool unlock_by_release(bool right) { return counts<release<false>, release<true>>(right); }
bool unlock_by_volatile(bool right) { return counts<with_volatile<false>, with_volatile<true>>(right); }
bool unlock_in_shared_memory(bool right) { return counts<in_shared_memory<false>, in_shared_memory<true>>(right); }
bool unlock_in_rounds(bool right) { return counts<in_rounds<false>, in_rounds<true>, 3>(right, 3); }
bool unlock_before_a_shuffle(bool right) { return counts<before_a_shuffle<false>, before_a_shuffle<true>>(right); }

bool chain(bool right) {
  check::device_memory<int> flags(lanes + 1);
  check::launch({.threads = lanes}, right ? raise<true> : raise<false>, flags.data());
  return flags.all_are(1);
}

check::program const by_release("lanes_unlock_by_release", "possible hang", unlock_by_release);
check::program const by_volatile("lanes_unlock_by_volatile", "possible hang", unlock_by_volatile);
check::program const shared("lanes_unlock_in_shared_memory", "possible hang", unlock_in_shared_memory);
check::program const rounds("lanes_unlock_in_rounds", "possible hang", unlock_in_rounds);
check::program const shuffle("lanes_unlock_before_a_shuffle", "possible hang", unlock_before_a_shuffle);
check::program const flags("lanes_raise_flags", "possible hang", chain);

} // namespace
