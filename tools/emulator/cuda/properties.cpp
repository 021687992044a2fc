// SPDX-License-Identifier: Apache-2.0
//
// properties: the properties that CUDA reports for the emulated device. Sizes that a program cannot observe are those
// of a typical real device.
#include "properties.hpp"
#include "../machine/mode.hpp"
#include "errors.hpp"
#include "memory_map.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace emulator::cuda {
namespace {

constexpr int clock_kilohertz = 1'000'000; // %clock counts nanoseconds

void require_device(int ordinal) {
  the_device(); // the environment may name a device that does not exist
  require(ordinal == 0, cudaErrorInvalidDevice);
}

void describe(cudaDeviceProp& p) {
  device_properties const& device = the_device().properties();
  std::memset(static_cast<void*>(&p), 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "cudax.sync emulator, sm_%d", device.sm);
  std::memcpy(p.uuid.bytes, "cudax.sync emu", 14);
  p.totalGlobalMem = memory_left().total;
  p.sharedMemPerBlock = device.shared_per_block;
  p.sharedMemPerBlockOptin = device.shared_per_block_optin;
  p.sharedMemPerMultiprocessor = device.shared_per_multiprocessor;
  p.reservedSharedMemPerBlock = device.shared_per_multiprocessor - device.shared_per_block_optin;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 65536;
  p.major = device.sm / 10;
  p.minor = device.sm % 10;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = device.multiprocessors;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 3;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 1 << 20;
  p.maxThreadsPerMultiProcessor = device.threads_per_multiprocessor;
  p.maxBlocksPerMultiProcessor = device.blocks_per_multiprocessor;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.managedMemory = 1;
  p.hostNativeAtomicSupported = host_native_atomics();
  p.pageableMemoryAccess = pageable_memory_access();
  p.pageableMemoryAccessUsesHostPageTables = pageable_memory_access();
  p.directManagedMemAccessFromHost = 1;
  p.concurrentManagedAccess = 1;
  p.computePreemptionSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = 1;
  p.hostRegisterReadOnlySupported = 1;
  p.cooperativeLaunch = 1;
  p.memoryPoolsSupported = 1;
  p.clusterLaunch = device.largest_cluster > 1;
  p.unifiedFunctionPointers = 0;
  p.hostNumaId = -1;
}

int attribute_of(cudaDeviceProp const& p, cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
  case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
  case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
  case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
  case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
  case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
  case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
  case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(p.sharedMemPerBlock);
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(p.sharedMemPerBlockOptin);
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(p.sharedMemPerMultiprocessor);
  case cudaDevAttrReservedSharedMemoryPerBlock: return static_cast<int>(p.reservedSharedMemPerBlock);
  case cudaDevAttrTotalConstantMemory: return static_cast<int>(p.totalConstMem);
  case cudaDevAttrWarpSize: return p.warpSize;
  case cudaDevAttrMaxPitch: return static_cast<int>(p.memPitch);
  case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
  case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
  case cudaDevAttrClockRate:
  case cudaDevAttrMemoryClockRate: return clock_kilohertz;
  case cudaDevAttrTextureAlignment:
  case cudaDevAttrSurfaceAlignment: return static_cast<int>(p.textureAlignment);
  case cudaDevAttrTexturePitchAlignment: return static_cast<int>(p.texturePitchAlignment);
  case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
  case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
  case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
  case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
  case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
  case cudaDevAttrL2CacheSize: return p.l2CacheSize;
  case cudaDevAttrComputeCapabilityMajor: return p.major;
  case cudaDevAttrComputeCapabilityMinor: return p.minor;
  case cudaDevAttrPageableMemoryAccess:
  case cudaDevAttrPageableMemoryAccessUsesHostPageTables: return p.pageableMemoryAccess;
  case cudaDevAttrHostNativeAtomicSupported: return p.hostNativeAtomicSupported;
  case cudaDevAttrClusterLaunch: return p.clusterLaunch;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio: return 2;
  case cudaDevAttrMemSyncDomainCount: return 1;
  case cudaDevAttrHostNumaId: return p.hostNumaId;
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrGlobalL1CacheSupported:
  case cudaDevAttrLocalL1CacheSupported:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrComputePreemptionSupported:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrCanFlushRemoteWrites:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrHostRegisterReadOnlySupported:
  case cudaDevAttrDirectManagedMemAccessFromHost:
  case cudaDevAttrMemoryPoolsSupported: return 1;
  default: // textures, surfaces, several devices, other processes, graphics: not supported
    require(attribute > 0 && attribute < cudaDevAttrMax);
    return 0;
  }
}

} // namespace

device& the_device() {
  static device& only = *new device(properties_from_environment()); // kept: grids may run when the program ends
  return only;
}

namespace {
bool is_zero(char const* variable) {
  char const* const value = std::getenv(variable);
  return value && std::strcmp(value, "0") == 0;
}
} // namespace

bool pageable_memory_access() {
  static bool const yes =
      !is_checked_run() && !is_zero("CUDAX_EMULATOR_PAGEABLE"); // ordinary host memory is not watched
  return yes;
}
bool host_native_atomics() {
  static bool const yes = !is_zero("CUDAX_EMULATOR_HOST_ATOMICS");
  return yes;
}

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaGetDeviceCount(int* count) {
  return query([&] {
    require(count);
    the_device();
    *count = 1;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return query([&] {
    require(properties);
    require_device(device);
    describe(*properties);
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return query([&] {
    require(value);
    require_device(device);
    cudaDeviceProp properties;
    describe(properties);
    *value = attribute_of(properties, attribute);
  });
}

cudaError_t cudaChooseDevice(int* device, cudaDeviceProp const* properties) {
  return query([&] {
    require(device && properties);
    *device = 0;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  return query([&] {
    require(text && size > 0);
    require_device(device);
    std::snprintf(text, static_cast<size_t>(size), "0000:00:00.0");
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, char const* text) {
  return query([&] {
    require(device && text);
    require(std::strcmp(text, "0000:00:00.0") == 0, cudaErrorInvalidDevice);
    *device = 0;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return query([] { throw failure{cudaErrorInvalidDevice}; }); // the query is about two devices
}

cudaError_t cudaDriverGetVersion(int* version) {
  return query([&] {
    require(version);
    *version = CUDART_VERSION;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return query([&] {
    require(version);
    *version = CUDART_VERSION;
  });
}
