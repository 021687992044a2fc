// SPDX-License-Identifier: Apache-2.0
//
// kernels: the device code of the program: what was registered, and the kernel or variable that a host symbol stands for.
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

/// What a cudaKernel_t and a cudaFunction_t point to: a kernel that was registered.
struct CUkern_st {
  emulator::cuda::fat_binary* binary = nullptr;
  std::string name;
  void const* host = nullptr;
  std::atomic<bool> loaded = false;
  // What cudaFuncSetAttribute sets.
  std::atomic<int> largest_dynamic_shared = -1; ///< -1: what is left of 48 KiB
  std::atomic<bool> large_clusters = false;
};

namespace emulator::cuda {

/// The kernel that a host function, a cudaKernel_t or a cudaFunction_t stands for.
/// Errors: failure cudaErrorInvalidDeviceFunction
CUkern_st& find_kernel(void const* symbol);

/// How much dynamic shared memory a launch may ask for.
std::size_t largest_dynamic_shared(CUkern_st const&, function const&);

/// What the first use of a kernel does before it, where kernels are loaded lazily: waits for all grids (environment.hpp).
void load(CUkern_st&);

/// Its code, decoded.
/// Errors: failure cudaErrorNoKernelImageForDevice, cudaErrorInvalidDeviceFunction; ptx::refused
function const& code_of(CUkern_st const&);

struct device_variable {
  void* address;
  std::size_t size;
};
/// Errors: failure cudaErrorInvalidSymbol, and those of code_of
device_variable find_variable(void const* symbol);

/// cudaDeviceReset: programs are loaded again where they are used again.
void unload_programs(bool give_back);

} // namespace emulator::cuda
