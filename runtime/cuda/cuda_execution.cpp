// SPDX-License-Identifier: Apache-2.0
//
// cuda_execution: the table of execution_calls.hpp in a build with a CUDA toolkit, as cuda.cpp is for cuda_calls.hpp.
// Only the runtime knows which kernel a host function stands for, so some calls here go to the runtime. They make the
// thread's device current, as a launch does. If there is no such kernel, their error replaces an older one
// (call_runtime()).
#include "contexts.hpp"
#include "launch_limits.hpp"

#include <cstdlib>
#include <cstring>

namespace cudax::runtime {
namespace {

// clang-format off
static_assert(cuda::not_ready == cudaErrorNotReady && int(CUDA_ERROR_NOT_READY) == int(cudaErrorNotReady) &&
              cuda::peer_access_already_enabled == cudaErrorPeerAccessAlreadyEnabled &&
              int(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) == int(cudaErrorPeerAccessAlreadyEnabled) &&
              cuda::cooperative_launch_too_large == cudaErrorCooperativeLaunchTooLarge &&
              int(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) == int(cudaErrorCooperativeLaunchTooLarge) &&
              cuda::capture_unsupported == cudaErrorStreamCaptureUnsupported &&
              int(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) == int(cudaErrorStreamCaptureUnsupported) &&
              cuda::capture_invalidated == cudaErrorStreamCaptureInvalidated &&
              cuda::capture_implicit == cudaErrorStreamCaptureImplicit &&
              int(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) == int(cudaErrorStreamCaptureImplicit));
static_assert(cuda::missing_configuration == cudaErrorMissingConfiguration &&
              cuda::invalid_kernel_image == cudaErrorInvalidKernelImage &&
              cuda::invalid_ptx == cudaErrorInvalidPtx &&
              cuda::jit_compiler_not_found == cudaErrorJitCompilerNotFound &&
              cuda::unsupported_ptx_version == cudaErrorUnsupportedPtxVersion &&
              cuda::jit_compilation_disabled == cudaErrorJitCompilationDisabled &&
              cuda::unsupported_device_side_sync == cudaErrorUnsupportedDevSideSync &&
              cuda::shared_object_init_failed == cudaErrorSharedObjectInitFailed &&
              cuda::no_context == cudaErrorDeviceUninitialized && int(CUDA_ERROR_INVALID_CONTEXT) == cuda::no_context &&
              cuda::symbol_not_found == cudaErrorSymbolNotFound &&
              cuda::launch_out_of_resources == cudaErrorLaunchOutOfResources &&
              cuda::invalid_cluster_size == cudaErrorInvalidClusterSize);
// clang-format on

/// Queries a stream without ending a capture. A query would end the capture of the stream itself; a query of the legacy
/// default stream would end the capture of any stream that it synchronizes with. Querying the capture status ends none.
int query_uncaptured(driver const& d, CUstream stream) {
  auto status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUresult const error = d.cuStreamIsCapturing(stream, &status);
  if (error == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) {
    CUresult const other = d.cuStreamQuery(CU_STREAM_PER_THREAD); // still reports a device that died
    return other == CUDA_SUCCESS ? CUDA_ERROR_NOT_READY : other;
  }
  if (error != CUDA_SUCCESS) return error;
  if (status != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return d.cuStreamQuery(stream);
}

/// The default streams of a device without a context are idle: nothing was launched there.
int without_context_idle(int code) { return is_gone(code) ? cuda::success : code; }

int query_stream(CUstream_st* stream) {
  return with_driver([=](driver const& d) {
    int const code = in_context(
        d, [=](pushed_context& c) { return c.push_for_stream(stream); }, [&] { return query_uncaptured(d, stream); });
    bool const is_default = !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
    return is_default ? without_context_idle(code) : code;
  });
}

int query_event(CUevent_st* event) {
  return with_driver([=](driver const& d) {
    return in_context(
        d, [](pushed_context& c) { return c.push_any(); }, [&]() -> int { return d.cuEventQuery(event); });
  });
}

int query_device(int ordinal) {
  if (ordinal == -1) return query_stream(nullptr);
  return with_driver([=](driver const& d) {
    return without_context_idle(in_context_of(d, ordinal, false, [&] { return query_uncaptured(d, nullptr); }));
  });
}

int last_error() {
  int code = cuda::success;
  driver const* const d = find_driver(code);
  return d ? static_cast<int>(d->cudaPeekAtLastError()) : cuda::success;
}

int current_device(int* ordinal) {
  return with_driver([=](driver const& d) { return call_runtime(d, [&] { return d.cudaGetDevice(ordinal); }); });
}

int describe_kernel(kernel_description* description, void const* kernel) {
  return with_driver([=](driver const& d) {
    cudaFuncAttributes attributes;
    if (int const error = call_runtime(d, [&] { return d.cudaFuncGetAttributes(&attributes, kernel); })) return error;
    *description = {.registers = attributes.numRegs,
                    .static_shared = attributes.sharedSizeBytes,
                    .dynamic_shared_limit = static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes),
                    .block_limit = attributes.maxThreadsPerBlock,
                    .sm = attributes.ptxVersion};
    return cuda::success;
  });
}

int describe_multiprocessor(multiprocessor_description* description, int ordinal) {
  struct {
    CUdevice_attribute attribute;
    int multiprocessor_description::* member;
  } constexpr wanted[] = {
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &multiprocessor_description::count},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &multiprocessor_description::threads},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &multiprocessor_description::blocks},
      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &multiprocessor_description::registers},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &multiprocessor_description::shared},
      {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, &multiprocessor_description::reserved_shared},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &multiprocessor_description::warp_size},
      {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, &multiprocessor_description::cooperative_launch},
      {CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, &multiprocessor_description::cluster_launch},
  };
  return with_driver([&](driver const& d) -> int {
    CUdevice device = 0;
    if (CUresult const error = d.cuDeviceGet(&device, ordinal)) return error;
    for (auto const& [attribute, member] : wanted)
      if (CUresult const error = d.cuDeviceGetAttribute(&(description->*member), attribute, device)) return error;
    return cuda::success;
  });
}

