// SPDX-License-Identifier: Apache-2.0
//
// memory: the calls that allocate, register and describe memory.
#include "captures.hpp"
#include "memory_map.hpp"
#include "properties.hpp"
#include "queue.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace emulator::cuda {
namespace {

constexpr unsigned host_flags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned register_flags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

void allocate_host(void** pointer, size_t size, unsigned flags) {
  forbid_in_captures();
  require(pointer && (flags & ~host_flags) == 0);
  *pointer = allocate(size, memory_kind::mapped, flags);
}

/// Frees memory once no submitted work can be using it, as CUDA does.
void release_when_idle(void* pointer, memory_kind kind) {
  if (!pointer) return;
  forbid_in_captures();
  wait_for_everything();
  release(pointer, kind);
}

/// Whether all pages of the range are mapped in the process. mincore fails if one is not.
bool is_present(void* pointer, size_t size) {
  auto const page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer) & ~(page - 1);
  size_t const bytes = reinterpret_cast<std::uintptr_t>(pointer) - begin + size;
  std::vector<unsigned char> pages((bytes + page - 1) / page);
  return mincore(reinterpret_cast<void*>(begin), bytes, pages.data()) == 0;
}

/// Whether the process may write to the whole range, which is mapped.
bool is_writable(void* pointer, size_t size) {
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer);
  std::ifstream maps("/proc/self/maps"); // begin-end permissions ..., in hexadecimal
  std::uintptr_t from = 0, to = 0;
  char dash = 0;
  for (std::string line, permissions; std::getline(maps, line);) {
    std::istringstream fields(line);
    if (fields >> std::hex >> from >> dash >> to >> permissions && from < begin + size && begin < to &&
        permissions[1] != 'w')
      return false;
  }
  return true;
}

size_t const pitch_alignment = 512;

size_t pitch_for(size_t width) { return (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment; }

/// Checks for managed memory, or for any memory if the device accesses the host's ordinary memory.
void require_managed(void const* pointer) {
  auto const range = range_of(pointer);
  require(range ? range->is_managed() : pageable_memory_access());
}

} // namespace
} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return call([&] {
    forbid_in_captures();
    require(pointer);
    *pointer = allocate(size, memory_kind::device, 0);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return call([&] {
    forbid_in_captures();
    require(pointer && pitch);
    *pitch = pitch_for(width);
    *pointer = allocate(*pitch * height, memory_kind::device, 0);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return call([&] {
    forbid_in_captures();
    require(pointer);
    size_t const pitch = pitch_for(extent.width);
    *pointer = {allocate(pitch * extent.height * extent.depth, memory_kind::device, 0), pitch, extent.width,
                extent.height};
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned flags) {
  return call([&] {
    forbid_in_captures();
    require(pointer && size > 0 && (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost));
    *pointer = allocate(size, memory_kind::managed, flags);
  });
}

cudaError_t cudaFree(void* pointer) {
  return call([&] {
    forbid_in_captures(); // also where there is nothing to free, as on an H100
    auto const range = range_of(pointer);
    release_when_idle(pointer,
                      range && range->kind == memory_kind::managed ? memory_kind::managed : memory_kind::device);
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
  return call([&] { allocate_host(pointer, size, flags); });
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return call([&] { allocate_host(pointer, size, cudaHostAllocDefault); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call([&] { release_when_idle(pointer, memory_kind::mapped); });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags) {
  return call([&] {
    forbid_in_captures();
    require(pointer && size > 0 && (flags & ~register_flags) == 0);
    require(is_present(pointer, size)); // like CUDA, which locks the pages
    require((flags & cudaHostRegisterReadOnly) || is_writable(pointer, size));
    add_range({pointer, size, memory_kind::registered, flags});
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call([&] {
    forbid_in_captures();
    require(pointer);
    wait_for_everything();
    remove_registered(pointer);
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call([&] {
    require(device && host && flags == 0);
    auto const range = range_of(host);
    require(range && range->is_host());
    *device = host;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call([&] {
    require(flags && host);
    auto const range = range_of(host);
    require(range && range->is_host());
    *flags = range->flags | cudaHostAllocMapped; // all registered memory is mapped
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, void const* pointer) {
  return query([&] {
    require(attributes && pointer);
    std::memset(static_cast<void*>(attributes), 0, sizeof *attributes);
    void* const address = const_cast<void*>(pointer);
    auto const range = range_of(pointer);
    if (!range) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      return;
    }
    attributes->device = 0;
    attributes->devicePointer = address;
    attributes->hostPointer = range->is_device() ? nullptr : address;
    attributes->type = range->is_device()    ? cudaMemoryTypeDevice
                       : range->is_managed() ? cudaMemoryTypeManaged
                                             : cudaMemoryTypeHost;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&] {
    memory_amount const left = memory_left();
    if (free) *free = left.free;
    if (total) *total = left.total;
  });
}

cudaError_t cudaMemAdvise(void const* pointer, size_t size, cudaMemoryAdvise advice, cudaMemLocation) {
  return call([&] {
    require(pointer && size > 0 && advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy);
    require_managed(pointer);
  });
}

cudaError_t cudaMemPrefetchAsync(void const* pointer, size_t size, cudaMemLocation, unsigned flags,
                                 cudaStream_t stream) {
  return call([&] {
    require(pointer && size > 0 && flags == 0);
    require_managed(pointer);
    auto const where = stream_of(stream);
    forbid_recording(*where, cudaErrorStreamCaptureUnsupported); // a graph has no node for it
    submit(where, {});
  });
}
