// SPDX-License-Identifier: Apache-2.0
//
// copying: memory to copy between, and what the tests of asynchronous copies share. Include after `import cudax.sync;`.
#pragma once

#include "std/thread/arriving.hpp"

/// Whether barriers count bytes, and a cluster may have several blocks.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define BY_TRANSACTIONS 1
#else
#define BY_TRANSACTIONS 0
#endif

namespace cudax_test {
TESTS_BEGIN

inline constexpr unsigned block_bytes = 32 * 1024;
inline constexpr unsigned global_bytes = 80 * 1024;

#if defined(__CUDA__)
alignas(128) inline __device__ char device_source[global_bytes];
alignas(128) inline __device__ char device_target[global_bytes];
#endif
alignas(128) inline char host_source[global_bytes];
alignas(128) inline char host_target[global_bytes];
alignas(128) inline char host_block[block_bytes];

/// Global memory on a device. On the host all three functions return ordinary memory.
inline char* source_memory() {
#if defined(__CUDA_ARCH__)
  return device_source;
#else
  return host_source;
#endif
}
inline char* target_memory() {
#if defined(__CUDA_ARCH__)
  return device_target;
#else
  return host_target;
#endif
}
/// Shared memory of the calling thread's block.
inline char* block_memory() {
#if defined(__CUDA_ARCH__)
  alignas(128) __shared__ char bytes[block_bytes];
  return bytes;
#else
  return host_block;
#endif
}

/// The byte at an offset in the data of a round.
inline char byte_of(unsigned offset, unsigned round) { return char(offset * 7 + (offset >> 8) * 13 + round * 29 + 1); }

inline void fill(char* at, unsigned begin, unsigned end, unsigned step, unsigned round) {
  for (unsigned i = begin; i < end; i += step) at[i] = byte_of(i, round);
}
/// Returns how many bytes differ from the data of the round.
inline unsigned wrong(char const* at, unsigned begin, unsigned end, unsigned step, unsigned round) {
  unsigned count = 0;
  for (unsigned i = begin; i < end; i += step) count += at[i] != byte_of(i, round);
  return count;
}

TESTS_END
} // namespace cudax_test
