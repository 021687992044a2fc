// SPDX-License-Identifier: Apache-2.0
//
// cuda_execution: the table of execution_calls.hpp of a build with a CUDA toolkit. As cuda.cpp, it takes the errors
// that it reports out of what cudaGetLastError returns; among them cudaErrorNotReady, which CUDA keeps there, too.
#include "execution_calls.hpp"

#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>

namespace cudax::runtime {
namespace {

// clang-format off
static_assert(cuda::not_ready == cudaErrorNotReady &&
              cuda::peer_access_already_enabled == cudaErrorPeerAccessAlreadyEnabled &&
              cuda::cooperative_launch_too_large == cudaErrorCooperativeLaunchTooLarge);
// clang-format on

int reported(cudaError_t error) {
  if (error != cudaSuccess) (void)cudaGetLastError();
  return error;
}

dim3 shape(extent e) { return {e.x, e.y, e.z}; }

/// While this lives, what the calling thread asks does not disturb those who capture streams. In CUDA's other modes a query
/// by any thread ends every capture of the process that is not relaxed: with an error, far from here.
class among_captures {
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;

public:
  among_captures() noexcept { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~among_captures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  among_captures(among_captures const&) = delete;
  among_captures& operator=(among_captures const&) = delete;
};

/// What a stream cannot be asked while it is captured itself, or, of the legacy default stream, while one is that it
/// synchronizes with: the capture would end. Asking for the status ends none.
int query_stream(CUstream_st* stream) {
  among_captures const guard;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(stream, &status);
  if (error == cudaErrorStreamCaptureImplicit) {
    (void)cudaGetLastError();
    error = cudaStreamQuery(cudaStreamPerThread); // a device that died is heard of all the same
    return error == cudaSuccess ? cuda::not_ready : reported(error);
  }
  if (error == cudaSuccess && status != cudaStreamCaptureStatusNone) return cudaErrorStreamCaptureUnsupported;
  if (error == cudaSuccess) error = cudaStreamQuery(stream);
  return reported(error);
}
int query_event(CUevent_st* event) {
  among_captures const guard;
  return reported(cudaEventQuery(event));
}
int last_error() { return cudaPeekAtLastError(); }
int current_device(int* ordinal) { return reported(cudaGetDevice(ordinal)); }
int set_device(int ordinal) { return reported(cudaSetDevice(ordinal)); }

int describe_kernel(kernel_description* description, void const* kernel) {
  cudaFuncAttributes attributes;
  if (cudaError_t const error = cudaFuncGetAttributes(&attributes, kernel)) return reported(error);
  *description = {.registers = attributes.numRegs,
                  .static_shared = attributes.sharedSizeBytes,
                  .dynamic_shared_limit = static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes),
                  .block_limit = attributes.maxThreadsPerBlock};
  return cuda::success;
}

int describe_multiprocessor(multiprocessor_description* description, int ordinal) {
  struct {
    cudaDeviceAttr attribute;
    int multiprocessor_description::* member;
  } constexpr wanted[] = {
      {cudaDevAttrMultiProcessorCount, &multiprocessor_description::count},
      {cudaDevAttrMaxThreadsPerMultiProcessor, &multiprocessor_description::threads},
      {cudaDevAttrMaxBlocksPerMultiprocessor, &multiprocessor_description::blocks},
      {cudaDevAttrMaxRegistersPerMultiprocessor, &multiprocessor_description::registers},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &multiprocessor_description::shared},
      {cudaDevAttrReservedSharedMemoryPerBlock, &multiprocessor_description::reserved_shared},
      {cudaDevAttrWarpSize, &multiprocessor_description::warp_size},
      {cudaDevAttrCooperativeLaunch, &multiprocessor_description::cooperative_launch},
  };
  for (auto const& [attribute, member] : wanted)
    if (cudaError_t const error = cudaDeviceGetAttribute(&(description->*member), attribute, ordinal))
      return reported(error);
  return cuda::success;
}

int resident_blocks(int* blocks, void const* kernel, int threads, std::size_t shared) {
  return reported(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared));
}

int launch_cooperative(launch_request const* r) {
  return reported(
      cudaLaunchCooperativeKernel(r->kernel, shape(r->grid), shape(r->block), r->arguments, r->shared, r->stream));
}

/// The driver's answer; where there is no driver to ask, as on the emulator, what it would read.
int loads_lazily(bool* lazily) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  cudaError_t const error =
      cudaGetDriverEntryPointByVersion("cuModuleGetLoadingMode", &function, 11070, cudaEnableDefault, &found);
  if (reported(error) == cuda::success && found == cudaDriverEntryPointSuccess) {
    int mode = 0; // CUmoduleLoadingMode: eager 1, lazy 2
    if (reinterpret_cast<int (*)(int*)>(function)(&mode) == 0) {
      *lazily = mode == 2;
      return cuda::success;
    }
  }
  char const* const wish = std::getenv("CUDA_MODULE_LOADING");
  *lazily = wish == nullptr || std::strcmp(wish, "EAGER") != 0; // lazy by default since CUDA 12.2
  return cuda::success;
}

int can_access_peer(int* can, int device, int peer) { return reported(cudaDeviceCanAccessPeer(can, device, peer)); }
int enable_peer_access(int peer) { return reported(cudaDeviceEnablePeerAccess(peer, 0)); }
int peer_atomics(int* native, int device, int peer) {
  return reported(cudaDeviceGetP2PAttribute(native, cudaDevP2PAttrNativeAtomicSupported, device, peer));
}

} // namespace

constinit execution_calls const execution_calls_of_cuda = {
    .query_stream = query_stream,
    .query_event = query_event,
    .last_error = last_error,
    .current_device = current_device,
    .set_device = set_device,
    .describe_kernel = describe_kernel,
    .describe_multiprocessor = describe_multiprocessor,
    .resident_blocks = resident_blocks,
    .launch_cooperative = launch_cooperative,
    .loads_lazily = loads_lazily,
    .can_access_peer = can_access_peer,
    .enable_peer_access = enable_peer_access,
    .peer_atomics = peer_atomics,
};

} // namespace cudax::runtime
