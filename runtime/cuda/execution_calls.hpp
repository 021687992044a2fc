// SPDX-License-Identifier: Apache-2.0
//
// execution_calls: the calls of CUDA about running kernels, as a table of functions, like cuda_calls.hpp for memory and
// devices: CUDA's own (cuda_execution.cpp), one that returns "built without CUDA", or a test's. Results are values of
// cudaError_t as int.
#pragma once

#include "../interface/execution_boundary.hpp"
#include "cuda_calls.hpp"

#include <cstddef>

namespace cudax::runtime {

namespace cuda {
inline constexpr int missing_configuration = 52;
inline constexpr int invalid_kernel_image = 200;
inline constexpr int invalid_ptx = 218;
inline constexpr int jit_compiler_not_found = 221;
inline constexpr int unsupported_ptx_version = 222;
inline constexpr int jit_compilation_disabled = 223;
inline constexpr int unsupported_device_side_sync = 225;
inline constexpr int shared_object_init_failed = 303;
inline constexpr int symbol_not_found = 500;
inline constexpr int not_ready = 600;
inline constexpr int launch_out_of_resources = 701;
inline constexpr int peer_access_already_enabled = 704;
inline constexpr int cooperative_launch_too_large = 720;
inline constexpr int capture_unsupported = 900;
inline constexpr int capture_invalidated = 901;
inline constexpr int capture_implicit = 906;
inline constexpr int invalid_cluster_size = 912;
// Not values of CUDA, like built_without.
inline constexpr int finished_without_change = -2;
inline constexpr int timed_out = -3;
} // namespace cuda

struct kernel_description {
  int registers; // of a thread
  std::size_t static_shared;
  std::size_t dynamic_shared_limit; // cudaFuncAttributeMaxDynamicSharedMemorySize
  int block_limit;                  // threads
  int sm;                           // for which the code was compiled, as 90; not the device's
};

/// The resources that the blocks of a multiprocessor share.
struct multiprocessor_description {
  int count;
  int threads;
  int blocks;
  int registers;
  int shared;
  int reserved_shared; // of each block, by the system
  int warp_size;
  int cooperative_launch; // 0 or 1
  int cluster_launch;     // likewise
};

struct execution_calls {
  // success: idle; not_ready: busy. None of the queries creates a context or changes the current one.
  int (*query_stream)(CUstream_st* stream);
  int (*query_event)(CUevent_st* event);
  int (*query_device)(int ordinal); // queries its default stream; -1: the thread's device
  int (*last_error)();              // of the calling thread; does not clear it
  int (*current_device)(int* ordinal);
  int (*describe_kernel)(kernel_description* description, void const* kernel); // loads it
  int (*describe_multiprocessor)(multiprocessor_description* description, int ordinal);
  int (*resident_blocks)(int* blocks, void const* kernel, int threads, std::size_t shared); // of a multiprocessor
  int (*resident_clusters)(int* clusters, launch_request const* request);                   // of the device
  int (*launch_cooperative)(launch_request const* request);
  int (*launch_plain)(launch_request const* request); // invalid_cluster_size if code before sm_90 shall have clusters
  // As launch_plain for code before sm_90.
  int (*launch_programmatic)(launch_request const* request);
  int (*launch_aside)(launch_request const* request); // one thread, in a stream of its own
  int (*loads_lazily)(bool* lazily);
  int (*encode_tensor_map)(void* map, tensor_request const* request); // whose strides are complete
  int (*can_access_peer)(int* can, int device, int peer);
  int (*enable_peer_access)(int device, int peer);
  int (*peer_atomics)(int* native, int device, int peer);
};

extern execution_calls const execution_calls_without_cuda;
extern execution_calls const execution_calls_of_cuda; // defined where there is a toolkit

/// Returns the table in use.
execution_calls const& execution() noexcept;
/// Installs another table and returns the previous one. For tests.
execution_calls const& exchange_execution(execution_calls const& calls) noexcept;

} // namespace cudax::runtime
