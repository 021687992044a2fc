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

/// The second list of calls.def.
struct execution_calls {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define CUDAX_EXECUTION_CALL(result, name, parameters) result(*name) parameters;
#include "calls.def"
};

extern execution_calls const execution_calls_without_cuda;
extern execution_calls const execution_calls_of_cuda; // defined where there is a toolkit

/// Returns the table in use.
execution_calls const& execution() noexcept;
/// Installs another table and returns the previous one. For tests.
execution_calls const& exchange_execution(execution_calls const& calls) noexcept;

} // namespace cudax::runtime
