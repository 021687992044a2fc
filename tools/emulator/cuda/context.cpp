// SPDX-License-Identifier: Apache-2.0
//
// context: the calls about the device as a whole: choosing it, its limits and settings, other devices, reset.
#include "kernels.hpp"
#include "memory_map.hpp"
#include "properties.hpp"
#include "queue.hpp"

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
} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaSetDevice(int device) {
  return call([&] { require_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned flags, unsigned) {
  return call([&] {
    require_device(device);
    require((flags & ~unsigned(cudaInitDeviceFlagsAreValid)) == 0);
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call([&] {
    require(device);
    *device = 0;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call([&] {
    require(devices && count > 0);
    for (int i = 0; i < count; ++i) require_device(devices[i]);
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call([&] {
    require((flags & ~known_flags) == 0);
    device_flags = flags;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call([&] {
    require(flags);
    *flags = device_flags | cudaDeviceMapHost;
  });
}

cudaError_t cudaDeviceReset() {
  bool const idle = call([] { wait_for_everything(); }) == cudaSuccess;
  destroy_all_streams();
  forget_memory(idle); // after a fault, grids that nobody can stop may still use memory and code
  unload_programs(idle);
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
  return call([&] {
    require(can);
    require_device(device);
    require_device(peer);
    *can = 0; // a device is no peer of itself
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return call([] { throw failure{cudaErrorInvalidDevice}; });
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
  return call([] { throw failure{cudaErrorPeerAccessNotEnabled}; });
}

/// There is no driver below. The function is null, and the status says so where the caller asks for it.
cudaError_t cudaGetDriverEntryPointByVersion(char const* symbol, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return call([&] {
    require(symbol && function);
    *function = nullptr;
    if (status) *status = cudaDriverEntryPointSymbolNotFound;
    else
      refuse(cudaErrorSymbolNotFound, "cudaGetDriverEntryPoint: the emulator has no driver, so no " +
                                          std::string(symbol) + "; use the runtime's call");
  });
}

extern "C" cudaError_t cudaGetDriverEntryPoint(char const* symbol, void** function, unsigned long long flags,
                                               cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}
