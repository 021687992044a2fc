// SPDX-License-Identifier: Apache-2.0
//
// memory_map: the owner and kind of the memory at an address.
//
// All memory is memory of the host, and a device pointer is a host pointer. The kinds differ in what CUDA reports about
// them and in which operations it rejects.
#pragma once

#include "contexts.hpp"
#include "errors.hpp"

#include <cstddef>
#include <optional>

namespace emulator::cuda {

enum class memory_kind {
  device,           ///< cudaMalloc and related calls
  variable,         ///< of a program: device memory that is never freed
  managed_variable, ///< of a program, __managed__
  managed,          ///< cudaMallocManaged
  mapped,           ///< cudaHostAlloc, cudaMallocHost
  registered,       ///< cudaHostRegister: memory of the program
};

struct memory_range {
  void* begin = nullptr;
  std::size_t size = 0;
  memory_kind kind = memory_kind::device;
  unsigned flags = 0;
  CUctx_st* context = current_context(); ///< in which it was created

  bool is_device() const { return kind == memory_kind::device || kind == memory_kind::variable; }
  bool is_managed() const { return kind == memory_kind::managed || kind == memory_kind::managed_variable; }
  bool is_variable() const { return kind == memory_kind::variable || kind == memory_kind::managed_variable; }
  bool is_host() const { return kind == memory_kind::mapped || kind == memory_kind::registered; }
};

/// Allocates memory; returns null for 0 bytes.
/// Errors: failure cudaErrorMemoryAllocation
void* allocate(std::size_t size, memory_kind, unsigned flags);
/// Frees memory of this kind; ignores null.
/// Errors: failure cudaErrorInvalidValue if no allocation of this kind begins here
void release(void* begin, memory_kind);

/// Adds a range that other code allocated.
/// Errors: failure cudaErrorHostMemoryAlreadyRegistered if a part of it is registered
void add_range(memory_range const&);
/// Errors: failure cudaErrorHostMemoryNotRegistered
void remove_registered(void* begin);
void remove_variable(void* begin);

/// Reports that a copy or fill wrote `rows` rows of `width` bytes, `pitch` bytes apart: a checked run tracks which
/// memory is initialised.
void tell_written(void* begin, std::size_t pitch, std::size_t width, std::size_t rows);

/// Returns the range that contains this address.
std::optional<memory_range> range_of(void const* address);

struct memory_amount {
  std::size_t free, total;
};
memory_amount memory_left();

/// For cudaDeviceReset: forgets all ranges; frees those that were allocated here if they cannot be in use.
void forget_memory(bool give_back);

} // namespace emulator::cuda
