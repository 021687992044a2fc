// SPDX-License-Identifier: Apache-2.0
//
// context: the calls about the device as a whole: selection, limits and settings, other devices, reset.
#include "captures.hpp"
#include "contexts.hpp"
#include "graph.hpp"
#include "kernels.hpp"
#include "memory_map.hpp"
#include "properties.hpp"
#include "queue.hpp"

#include <cuda_profiler_api.h>

#include <array>
#include <atomic>

namespace emulator::cuda {
namespace {

std::array<std::atomic<size_t>, cudaLimitPersistingL2CacheSize + 1> limits = {
    1024,    // cudaLimitStackSize
    1 << 20, // cudaLimitPrintfFifoSize
    8 << 20, // cudaLimitMallocHeapSize
    2,       // cudaLimitDevRuntimeSyncDepth
    2048,    // cudaLimitDevRuntimePendingLaunchCount
    64,      // cudaLimitMaxL2FetchGranularity
    0,       // cudaLimitPersistingL2CacheSize
};

std::atomic<unsigned> device_flags = cudaDeviceScheduleAuto;
constexpr unsigned known_flags = cudaDeviceMask;

void require_device(int device) {
  the_device();
  require(device == 0, cudaErrorInvalidDevice);
}

} // namespace

void reset_device() {
  bool const idle = query([] { wait_for_everything(); }) == cudaSuccess;
  forget_captures();
  forget_graphs();
  destroy_all_streams();
  forget_memory(idle); // after a fault, grids that cannot be stopped may still use memory and code
  unload_programs(idle);
  destroy_primary();
}

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaSetDevice(int device) {
  return query([&] {
    require_device(device);
    set_context(primary_of_runtime());
  });
}

cudaError_t cudaInitDevice(int device, unsigned flags, unsigned) {
  return query([&] {
    require_device(device);
    require((flags & ~unsigned(cudaInitDeviceFlagsAreValid)) == 0);
    primary_of_runtime();
  });
}

cudaError_t cudaGetDevice(int* device) {
  return query([&] {
    require(device);
    *device = 0;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return query([&] {
    require(devices && count > 0);
    for (int i = 0; i < count; ++i) require_device(devices[i]);
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return query([&] {
    require((flags & ~known_flags) == 0);
    device_flags = flags;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return query([&] {
    require(flags);
    *flags = device_flags | cudaDeviceMapHost;
  });
}

cudaError_t cudaDeviceReset() {
  if (is_lost_child()) return reject_in_child();
  reset_device();
  forget_fault();
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&] {
    require(limit >= 0 && size_t(limit) < limits.size(), cudaErrorUnsupportedLimit);
    limits[limit] = value;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&] {
    require(value);
    require(limit >= 0 && size_t(limit) < limits.size(), cudaErrorUnsupportedLimit);
    *value = limits[limit];
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return call([] {});
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call([&] {
    require(config);
    *config = cudaFuncCachePreferNone;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return call([] {});
}

cudaError_t cudaProfilerStart() {
  return call([] {});
}

cudaError_t cudaProfilerStop() {
  return call([] {});
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return query([&] {
    require(can);
    require_device(device);
    require_device(peer);
    *can = 0; // a device is not its own peer
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return call([] { throw failure{cudaErrorInvalidDevice}; });
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
  return call([] { throw failure{cudaErrorPeerAccessNotEnabled}; });
}
