// SPDX-License-Identifier: Apache-2.0
//
// driver: the functions of the driver that cudaGetDriverEntryPoint returns. Most do what the runtime's function of the
// same purpose does. They differ as the driver's do: a function needs a current context and creates none, and it does
// not change the runtime's last error.
#include "contexts.hpp"
#include "environment.hpp"
#include "memory_map.hpp"
#include "queue.hpp"
#include "tensor_map.hpp"

#include <cuda.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace emulator::cuda {
namespace {

/// Runs the body of a function that needs no context.
template <class F>
CUresult answer(F body) noexcept {
  cudaError_t const before = exchange_last_error(cudaSuccess);
  cudaError_t const code = query(body);
  exchange_last_error(before);
  return static_cast<CUresult>(code); // the numbers are the same
}

/// As answer, for a function that needs a context.
template <class F>
CUresult answer_in_context(F body) noexcept {
  return answer([&] {
    require_context();
    body();
  });
}

/// Converts an error that the runtime's function returned into a failure of the body. The driver has no code for an
/// invalid configuration.
void as_runtime(cudaError_t code) {
  require(code == cudaSuccess, code == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : code);
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

// --- the device ------------------------------------------------------------------------------------------------------

CUresult init(unsigned flags) {
  return answer([&] { require(flags == 0); });
}

CUresult driver_version(int* version) {
  return answer([&] { as_runtime(cudaDriverGetVersion(version)); });
}

CUresult device_get(CUdevice* device, int ordinal) {
  return answer([&] {
    require(device);
    require(ordinal == 0, cudaErrorInvalidDevice);
    *device = ordinal;
  });
}

CUresult device_count(int* count) {
  return answer([&] { as_runtime(cudaGetDeviceCount(count)); });
}

CUresult device_name(char* name, int size, CUdevice device) {
  return answer([&] {
    require(name && size > 0);
    cudaDeviceProp properties;
    as_runtime(cudaGetDeviceProperties(&properties, device));
    auto const length = std::min(std::strlen(properties.name), static_cast<size_t>(size) - 1);
    std::memcpy(name, properties.name, length);
    name[length] = 0;
  });
}

CUresult device_attribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return answer([&] { as_runtime(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device)); });
}

CUresult peer_attribute(int* value, CUdevice_P2PAttribute attribute, CUdevice device, CUdevice peer) {
  return answer(
      [&] { as_runtime(cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), device, peer)); });
}

CUresult can_access_peer(int* can, CUdevice device, CUdevice peer) {
  return answer([&] { as_runtime(cudaDeviceCanAccessPeer(can, device, peer)); });
}

CUresult enable_peer_access(CUcontext, unsigned) {
  return answer_in_context([] { throw failure{cudaErrorInvalidDevice}; }); // there is only one device
}

// --- contexts --------------------------------------------------------------------------------------------------------

CUresult primary_retain(CUcontext* context, CUdevice device) {
  return answer([&] {
    require(context);
    require(device == 0, cudaErrorInvalidDevice);
    *context = retain_primary();
  });
}

CUresult primary_release(CUdevice device) {
  return answer([&] {
    require(device == 0, cudaErrorInvalidDevice);
    if (release_primary()) reset_device();
  });
}

CUresult primary_reset(CUdevice device) {
  return answer([&] {
    require(device == 0, cudaErrorInvalidDevice);
    reset_device();
  });
}

CUresult primary_state(CUdevice device, unsigned* flags, int* active) {
  return answer([&] {
    require(flags && active);
    require(device == 0, cudaErrorInvalidDevice);
    *flags = 0;
    *active = primary_or_null() != nullptr;
  });
}

CUresult context_create(CUcontext* context, unsigned, CUdevice device) {
  return answer([&] {
    require(context);
    require(device == 0, cudaErrorInvalidDevice);
    mind_forks();
    *context = new CUctx_st;
    push_context(*context);
  });
}

CUresult context_destroy(CUcontext context) {
  return answer([&] {
    require(context && !context->primary && context->alive.exchange(false), cudaErrorDeviceUninitialized);
    if (current_context() == context) pop_context();
  });
}

CUresult context_current(CUcontext* context) {
  return answer([&] {
    require(context);
    *context = current_context();
  });
}

CUresult context_id(CUcontext context, unsigned long long* id) {
  return answer([&] {
    require(context && id);
    if (!context->alive) throw failure{cudaErrorContextIsDestroyed};
    *id = reinterpret_cast<std::uintptr_t>(context); // handles are never reused
  });
}

CUresult context_set(CUcontext context) {
  return answer([&] { set_context(context); });
}

CUresult context_push(CUcontext context) {
  return answer([&] { push_context(context); });
}

