// SPDX-License-Identifier: Apache-2.0
//
// cuda: the table of a build with a CUDA toolkit. The only file of the library that calls the CUDA runtime.
//
// CUDA also keeps a failed call's error for the next cudaGetLastError, where a program that asks it after a
// launch would take it for the kernel's. These failures are reported to the caller, so they are taken back
// out. An error of a kernel that ran is not lost: CUDA returns it from every call that follows.
#include "cuda_calls.hpp"

#include <cstring>
#include <cuda_runtime_api.h>

namespace cudax::runtime {
namespace {

// clang-format off
static_assert(cuda::success == cudaSuccess && cuda::invalid_value == cudaErrorInvalidValue &&
              cuda::memory_allocation == cudaErrorMemoryAllocation &&
              cuda::invalid_configuration == cudaErrorInvalidConfiguration &&
              cuda::stub_library == cudaErrorStubLibrary &&
              cuda::insufficient_driver == cudaErrorInsufficientDriver &&
              cuda::invalid_device_function == cudaErrorInvalidDeviceFunction &&
              cuda::no_device == cudaErrorNoDevice &&
              cuda::invalid_device == cudaErrorInvalidDevice &&
              cuda::no_kernel_image == cudaErrorNoKernelImageForDevice &&
              cuda::invalid_resource_handle == cudaErrorInvalidResourceHandle &&
              cuda::illegal_address == cudaErrorIllegalAddress &&
              cuda::assertion_failed == cudaErrorAssert &&
              cuda::hardware_stack_error == cudaErrorHardwareStackError &&
              cuda::illegal_instruction == cudaErrorIllegalInstruction &&
              cuda::misaligned_address == cudaErrorMisalignedAddress &&
              cuda::invalid_address_space == cudaErrorInvalidAddressSpace &&
              cuda::invalid_program_counter == cudaErrorInvalidPc &&
              cuda::launch_failure == cudaErrorLaunchFailure &&
              cuda::already_registered == cudaErrorHostMemoryAlreadyRegistered &&
              cuda::not_registered == cudaErrorHostMemoryNotRegistered &&
              cuda::not_permitted == cudaErrorNotPermitted &&
              cuda::not_supported == cudaErrorNotSupported);
// clang-format on

int reported(cudaError_t error) {
  if (error != cudaSuccess) (void)cudaGetLastError();
  return error;
}

int register_memory(void* address, std::size_t size) {
  return reported(cudaHostRegister(address, size, cudaHostRegisterMapped | cudaHostRegisterPortable));
}
int unregister_memory(void* address) { return reported(cudaHostUnregister(address)); }
int device_address(void** device, void* host) { return reported(cudaHostGetDevicePointer(device, host, 0)); }

int owner(memory_owner* owner, int* device, void const* address) {
  cudaPointerAttributes attributes;
  if (cudaError_t const error = cudaPointerGetAttributes(&attributes, address)) return reported(error);
  switch (attributes.type) {
  case cudaMemoryTypeManaged: *owner = memory_owner::managed; break;
  case cudaMemoryTypeDevice: *owner = memory_owner::device; break;
  case cudaMemoryTypeHost: *owner = memory_owner::host; break;
  default: *owner = memory_owner::unregistered;
  }
  *device = attributes.device;
  return cuda::success;
}

int allocate_mapped(void** host, std::size_t size) {
  return reported(cudaHostAlloc(host, size, cudaHostAllocMapped | cudaHostAllocPortable));
}
int free_mapped(void* host) { return reported(cudaFreeHost(host)); }
int allocate_managed(void** address, std::size_t size) {
  return reported(cudaMallocManaged(address, size, cudaMemAttachGlobal));
}
int free_managed(void* address) { return reported(cudaFree(address)); }

int count_devices(int* count) { return reported(cudaGetDeviceCount(count)); }

int describe_device(device_description* description, int ordinal) {
  struct {
    cudaDeviceAttr attribute;
    int device_description::* member;
  } constexpr wanted[] = {
      {cudaDevAttrComputeCapabilityMajor, &device_description::compute_capability_major},
      {cudaDevAttrComputeCapabilityMinor, &device_description::compute_capability_minor},
      {cudaDevAttrMultiProcessorCount, &device_description::multiprocessors},
      {cudaDevAttrUnifiedAddressing, &device_description::unified_addressing},
      {cudaDevAttrCanMapHostMemory, &device_description::can_map_host_memory},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, &device_description::can_use_host_pointer_for_registered_mem},
      {cudaDevAttrConcurrentManagedAccess, &device_description::concurrent_managed_access},
      {cudaDevAttrHostNativeAtomicSupported, &device_description::host_native_atomic_supported},
      {cudaDevAttrPageableMemoryAccess, &device_description::pageable_memory_access},
      {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
       &device_description::pageable_memory_access_uses_host_page_tables},
      {cudaDevAttrCooperativeLaunch, &device_description::cooperative_launch},
      {cudaDevAttrClusterLaunch, &device_description::cluster_launch},
  };
  for (auto const& [attribute, member] : wanted)
    if (cudaError_t const error = cudaDeviceGetAttribute(&(description->*member), attribute, ordinal))
      return reported(error);
  description->only_partial_host_native_atomic_supported = 0;
#if CUDART_VERSION >= 13000
  // An older driver does not know it.
  if (cudaDeviceGetAttribute(&description->only_partial_host_native_atomic_supported,
                             cudaDevAttrOnlyPartialHostNativeAtomicSupported, ordinal) != cudaSuccess)
    (void)cudaGetLastError();
#endif
  cudaDeviceProp properties;
  if (cudaError_t const error = cudaGetDeviceProperties(&properties, ordinal)) return reported(error);
  static_assert(sizeof(properties.name) <= sizeof(description->name));
  std::memcpy(description->name, properties.name, sizeof(properties.name));
  return cuda::success;
}

int describe_peer(peer_description* description, int source, int destination) {
  if (cudaError_t const error =
          cudaDeviceGetP2PAttribute(&description->access_supported, cudaDevP2PAttrAccessSupported, source, destination))
    return reported(error);
  if (cudaError_t const error = cudaDeviceGetP2PAttribute(&description->native_atomic_supported,
                                                          cudaDevP2PAttrNativeAtomicSupported, source, destination))
    return reported(error);
  description->only_partial_native_atomic_supported = 0;
#if CUDART_VERSION >= 13000
  if (cudaDeviceGetP2PAttribute(&description->only_partial_native_atomic_supported,
                                cudaDevP2PAttrOnlyPartialNativeAtomicSupported, source, destination) != cudaSuccess)
    (void)cudaGetLastError();
#endif
  return cuda::success;
}

int versions(int* driver, int* runtime) {
  if (cudaError_t const error = cudaDriverGetVersion(driver)) return reported(error);
  return reported(cudaRuntimeGetVersion(runtime));
}

char const* error_name(int error) {
  return error == cuda::built_without ? calls_without_cuda.error_name(error)
                                      : cudaGetErrorName(static_cast<cudaError_t>(error));
}
char const* error_text(int error) {
  return error == cuda::built_without ? calls_without_cuda.error_text(error)
                                      : cudaGetErrorString(static_cast<cudaError_t>(error));
}

} // namespace

constinit cuda_calls const calls_of_cuda = {
    .register_memory = register_memory,
    .unregister_memory = unregister_memory,
    .device_address = device_address,
    .owner = owner,
    .allocate_mapped = allocate_mapped,
    .free_mapped = free_mapped,
    .allocate_managed = allocate_managed,
    .free_managed = free_managed,
    .count_devices = count_devices,
    .describe_device = describe_device,
    .describe_peer = describe_peer,
    .versions = versions,
    .error_name = error_name,
    .error_text = error_text,
};

} // namespace cudax::runtime
