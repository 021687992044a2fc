// SPDX-License-Identifier: Apache-2.0
//
// kernels: the program's device code: what was registered, and the kernel or variable that a host symbol stands for.
#pragma once

#include "../machine/program.hpp"
#include "errors.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace emulator::cuda {
struct fat_binary;
}

/// The type to which a cudaKernel_t and a cudaFunction_t point: a registered kernel.
struct CUkern_st {
  emulator::cuda::fat_binary* binary = nullptr;
  std::string name;
  void const* host = nullptr;
  std::atomic<bool> loaded = false;
  // What cudaFuncSetAttribute sets.
  std::atomic<int> largest_dynamic_shared = -1; ///< -1: the rest of 48 KiB
  std::atomic<bool> large_clusters = false;
};

namespace emulator::cuda {

/// Returns the kernel that a host function, a cudaKernel_t or a cudaFunction_t stands for.
/// Errors: failure cudaErrorInvalidDeviceFunction
CUkern_st& find_kernel(void const* symbol);

/// Returns how much dynamic shared memory a launch may request.
std::size_t largest_dynamic_shared(CUkern_st const&, function const&);

/// Called before the first use of a kernel. With lazy loading, waits for all grids (environment.hpp).
void load(CUkern_st&);

/// Returns the kernel's decoded code.
/// Errors: failure cudaErrorNoKernelImageForDevice, cudaErrorInvalidDeviceFunction; ptx::rejected
function const& code_of(CUkern_st const&);

struct device_variable {
  void* address;
  std::size_t size;
};
/// Errors: failure cudaErrorInvalidSymbol, and those of code_of
device_variable find_variable(void const* symbol);

/// For cudaDeviceReset: unloads all programs, which are loaded again at their next use.
void unload_programs(bool give_back);

} // namespace emulator::cuda
