// SPDX-License-Identifier: Apache-2.0
//
// pool: memory that is allocated and freed in stream order.
//
// The memory exists at once, and is freed when the stream reaches the free. The pools cache nothing; they only count.
#include "captures.hpp"
#include "memory_map.hpp"
#include "queue.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <set>

/// The type to which a cudaMemPool_t points.
struct CUmemPoolHandle_st {
  std::atomic<std::uint64_t> threshold = 0;
};

namespace emulator::cuda {
namespace {

std::mutex lock;
CUmemPoolHandle_st default_pool;
cudaMemPool_t current_pool = &default_pool;

std::set<cudaMemPool_t>& pools() {
  static auto& made = *new std::set<cudaMemPool_t>;
  return made;
}

void require_pool(cudaMemPool_t pool) {
  std::lock_guard guard(lock);
  require(pool == &default_pool || pools().contains(pool));
}

void forbid_memory_node(CUstream_st const& stream) {
  if (status_of(stream) == cudaStreamCaptureStatusNone) return;
  say("memory is allocated or freed in a captured stream, and the emulator's graphs have no nodes that do so; allocate "
      "before the capture, and free when the graph has run");
  forbid_recording(stream, cudaErrorNotSupported);
}

void allocate_in(void** pointer, size_t size, cudaStream_t stream) {
  require(pointer);
  forbid_memory_node(*stream_of(stream));
  *pointer = allocate(size, memory_kind::device, 0);
}

bool is_flag(cudaMemPoolAttr attribute) { return attribute <= cudaMemPoolReuseAllowInternalDependencies; }

} // namespace
} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return call([&] { allocate_in(pointer, size, stream); });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return call([&] {
    require_pool(pool);
    allocate_in(pointer, size, stream);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return call([&] {
    auto const where = stream_of(stream);
    if (!pointer) return;
    auto const range = range_of(pointer);
    require(range && range->begin == pointer && range->kind == memory_kind::device);
    forbid_memory_node(*where);
    submit(where, {.run = [=] { release(pointer, memory_kind::device); }});
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call([&] {
    require(pool);
    require(device == 0, cudaErrorInvalidDevice);
    *pool = &default_pool;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call([&] {
    require(pool);
    require(device == 0, cudaErrorInvalidDevice);
    std::lock_guard guard(lock);
    *pool = current_pool;
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&] {
    require(device == 0, cudaErrorInvalidDevice);
    require_pool(pool);
    std::lock_guard guard(lock);
    current_pool = pool;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, cudaMemPoolProps const* properties) {
  return call([&] {
    require(pool && properties && properties->allocType == cudaMemAllocationTypePinned);
    require(properties->location.type == cudaMemLocationTypeDevice && properties->location.id == 0,
            cudaErrorNotSupported);
    std::lock_guard guard(lock);
    *pool = new CUmemPoolHandle_st;
    pools().insert(*pool);
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([&] {
    std::lock_guard guard(lock);
    require(pools().erase(pool) == 1);
    if (current_pool == pool) current_pool = &default_pool;
    delete pool;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return call([&] { require_pool(pool); });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, cudaMemAccessDesc const*, size_t) {
  return call([&] { require_pool(pool); }); // the only device has access
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([&] {
    require_pool(pool);
    require(value);
    if (attribute == cudaMemPoolAttrReleaseThreshold) pool->threshold = *static_cast<std::uint64_t const*>(value);
    else require(is_flag(attribute), cudaErrorNotSupported);
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([&] {
    require_pool(pool);
    require(value);
    memory_amount const left = memory_left();
    if (attribute == cudaMemPoolAttrReleaseThreshold) *static_cast<std::uint64_t*>(value) = pool->threshold;
    else if (is_flag(attribute)) *static_cast<int*>(value) = 1;
    else if (attribute == cudaMemPoolAttrUsedMemCurrent || attribute == cudaMemPoolAttrReservedMemCurrent)
      *static_cast<std::uint64_t*>(value) = left.total - left.free;
    else throw failure{cudaErrorNotSupported};
  });
}
