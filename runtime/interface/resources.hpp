// SPDX-License-Identifier: Apache-2.0
//
// resources: mapped and managed memory for containers and many small objects, as std::pmr::memory_resource. The
// declarations belong to the global module, as those of error.hpp do; cudax.sync.host exports them.
#pragma once

#include "error.hpp"

#include <cstddef>
#include <memory_resource>
#include <new>

namespace cudax {

namespace runtime {
class resource_pool;
}

/// The exception that a resource throws when CUDA reports an error for an allocation. Containers and their users expect
/// a std::bad_alloc. CUDA's error is a member: a class that derived from both std::bad_alloc and cuda_error would
/// contain two std::exceptions.
class cuda_bad_alloc : public std::bad_alloc {
public:
  explicit cuda_bad_alloc(cuda_error const& error) noexcept : error_(error) {}
  char const* what() const noexcept override;

  /// Returns the exception that a function of the host runtime would have thrown.
  cuda_error const& error() const noexcept { return error_; }
  std::error_code const& code() const noexcept { return error_.code(); }

private:
  cuda_error error_;
};

/// What a resource has allocated, in bytes and in numbers.
struct resource_statistics {
  std::size_t bytes_in_use;   ///< requested by the live allocations
  std::size_t bytes_reserved; ///< allocated from CUDA, in use or free
  std::size_t allocations;    ///< live ones
  std::size_t blocks;         ///< from CUDA: calls of cudaHostAlloc or cudaMallocManaged whose memory is not yet freed
};

/// Memory that host and devices both access, in pieces: thousands of small objects share pages. mapped_resource() and
/// managed_resource() are the only two instances; they live to the end of the process. Thread-safe.
class system_resource final : public std::pmr::memory_resource {
public:
  /// Returns what is in use and what is reserved.
  resource_statistics statistics() const noexcept;

  /// Allocates ahead until `bytes` of memory for small objects are free. CUDA's allocations may wait for running
  /// kernels, so a program that allocates while a kernel polls for it calls this first.
  /// Errors:   cuda_error if CUDA reports an error, or if the machine or a control group has less memory; the twin
  ///           stores the code
  void reserve(std::size_t bytes);
  void reserve(std::size_t bytes, std::error_code& error) noexcept;

  /// Returns unused memory to CUDA; no other function does. May wait for running kernels.
  /// Errors:   cuda_error if CUDA reports an error; the twin stores the code
  void trim();
  void trim(std::error_code& error) noexcept;

  /// Returns the address on the devices of an object in this memory. With unified addressing it is the host's address,
  /// and a kernel can follow the pointers of a container. Otherwise it is different, and pointers that a container
  /// stores are meaningless on a device.
  /// Errors:   cuda_error if the object is not in this memory; the twin stores the code and returns null
  template <class T> T* device_pointer(T* object) const { return static_cast<T*>(device_address(object)); }
  template <class T> T* device_pointer(T* object, std::error_code& error) const noexcept {
    return static_cast<T*>(device_address(object, error));
  }

private:
  friend system_resource* mapped_resource() noexcept;
  friend system_resource* managed_resource() noexcept;

  explicit system_resource(runtime::resource_pool& pool) noexcept : pool_(pool) {}
  void* device_address(void const volatile* object) const;
  void* device_address(void const volatile* object, std::error_code& error) const noexcept;

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(std::pmr::memory_resource const& other) const noexcept override;

  runtime::resource_pool& pool_;
};

/// Returns the resource of mapped memory (of managed memory): for std::pmr containers and
/// std::pmr::polymorphic_allocator.
/// Source:   [mem.res.class]; cudaHostAlloc (mapped, portable); cudaMallocManaged (global)
/// Scope:    as for make_mapped and make_managed objects: each allocation has its words of 4 bytes to itself; elements of
///           1 or 2 bytes share them
/// Units:    sizes up to 16 KiB come from blocks of 64 KiB, in steps of 16 bytes (above 1 KiB, in steps of a 32nd); larger
///           ones have their own pages
/// Errors:   allocate() throws cuda_bad_alloc if CUDA reports an error or there is none, std::bad_alloc for lack of
///           ordinary memory. Freeing memory that was not allocated here in this way ends the program
system_resource* mapped_resource() noexcept;
system_resource* managed_resource() noexcept;

} // namespace cudax