/// Finds the kernel in the thread's context. The runtime creates that context if there is none.
int find_function(driver const& d, CUfunction* function, void const* kernel) {
  return call_runtime(d, [&] { return d.cudaGetFuncBySymbol(function, kernel); });
}

int resident_blocks(int* blocks, void const* kernel, int threads, std::size_t shared) {
  return with_driver([=](driver const& d) -> int {
    CUfunction function = nullptr;
    if (int const error = find_function(d, &function, kernel)) return error;
    return d.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
  });
}

/// Finds the kernel of a launch. If the launch asks for large clusters, permits them: the permission is the kernel's,
/// and stays.
int find_function(driver const& d, CUfunction* function, launch_request const& r) {
  if (int const error = find_function(d, function, r.kernel)) return error;
  if (!r.large_clusters) return cuda::success;
  return d.cuFuncSetAttribute(*function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
}

/// A launch with up to three attributes: what CUDA's calls for launches and for occupancy take.
class configuration {
public:
  explicit configuration(launch_request const& r) noexcept
    : attributes_{}, value_{.gridDimX = r.grid.x,
                            .gridDimY = r.grid.y,
                            .gridDimZ = r.grid.z,
                            .blockDimX = r.block.x,
                            .blockDimY = r.block.y,
                            .blockDimZ = r.block.z,
                            .sharedMemBytes = static_cast<unsigned>(r.shared),
                            .hStream = r.stream,
                            .attrs = attributes_,
                            .numAttrs = 0} {
    if (r.names_cluster)
      add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim = {r.cluster.x, r.cluster.y, r.cluster.z};
#if CUDA_VERSION >= 12080
    if (r.names_preferred)
      add(CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION).preferredClusterDim = {r.preferred.x, r.preferred.y,
                                                                                  r.preferred.z};
#endif
  }
  configuration(configuration const&) = delete;
  CUlaunchAttributeValue& add(CUlaunchAttributeID id) noexcept {
    CUlaunchAttribute& a = attributes_[value_.numAttrs++];
    a.id = id;
    return a.value;
  }
  CUlaunchConfig const* get() const noexcept { return &value_; }

private:
  CUlaunchAttribute attributes_[3];
  CUlaunchConfig value_;
};

/// The number of clusters of a device is not the number of blocks by their size: the multiprocessors form groups, and a
/// cluster lies in one of them. CUDA returns 0 for a launch without the attribute.
int resident_clusters(int* clusters, launch_request const* r) {
  return with_driver([=](driver const& d) -> int {
    CUfunction function = nullptr;
    if (int const error = find_function(d, &function, *r)) return error;
    return d.cuOccupancyMaxActiveClusters(clusters, function, configuration(*r).get());
  });
}

/// Only the search for the kernel is in relaxed mode, because it may load the kernel. The launch is the program's: into
/// a captured stream it is recorded, and CUDA's other restrictions on captures apply.
int launch(CUfunction function, launch_request const& r, configuration const& how) {
  int code = cuda::success;
  driver const* const d = find_driver(code);
  return d ? d->cuLaunchKernelEx(how.get(), function, r.arguments, nullptr) : code;
}

int launch_cooperative(launch_request const* r) {
  CUfunction function = nullptr;
  if (int const error = with_driver([&](driver const& d) { return find_function(d, &function, *r); })) return error;
  configuration how(*r);
  how.add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
  return launch(function, *r, how);
}

/// A launch whose grid need not run at once. `early`: the grid may start before the kernel before it has completed.
/// What decides is for which SM the code was compiled, not the device: in code before sm_90, wait_for_prerequisites()
/// does nothing, also on a device of sm_90. Such a grid must start after its prerequisites have completed, so the
/// attribute is left out. Such code also takes each block for a cluster. The preferred size is left out for machine
/// code before sm_100, for which CUDA has no such clusters: a device may always take the other size.
int launch_by_parts(launch_request const& r, bool early) {
  CUfunction function = nullptr;
  int sm = 0, machine_code = 0;
  int const error = with_driver([&](driver const& d) -> int {
    if (int const code = find_function(d, &function, r)) return code;
    if (r.names_preferred)
      if (int const code = d.cuFuncGetAttribute(&machine_code, CU_FUNC_ATTRIBUTE_BINARY_VERSION, function)) return code;
    return d.cuFuncGetAttribute(&sm, CU_FUNC_ATTRIBUTE_PTX_VERSION, function);
  });
  if (error != cuda::success) return error;
  if (sm < 90 && size_of(r.cluster) != 1) return cuda::invalid_cluster_size;
  launch_request launched = r;
  launched.names_cluster = has_clusters(r, sm);
  launched.names_preferred = launched.names_cluster && machine_code >= 100;
  configuration how(launched);
  if (early && sm >= 90)
    how.add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
  return launch(function, r, how);
}
int launch_plain(launch_request const* r) { return launch_by_parts(*r, false); }
int launch_programmatic(launch_request const* r) { return launch_by_parts(*r, true); }

/// A stream that does not synchronize with the default streams: no kernel and no capture of the program is affected.
/// Its resources are freed when the kernel has ended; nothing waits for that.
int launch_aside(launch_request const* r) {
  return with_driver([&](driver const& d) -> int {
    CUfunction function = nullptr;
    if (int const error = find_function(d, &function, r->kernel)) return error;
    CUstream stream = nullptr;
    if (CUresult const error = d.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)) return error;
    CUresult const error = d.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, r->arguments, nullptr);
    CUresult const other = d.cuStreamDestroy(stream);
    return error != CUDA_SUCCESS ? error : other;
  });
}