CUresult context_pop(CUcontext* context) {
  return answer([&] {
    CUctx_st* const top = pop_context();
    if (context) *context = top;
  });
}

CUresult context_device(CUdevice* device) {
  return answer_in_context([&] {
    require(device);
    *device = 0;
  });
}

CUresult exchange_capture_mode(CUstreamCaptureMode* mode) {
  return answer([&] {
    require(mode);
    auto exchanged = static_cast<cudaStreamCaptureMode>(*mode);
    as_runtime(cudaThreadExchangeStreamCaptureMode(&exchanged));
    *mode = static_cast<CUstreamCaptureMode>(exchanged);
  });
}

/// Returns CUDA's default, whatever the emulator does (environment.hpp).
CUresult loading_mode(CUmoduleLoadingMode* mode) {
  return answer([&] {
    require(mode);
    char const* const wish = std::getenv("CUDA_MODULE_LOADING");
    *mode = wish && std::string_view(wish) == "EAGER" ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
  });
}

// --- memory ----------------------------------------------------------------------------------------------------------

CUresult host_alloc(void** at, size_t size, unsigned flags) {
  return answer_in_context([&] { as_runtime(cudaHostAlloc(at, size, flags)); });
}

CUresult host_free(void* at) {
  return answer_in_context([&] { as_runtime(cudaFreeHost(at)); });
}

CUresult managed_alloc(CUdeviceptr* at, size_t size, unsigned flags) {
  return answer_in_context([&] {
    require(at);
    void* made = nullptr;
    as_runtime(cudaMallocManaged(&made, size, flags));
    *at = reinterpret_cast<CUdeviceptr>(made);
  });
}

CUresult device_free(CUdeviceptr at) {
  return answer_in_context([&] { as_runtime(cudaFree(pointer(at))); });
}

CUresult host_register(void* at, size_t size, unsigned flags) {
  return answer_in_context([&] { as_runtime(cudaHostRegister(at, size, flags)); });
}

CUresult host_unregister(void* at) {
  return answer_in_context([&] { as_runtime(cudaHostUnregister(at)); });
}

CUresult host_device_pointer(CUdeviceptr* device, void* host, unsigned flags) {
  return answer_in_context([&] {
    require(device);
    void* on_device = nullptr;
    as_runtime(cudaHostGetDevicePointer(&on_device, host, flags));
    *device = reinterpret_cast<CUdeviceptr>(on_device);
  });
}

/// For memory that CUDA does not know, cuPointerGetAttributes sets everything to 0.
void attribute_of(CUpointer_attribute attribute, memory_range const* range, void* value) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: *static_cast<CUcontext*>(value) = range ? range->context : nullptr; break;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned*>(value) = !range ? 0 : range->is_host() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    break;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: *static_cast<unsigned*>(value) = range && range->is_managed(); break;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int*>(value) = range ? 0 : cudaInvalidDeviceId; break;
  default: throw failure{cudaErrorNotSupported};
  }
}

CUresult pointer_attribute(void* value, CUpointer_attribute attribute, CUdeviceptr at) {
  return answer([&] {
    require(value);
    auto const range = range_of(pointer(at));
    require(range.has_value());
    attribute_of(attribute, &*range, value);
  });
}

CUresult pointer_attributes(unsigned count, CUpointer_attribute* attributes, void** values, CUdeviceptr at) {
  return answer_in_context([&] {
    require(attributes && values);
    auto const range = range_of(pointer(at));
    for (unsigned i = 0; i < count; ++i) attribute_of(attributes[i], range ? &*range : nullptr, values[i]);
  });
}

// --- streams, events, kernels ----------------------------------------------------------------------------------------

CUresult stream_query(CUstream stream) {
  return answer_in_context([&] { as_runtime(cudaStreamQuery(stream)); });
}

CUresult stream_is_capturing(CUstream stream, CUstreamCaptureStatus* status) {
  return answer_in_context([&] {
    require(status);
    auto found = cudaStreamCaptureStatusNone;
    as_runtime(cudaStreamIsCapturing(stream, &found));
    *status = static_cast<CUstreamCaptureStatus>(found);
  });
}

/// A stream that the program created has the context in which it was created; the default streams have the thread's.
CUresult stream_context(CUstream stream, CUcontext* context) {
  return answer([&] {
    require(context);
    bool const is_default = !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
    if (is_default) require_context();
    *context = is_default ? current_context() : stream_of(stream)->context;
  });
}

CUresult event_query(CUevent event) {
  return answer_in_context([&] { as_runtime(cudaEventQuery(event)); });
}

