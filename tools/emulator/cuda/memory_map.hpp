// SPDX-License-Identifier: Apache-2.0
//
// memory_map: whose memory an address is in.
// All memory is memory of the host, and a device pointer is a host pointer. What differs is what CUDA says about it, and what
// it refuses.
#pragma once

#include "contexts.hpp"
#include "errors.hpp"

#include <cstddef>
#include <optional>

namespace emulator::cuda {

enum class memory_kind {
  device,           ///< cudaMalloc and its kin
  variable,         ///< of a program: device memory that nobody frees
  managed_variable, ///< of a program, __managed__
  managed,          ///< cudaMallocManaged
  mapped,           ///< cudaHostAlloc, cudaMallocHost
  registered,       ///< cudaHostRegister: the program's own
};

struct memory_range {
  void* begin = nullptr;
  std::size_t size = 0;
  memory_kind kind = memory_kind::device;
  unsigned flags = 0;
  CUctx_st* context = current_context(); ///< that it was made in

  bool is_device() const { return kind == memory_kind::device || kind == memory_kind::variable; }
  bool is_managed() const { return kind == memory_kind::managed || kind == memory_kind::managed_variable; }
  bool is_variable() const { return kind == memory_kind::variable || kind == memory_kind::managed_variable; }
  bool is_host() const { return kind == memory_kind::mapped || kind == memory_kind::registered; }
};

/// New memory; of 0 bytes it is null.
/// Errors: failure cudaErrorMemoryAllocation
void* allocate(std::size_t size, memory_kind, unsigned flags);
/// Gives memory of this kind back; null is nothing.
/// Errors: failure cudaErrorInvalidValue where it does not begin here
void release(void* begin, memory_kind);

/// Makes a range of somebody else's known.
/// Errors: failure cudaErrorHostMemoryAlreadyRegistered where a part of it is
void add_range(memory_range const&);
/// Errors: failure cudaErrorHostMemoryNotRegistered
void remove_registered(void* begin);
void remove_variable(void* begin);

/// A copy or fill wrote `rows` rows of `width` bytes, `pitch` bytes apart: a checked run minds which memory has a value.
void tell_written(void* begin, std::size_t pitch, std::size_t width, std::size_t rows);

/// The range that holds this address.
std::optional<memory_range> range_of(void const* address);

struct memory_amount {
  std::size_t free, total;
};
memory_amount memory_left();

/// cudaDeviceReset: forgets all; gives back what it allocated where nobody can be using it.
void forget_memory(bool give_back);

} // namespace emulator::cuda