/// Returns the driver's mode; without a driver, the mode that the driver would read from the environment.
int loads_lazily(bool* lazily) {
  auto mode = CU_MODULE_LAZY_LOADING;
  if (with_driver([&](driver const& d) -> int { return d.cuModuleGetLoadingMode(&mode); }) == cuda::success) {
    *lazily = mode == CU_MODULE_LAZY_LOADING;
    return cuda::success;
  }
  char const* const wish = std::getenv("CUDA_MODULE_LOADING");
  *lazily = wish == nullptr || std::strcmp(wish, "EAGER") != 0; // lazy by default since CUDA 12.2
  return cuda::success;
}

// --- tensors ---------------------------------------------------------------------------------------------------------

static_assert(sizeof(CUtensorMap) == 128 &&
              int(tensor_fill::nan) == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA &&
              int(tensor_promotion::bytes_256) == CU_TENSOR_MAP_L2_PROMOTION_L2_256B);

/// The driver needs a context, although the map is the same in each: that of the tensor's memory.
int encode_tensor_map(void* map, tensor_request const* r) {
  return with_driver([=](driver const& d) -> int {
    if (!(r->is_im2col ? d.cuTensorMapEncodeIm2col != nullptr : d.cuTensorMapEncodeTiled != nullptr))
      return cuda::not_supported;
    cuuint64_t extents[5], strides[4] = {};
    cuuint32_t steps[5] = {1, 1, 1, 1, 1}; // of channels and images: 1
    for (unsigned i = 0; r->is_im2col && i + 2 < r->rank; ++i)
      if (r->steps[i]) steps[i + 1] = static_cast<cuuint32_t>(r->steps[i]);
    for (unsigned i = 0; i < r->rank; ++i) extents[i] = static_cast<cuuint64_t>(r->extents[i]);
    for (unsigned i = 0; i + 1 < r->rank; ++i) strides[i] = static_cast<cuuint64_t>(r->strides[i]);
    CUtensorMap made; // aligned as the driver requires
    int const code = in_context(
        d, [=](pushed_context& c) { return c.push_for_memory(r->address); },
        [&]() -> int {
          if (r->is_im2col)
            return d.cuTensorMapEncodeIm2col(
                &made, static_cast<CUtensorMapDataType>(r->type), r->rank, const_cast<void*>(r->address), extents,
                strides, r->lower, r->upper, r->box[0], r->box[1], steps,
                static_cast<CUtensorMapInterleave>(r->interleave), static_cast<CUtensorMapSwizzle>(r->swizzle),
                static_cast<CUtensorMapL2promotion>(r->promotion), static_cast<CUtensorMapFloatOOBfill>(r->fill));
          return d.cuTensorMapEncodeTiled(
              &made, static_cast<CUtensorMapDataType>(r->type), r->rank, const_cast<void*>(r->address), extents,
              strides, r->box, steps, static_cast<CUtensorMapInterleave>(r->interleave),
              static_cast<CUtensorMapSwizzle>(r->swizzle), static_cast<CUtensorMapL2promotion>(r->promotion),
              static_cast<CUtensorMapFloatOOBfill>(r->fill));
        });
    if (code == cuda::success) std::memcpy(map, &made, sizeof(made));
    return code;
  });
}

