// SPDX-License-Identifier: Apache-2.0
//
// cuda: the table of a build with a CUDA toolkit: memory and devices.
//
// Every call goes to the driver (driver.hpp), in relaxed capture mode, and in a context that contexts.hpp finds. So a
// call leaves the errors, the captures and the current context of the program unchanged. Freeing and unregistering may
// wait for running kernels, including those that other threads launched, as CUDA documents. In relaxed mode they may do
// so while streams are captured, because captured work does not run.
#include "contexts.hpp"
#include "cuda_calls.hpp"

#include <iterator>

namespace cudax::runtime {
namespace {

// clang-format off
static_assert(cuda::success == cudaSuccess && cuda::invalid_value == cudaErrorInvalidValue &&
              cuda::memory_allocation == cudaErrorMemoryAllocation &&
              cuda::not_initialized == cudaErrorInitializationError &&
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
// The driver and the runtime use the same numbers.
static_assert(int(CUDA_SUCCESS) == int(cudaSuccess) &&
              int(CUDA_ERROR_INVALID_VALUE) == int(cudaErrorInvalidValue) &&
              int(CUDA_ERROR_OUT_OF_MEMORY) == int(cudaErrorMemoryAllocation) &&
              int(CUDA_ERROR_DEINITIALIZED) == int(cudaErrorCudartUnloading) &&
              int(CUDA_ERROR_NO_DEVICE) == int(cudaErrorNoDevice) &&
              int(CUDA_ERROR_INVALID_DEVICE) == int(cudaErrorInvalidDevice) &&
              int(CUDA_ERROR_INVALID_CONTEXT) == int(cudaErrorDeviceUninitialized) &&
              int(CUDA_ERROR_NO_BINARY_FOR_GPU) == int(cudaErrorNoKernelImageForDevice) &&
              int(CUDA_ERROR_INVALID_HANDLE) == int(cudaErrorInvalidResourceHandle) &&
              int(CUDA_ERROR_ILLEGAL_ADDRESS) == int(cudaErrorIllegalAddress) &&
              int(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) == int(cudaErrorLaunchOutOfResources) &&
              int(CUDA_ERROR_CONTEXT_IS_DESTROYED) == int(cudaErrorContextIsDestroyed) &&
              int(CUDA_ERROR_ASSERT) == int(cudaErrorAssert) &&
              int(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) == int(cudaErrorHostMemoryAlreadyRegistered) &&
              int(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) == int(cudaErrorHostMemoryNotRegistered) &&
              int(CUDA_ERROR_HARDWARE_STACK_ERROR) == int(cudaErrorHardwareStackError) &&
              int(CUDA_ERROR_ILLEGAL_INSTRUCTION) == int(cudaErrorIllegalInstruction) &&
              int(CUDA_ERROR_MISALIGNED_ADDRESS) == int(cudaErrorMisalignedAddress) &&
              int(CUDA_ERROR_INVALID_ADDRESS_SPACE) == int(cudaErrorInvalidAddressSpace) &&
              int(CUDA_ERROR_INVALID_PC) == int(cudaErrorInvalidPc) &&
              int(CUDA_ERROR_LAUNCH_FAILED) == int(cudaErrorLaunchFailure) &&
              int(CUDA_ERROR_NOT_PERMITTED) == int(cudaErrorNotPermitted) &&
              int(CUDA_ERROR_NOT_SUPPORTED) == int(cudaErrorNotSupported));
// clang-format on

constexpr unsigned allocated = CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE;
constexpr unsigned registered = CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_PORTABLE;

CUdeviceptr number(void const* address) { return reinterpret_cast<CUdeviceptr>(address); }
void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// Calls call(driver) in a context for new memory.
template <class Call> int with_new_memory(Call call) {
  return with_driver([&](driver const& d) {
    return in_context(d, [](pushed_context& c) { return c.push_for_new_memory(); }, [&]() -> int { return call(d); });
  });
}

/// Calls call(driver) in a context for the memory at `address`. If there is none, returns `gone`: what CUDA returns for
/// memory whose context was destroyed.
template <class Call> int with_memory(void const* address, int gone, Call call) {
  return with_driver([&](driver const& d) {
    int const code =
        in_context(d, [=](pushed_context& c) { return c.push_for_memory(address); }, [&]() -> int { return call(d); });
    return is_gone(code) ? gone : code;
  });
}

int register_memory(void* address, std::size_t size) {
  return with_new_memory([=](driver const& d) { return d.cuMemHostRegister(address, size, registered); });
}
int unregister_memory(void* address) {
  return with_memory(address, cuda::not_registered, [=](driver const& d) { return d.cuMemHostUnregister(address); });
}

int device_address(void** device, void* host) {
  CUdeviceptr found = 0;
  int const code = with_memory(host, cuda::invalid_value,
                               [&](driver const& d) { return d.cuMemHostGetDevicePointer(&found, host, 0); });
  if (code == cuda::success) *device = pointer(found);
  return code;
}

int owner(memory_owner* owner, int* device, void const* address) {
  unsigned type = 0, is_managed = 0; // unchanged for unknown memory
  int ordinal = -1;
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* values[] = {&type, &is_managed, &ordinal};
  int const code = with_memory(address, cuda::success, [&](driver const& d) {
    return d.cuPointerGetAttributes(std::size(wanted), wanted, values, number(address));
  });
  if (code != cuda::success) return code;
  *owner = is_managed != 0                ? memory_owner::managed
           : type == CU_MEMORYTYPE_DEVICE ? memory_owner::device
           : type == CU_MEMORYTYPE_HOST   ? memory_owner::host
                                          : memory_owner::unregistered;
  *device = ordinal;
  return cuda::success;
}

int allocate_mapped(void** host, std::size_t size) {
  return with_new_memory([=](driver const& d) { return d.cuMemHostAlloc(host, size, allocated); });
}
int free_mapped(void* host) {
  return with_memory(host, cuda::invalid_value, [=](driver const& d) { return d.cuMemFreeHost(host); });
}
int allocate_managed(void** address, std::size_t size) {
  CUdeviceptr made = 0;
  int const code =
      with_new_memory([&](driver const& d) { return d.cuMemAllocManaged(&made, size, CU_MEM_ATTACH_GLOBAL); });
  if (code == cuda::success) *address = pointer(made);
  return code;
}
int free_managed(void* address) {
  return with_memory(address, cuda::invalid_value, [=](driver const& d) { return d.cuMemFree(number(address)); });
}

/// Finds the number of the context of an allocation; 0 if the driver names none.
int find_context(driver const& d, void const* memory, unsigned long long& number_of_it) {
  CUcontext context = nullptr;
  number_of_it = 0;
  int const code = d.cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, number(memory));
  return code == CUDA_SUCCESS && context ? int(d.cuCtxGetId(context, &number_of_it)) : code;
}

unsigned long long context_of(void const* memory) {
  int code = 0;
  unsigned long long found = 0;
  driver const* const d = find_driver(code);
  return d && find_context(*d, memory, found) == CUDA_SUCCESS ? found : 0;
}

// These are queries, which captures do not affect. If the memory belongs to the thread's context, the usual case, the
// number of that context decides.
bool is_alive(void const* memory, unsigned long long context) {
  int code = 0;
  driver const* const d = find_driver(code);
  if (!d) return false;
  if (context == 0) return true; // unknown context: assume that it is alive
  CUcontext current = nullptr;
  unsigned long long found = 0;
  if (d->cuCtxGetCurrent(&current) == CUDA_SUCCESS && current && d->cuCtxGetId(current, &found) == CUDA_SUCCESS &&
      found == context)
    return true;
  code = find_context(*d, memory, found);
  if (code == CUDA_SUCCESS) return found == context || !found;
  // Other errors concern the process, for example a kernel that died: the memory still exists.
  return code != CUDA_ERROR_INVALID_VALUE && !is_gone(code);
}

int count_devices(int* count) {
  return with_driver([=](driver const& d) -> int { return d.cuDeviceGetCount(count); });
}

int describe_device(device_description* description, int ordinal) {
  struct {
    CUdevice_attribute attribute;
    int device_description::* member;
  } constexpr wanted[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &device_description::compute_capability_major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &device_description::compute_capability_minor},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &device_description::multiprocessors},
      {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, &device_description::unified_addressing},
      {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, &device_description::can_map_host_memory},
      {CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM,
       &device_description::can_use_host_pointer_for_registered_mem},
      {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, &device_description::concurrent_managed_access},
      {CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, &device_description::host_native_atomic_supported},
      {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, &device_description::pageable_memory_access},
      {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
       &device_description::pageable_memory_access_uses_host_page_tables},
      {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, &device_description::cooperative_launch},
      {CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, &device_description::cluster_launch},
  };
  return with_driver([&](driver const& d) -> int {
    CUdevice device = 0;
    if (CUresult const error = d.cuDeviceGet(&device, ordinal)) return error;
    for (auto const& [attribute, member] : wanted)
      if (CUresult const error = d.cuDeviceGetAttribute(&(description->*member), attribute, device)) return error;
    description->only_partial_host_native_atomic_supported = 0; // for a driver that does not know the attribute
#if CUDA_VERSION >= 13000
    (void)d.cuDeviceGetAttribute(&description->only_partial_host_native_atomic_supported,
                                 CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED, device);
#endif
    return d.cuDeviceGetName(description->name, sizeof(description->name), device);
  });
}

