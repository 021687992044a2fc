// SPDX-License-Identifier: Apache-2.0
//
// execution_calls: the calls of CUDA that are about running kernels, as cuda_calls.hpp has those about memory and
// devices: a table of functions, CUDA's own (cuda_execution.cpp), or one that answers "built without CUDA", or a
// test's. Results are values of cudaError_t as int.
#pragma once

#include "cuda_calls.hpp"
#include "execution_boundary.hpp"

#include <cstddef>

namespace cudax::runtime {

namespace cuda {
inline constexpr int not_ready = 600;
inline constexpr int peer_access_already_enabled = 704;
inline constexpr int cooperative_launch_too_large = 720;
// Not CUDA's, as built_without.
inline constexpr int finished_without_change = -2;
inline constexpr int timed_out = -3;
} // namespace cuda

struct kernel_description {
  int registers; // of a thread
  std::size_t static_shared;
  std::size_t dynamic_shared_limit; // cudaFuncAttributeMaxDynamicSharedMemorySize
  int block_limit;                  // threads
};

/// What the blocks of a multiprocessor share.
struct multiprocessor_description {
  int count;
  int threads;
  int blocks;
  int registers;
  int shared;
  int reserved_shared; // of each block, by the system
  int warp_size;
  int cooperative_launch; // 0 or 1
};

struct execution_calls {
  int (*query_stream)(CUstream_st* stream);
  int (*query_event)(CUevent_st* event);
  int (*last_error)(); // of the calling thread, which keeps it
  int (*current_device)(int* ordinal);
  int (*set_device)(int ordinal);
  int (*describe_kernel)(kernel_description* description, void const* kernel); // loads it
  int (*describe_multiprocessor)(multiprocessor_description* description, int ordinal);
  int (*resident_blocks)(int* blocks, void const* kernel, int threads, std::size_t shared); // of a multiprocessor
  int (*launch_cooperative)(launch_request const* request);
  int (*loads_lazily)(bool* lazily);
  int (*can_access_peer)(int* can, int device, int peer);
  int (*enable_peer_access)(int peer); // for the current device
  int (*peer_atomics)(int* native, int device, int peer);
};

extern execution_calls const execution_calls_without_cuda;
extern execution_calls const execution_calls_of_cuda; // defined where there is a toolkit

/// The table in use, and putting another in its place, for tests.
execution_calls const& running() noexcept;
execution_calls const& exchange_running(execution_calls const& calls) noexcept;

/// Makes a device the current one of this thread, as long as this lives.
class current_device_guard {
public:
  /// `ordinal` -1: the current one.
  current_device_guard(int ordinal, int& code) noexcept {
    if (ordinal == -1) return;
    code = running().current_device(&before_);
    if (code != cuda::success || before_ == ordinal) return;
    code = running().set_device(ordinal);
    changed_ = code == cuda::success;
  }
  ~current_device_guard() {
    if (changed_) running().set_device(before_);
  }
  current_device_guard(current_device_guard const&) = delete;

private:
  int before_ = 0;
  bool changed_ = false;
};

} // namespace cudax::runtime