// --- peers -----------------------------------------------------------------------------------------------------------

/// Calls call(driver, device, peer).
template <class Call> int with_peers(int device, int peer, Call call) {
  return with_driver([=](driver const& d) -> int {
    CUdevice from = 0, to = 0;
    if (CUresult const error = d.cuDeviceGet(&from, device)) return error;
    if (CUresult const error = d.cuDeviceGet(&to, peer)) return error;
    return call(d, from, to);
  });
}

int can_access_peer(int* can, int device, int peer) {
  return with_peers(device, peer, [=](driver const& d, CUdevice from, CUdevice to) {
    return d.cuDeviceCanAccessPeer(can, from, to);
  });
}

int peer_atomics(int* native, int device, int peer) {
  return with_peers(device, peer, [=](driver const& d, CUdevice from, CUdevice to) {
    return d.cuDeviceGetP2PAttribute(native, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, from, to);
  });
}

/// Peer access is between contexts and lasts as long as both; contexts that do not exist are created.
int enable_peer_access(int device, int peer) {
  return with_driver([=](driver const& d) {
    primary_context memory(d);
    if (int const error = memory.retain(peer, true)) return error;
    return in_context_of(d, device, true, [&]() -> int { return d.cuCtxEnablePeerAccess(memory.get(), 0); });
  });
}

} // namespace

constinit execution_calls const execution_calls_of_cuda = {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a designator
#define CUDAX_EXECUTION_CALL(result, name, parameters) .name = name,
#include "calls.def"
};

} // namespace cudax::runtime