int describe_peer(peer_description* description, int source, int destination) {
  return with_driver([&](driver const& d) -> int {
    CUdevice from = 0, to = 0;
    if (CUresult const error = d.cuDeviceGet(&from, source)) return error;
    if (CUresult const error = d.cuDeviceGet(&to, destination)) return error;
    if (CUresult const error = d.cuDeviceGetP2PAttribute(&description->access_supported,
                                                         CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, from, to))
      return error;
    if (CUresult const error = d.cuDeviceGetP2PAttribute(&description->native_atomic_supported,
                                                         CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, from, to))
      return error;
    description->only_partial_native_atomic_supported = 0;
#if CUDA_VERSION >= 13000
    (void)d.cuDeviceGetP2PAttribute(&description->only_partial_native_atomic_supported,
                                    CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED, from, to);
#endif
    return cuda::success;
  });
}

/// Queries the runtime. Without a driver, the driver's version is 0, which is not a failure.
int versions(int* driver, int* runtime) {
  if (cudaError_t const error = cudaDriverGetVersion(driver)) return error;
  return cudaRuntimeGetVersion(runtime);
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
// NOLINTNEXTLINE(bugprone-macro-parentheses): a designator
#define CUDAX_MEMORY_CALL(result, name, parameters) .name = name,
#include "calls.def"
};

} // namespace cudax::runtime