CUresult function_attribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return answer_in_context([&] {
    require(value);
    cudaFuncAttributes a;
    as_runtime(cudaFuncGetAttributes(&a, function));
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(a.sharedSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(a.localSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = a.maxDynamicSharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = a.preferredShmemCarveout; break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: *value = a.nonPortableClusterSizeAllowed; break;
    default: throw failure{cudaErrorNotSupported};
    }
  });
}

CUresult set_function_attribute(CUfunction function, CUfunction_attribute attribute, int value) {
  static_assert(int(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) ==
                int(cudaFuncAttributeMaxDynamicSharedMemorySize));
  return answer_in_context(
      [&] { as_runtime(cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value)); });
}

CUresult resident_blocks(int* blocks, CUfunction function, int threads, size_t shared) {
  return answer_in_context(
      [&] { as_runtime(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared)); });
}

cudaLaunchConfig_t configuration_of(CUlaunchConfig const& c, std::vector<cudaLaunchAttribute>& attributes) {
  static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute)); // with the same numbers and members
  attributes.resize(c.numAttrs);
  if (c.numAttrs) std::memcpy(attributes.data(), c.attrs, c.numAttrs * sizeof(CUlaunchAttribute));
  return {.gridDim = ::dim3(c.gridDimX, c.gridDimY, c.gridDimZ),
          .blockDim = ::dim3(c.blockDimX, c.blockDimY, c.blockDimZ),
          .dynamicSmemBytes = c.sharedMemBytes,
          .stream = c.hStream,
          .attrs = attributes.data(),
          .numAttrs = c.numAttrs};
}

CUresult resident_clusters(int* clusters, CUfunction function, CUlaunchConfig const* c) {
  return answer_in_context([&] {
    require(c && (c->attrs || c->numAttrs == 0));
    std::vector<cudaLaunchAttribute> attributes;
    cudaLaunchConfig_t const config = configuration_of(*c, attributes);
    as_runtime(cudaOccupancyMaxActiveClusters(clusters, function, &config));
  });
}

CUresult launch_cooperative(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments) {
  return answer_in_context([&] {
    as_runtime(cudaLaunchCooperativeKernel(function, ::dim3(grid_x, grid_y, grid_z), ::dim3(block_x, block_y, block_z),
                                           arguments, shared, stream));
  });
}

CUresult launch_ex(CUlaunchConfig const* c, CUfunction function, void** arguments, void** extra) {
  return answer_in_context([&] {
    require(c && !extra && (c->attrs || c->numAttrs == 0));
    std::vector<cudaLaunchAttribute> attributes;
    cudaLaunchConfig_t const config = configuration_of(*c, attributes);
    as_runtime(cudaLaunchKernelExC(&config, function, arguments));
  });
}

CUresult stream_create(CUstream* stream, unsigned flags) {
  return answer_in_context([&] { as_runtime(cudaStreamCreateWithFlags(stream, flags)); });
}

CUresult stream_destroy(CUstream stream) {
  return answer_in_context([&] { as_runtime(cudaStreamDestroy(stream)); });
}

CUresult launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments, void** extra) {
  return answer_in_context([&] {
    require(!extra);
    as_runtime(cudaLaunchKernel(function, ::dim3(grid_x, grid_y, grid_z), ::dim3(block_x, block_y, block_z), arguments,
                                shared, stream));
  });
}

// --- the list --------------------------------------------------------------------------------------------------------

struct entry {
  std::string_view name;
  void* function;
  unsigned since, until = ~0u; ///< the CUDA versions in which the name denotes this function
};

/// The cast takes the parameters from the header.
#define ENTRY(name, function, since) {#name, reinterpret_cast<void*>(static_cast<decltype(&::name)>(function)), since}

/// As cudaGetDriverEntryPointByVersion: a function that is not in the list is null.
CUresult get_proc_address(char const* symbol, void** function, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* status);

entry const* find_entry(std::string_view name) {
  static entry const all[] = {
      ENTRY(cuInit, init, 2000),
      ENTRY(cuDriverGetVersion, driver_version, 2020),
      ENTRY(cuDeviceGet, device_get, 2000),
      ENTRY(cuDeviceGetCount, device_count, 2000),
      ENTRY(cuDeviceGetName, device_name, 2000),
      ENTRY(cuDeviceGetAttribute, device_attribute, 2000),
      ENTRY(cuDeviceGetP2PAttribute, peer_attribute, 8000),
      ENTRY(cuDeviceCanAccessPeer, can_access_peer, 4000),
      ENTRY(cuCtxEnablePeerAccess, enable_peer_access, 4000),
      ENTRY(cuDevicePrimaryCtxRetain, primary_retain, 7000),
      ENTRY(cuDevicePrimaryCtxRelease, primary_release, 11000),
      ENTRY(cuDevicePrimaryCtxReset, primary_reset, 11000),
      ENTRY(cuDevicePrimaryCtxGetState, primary_state, 7000),
      {"cuCtxCreate", reinterpret_cast<void*>(context_create), 3020, 11030}, // later versions have other parameters
      ENTRY(cuCtxDestroy, context_destroy, 4000),
      ENTRY(cuCtxGetCurrent, context_current, 4000),
      ENTRY(cuCtxSetCurrent, context_set, 4000),
      ENTRY(cuCtxPushCurrent, context_push, 4000),
      ENTRY(cuCtxPopCurrent, context_pop, 4000),
      ENTRY(cuCtxGetDevice, context_device, 2000),
      ENTRY(cuCtxGetId, context_id, 12000),
      ENTRY(cuThreadExchangeStreamCaptureMode, exchange_capture_mode, 10010),
      ENTRY(cuModuleGetLoadingMode, loading_mode, 11070),
      ENTRY(cuMemHostAlloc, host_alloc, 2020),
      ENTRY(cuMemFreeHost, host_free, 2000),
      ENTRY(cuMemAllocManaged, managed_alloc, 6000),
      ENTRY(cuMemFree, device_free, 3020),
      ENTRY(cuMemHostRegister, host_register, 6050),
      ENTRY(cuMemHostUnregister, host_unregister, 4000),
      ENTRY(cuMemHostGetDevicePointer, host_device_pointer, 3020),
      ENTRY(cuPointerGetAttribute, pointer_attribute, 4000),
      ENTRY(cuPointerGetAttributes, pointer_attributes, 7000),
      ENTRY(cuStreamCreate, stream_create, 2000),
      ENTRY(cuStreamDestroy, stream_destroy, 4000),
      ENTRY(cuStreamQuery, stream_query, 2000),
      ENTRY(cuStreamIsCapturing, stream_is_capturing, 10000),
      ENTRY(cuStreamGetCtx, stream_context, 9020),
      ENTRY(cuEventQuery, event_query, 2000),
      ENTRY(cuFuncGetAttribute, function_attribute, 2020),
      ENTRY(cuFuncSetAttribute, set_function_attribute, 9000),
      ENTRY(cuOccupancyMaxActiveBlocksPerMultiprocessor, resident_blocks, 6050),
      ENTRY(cuOccupancyMaxActiveClusters, resident_clusters, 11070),
      ENTRY(cuLaunchKernel, launch, 7000),
      ENTRY(cuLaunchKernelEx, launch_ex, 11060),
      ENTRY(cuLaunchCooperativeKernel, launch_cooperative, 9000),
      ENTRY(cuTensorMapEncodeTiled, encode_tiled, 12000),
      ENTRY(cuTensorMapEncodeIm2col, encode_im2col, 12000),
      ENTRY(cuTensorMapReplaceAddress, replace_address, 12000),
      ENTRY(cuGetProcAddress, get_proc_address, 12000), // earlier versions have other parameters
  };
  auto const found = std::ranges::find(all, name, &entry::name);
  return found == std::end(all) ? nullptr : found;
}

/// Of this version; null where there is none.
void* function_of(entry const* known, unsigned version) {
  return known && version >= known->since && version <= known->until ? known->function : nullptr;
}

CUresult get_proc_address(char const* symbol, void** function, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* status) {
  return answer([&] {
    require(symbol && function);
    entry const* const known = find_entry(symbol);
    *function = function_of(known, static_cast<unsigned>(version));
    if (status)
      *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                : known   ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                          : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    require(*function || known, cudaErrorSymbolNotFound); // CUDA_ERROR_NOT_FOUND
  });
}

} // namespace
} // namespace emulator::cuda

using namespace emulator::cuda;

/// A function that is not in the list is null, and the status says so if the caller passes one.
cudaError_t cudaGetDriverEntryPointByVersion(char const* symbol, void** function, unsigned version, unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return query([&] {
    require(symbol && function);
    entry const* const known = find_entry(symbol);
    *function = function_of(known, version);
    bool const fits = *function != nullptr;
    if (status)
      *status = fits    ? cudaDriverEntryPointSuccess
                : known ? cudaDriverEntryPointVersionNotSufficent
                        : cudaDriverEntryPointSymbolNotFound;
    else if (!fits)
      reject(cudaErrorSymbolNotFound, "cudaGetDriverEntryPoint: the emulator's driver has no " + std::string(symbol) +
                                          "; use the runtime's call");
  });
}

extern "C" cudaError_t cudaGetDriverEntryPoint(char const* symbol, void** function, unsigned long long flags,
                                               cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}
