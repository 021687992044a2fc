// SPDX-License-Identifier: Apache-2.0
//
// simulated_driver: its calls.
#include "simulated_driver.hpp"

#include <cstdlib>
#include <cstring>
#include <span>

namespace cudax_test {
namespace {

simulated_driver* machine = nullptr;
int machines = 0; // how many have existed
unsigned long long contexts_numbered = 0;

struct thread_state {
  int machine = 0; // which machine: a test's threads start afresh
  std::vector<CUcontext> stack;
  int device = 0;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  cudaError_t last = cudaSuccess;
};

thread_state& own() {
  static thread_local thread_state state;
  if (state.machine != machines) {
    state = {};
    state.machine = machines;
  }
  return state;
}

void* pointer(CUdeviceptr at) { return reinterpret_cast<void*>(at); }

} // namespace

simulated_driver& simulated_driver::now() { return *machine; }

CUresult simulated_driver::injected() { return failure_.next(); }

CUresult simulated_driver::enter(char const* name, bool disturbs) {
  if (CUresult const code = injected()) return code;
  CUcontext const context = current();
  log.push_back(std::string(name) + "@" + (context ? std::to_string(context->device) : "none"));
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  if (!context->alive) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  disturbed += disturbs && own().mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  return CUDA_SUCCESS;
}

CUcontext simulated_driver::retain(int device) {
  auto& d = devices_[unsigned(device)];
  if (!d.primary) {
    d.primary = new CUctx_st{device, true};
    contexts_.push_back(d.primary);
  }
  return d.primary;
}

void* simulated_driver::allocate(std::size_t size) {
  blocks_.push_back(std::make_unique<char[]>(size));
  memory[blocks_.back().get()] = current();
  return blocks_.back().get();
}

/// A function that no part below replaces succeeds, in a context, and writes nothing.
cudax::runtime::driver simulated_driver::make_table() {
  cudax::runtime::driver d{};
#define CUDAX_DRIVER_FUNCTION(name) d.name = [](auto...) { return now().enter(#name); };
#include "../../../runtime/cuda/calls.def"
  answer_for_devices(d);
  answer_for_contexts(d);
  answer_for_memory(d);
  answer_for_streams(d);
  answer_for_kernels(d);
  answer_for_tensors(d);
  answer_for_the_runtime(d);
  return d;
}

void simulated_driver::answer_for_devices(cudax::runtime::driver& d) {
  d.cuInit = [](unsigned) { return CUDA_SUCCESS; };
  d.cuDeviceGet = [](CUdevice* device, int ordinal) {
    if (CUresult const code = now().injected()) return code;
    if (ordinal < 0 || unsigned(ordinal) >= now().devices_.size()) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
  };
  d.cuDeviceGetCount = [](int* count) {
    if (CUresult const code = now().injected()) return code;
    *count = int(now().devices_.size());
    return CUDA_SUCCESS;
  };
  d.cuDeviceGetName = [](char* name, int, CUdevice) {
    std::strcpy(name, "simulated");
    return now().injected();
  };
  d.cuDeviceGetAttribute = [](int* value, CUdevice_attribute attribute, CUdevice) {
    *value = attribute;
    return now().injected();
  };
  d.cuDeviceGetP2PAttribute = [](int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
    *value = attribute;
    return from == to ? CUDA_ERROR_INVALID_DEVICE : now().injected();
  };
  d.cuDeviceCanAccessPeer = [](int* can, CUdevice from, CUdevice to) {
    *can = from != to;
    return now().injected();
  };
}

void simulated_driver::answer_for_contexts(cudax::runtime::driver& d) {
  d.cuCtxGetCurrent = [](CUcontext* context) {
    *context = now().current();
    return now().injected();
  };
  d.cuCtxGetDevice = [](CUdevice* device) {
    CUcontext const context = now().current();
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    *device = context->device; // also of a destroyed context
    return CUDA_SUCCESS;
  };
  d.cuCtxGetId = [](CUcontext context, unsigned long long* id) {
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    if (!context->alive) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (context->id == 0) context->id = ++contexts_numbered;
    *id = context->id;
    return CUDA_SUCCESS;
  };
  d.cuCtxPushCurrent = [](CUcontext context) {
    if (CUresult const code = now().injected()) return code;
    if (!context->alive) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    own().stack.push_back(context);
    return CUDA_SUCCESS;
  };
  d.cuCtxPopCurrent = [](CUcontext* context) {
    if (own().stack.empty()) std::abort(); // the library popped a context that it did not push
    *context = own().stack.back();
    own().stack.pop_back();
    return CUDA_SUCCESS;
  };
  d.cuCtxEnablePeerAccess = [](CUcontext peer, unsigned) {
    if (CUresult const code = now().enter("enable_peer")) return code;
    if (!peer->alive || peer == now().current()) return CUDA_ERROR_INVALID_CONTEXT;
    bool const is_new = now().peers.emplace(now().current()->device, peer->device).second;
    return is_new ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  };
  d.cuDevicePrimaryCtxGetState = [](CUdevice device, unsigned* flags, int* active) {
    *flags = 0;
    *active = now().primary(device) != nullptr;
    return now().injected();
  };
  d.cuDevicePrimaryCtxRetain = [](CUcontext* context, CUdevice device) {
    if (CUresult const code = now().injected()) return code;
    *context = now().retain(device);
    ++now().devices_[unsigned(device)].references;
    return CUDA_SUCCESS;
  };
  d.cuDevicePrimaryCtxRelease = [](CUdevice device) {
    if (--now().devices_[unsigned(device)].references < 0) std::abort(); // the reference belonged to other code
    return CUDA_SUCCESS;
  };
  d.cuThreadExchangeStreamCaptureMode = [](CUstreamCaptureMode* mode) {
    std::swap(own().mode, *mode);
    return CUDA_SUCCESS;
  };
}

void simulated_driver::answer_for_memory(cudax::runtime::driver& d) {
  d.cuMemHostAlloc = [](void** at, std::size_t size, unsigned) {
    if (CUresult const code = now().enter("host_alloc")) return code;
    if (size > 1u << 30) return CUDA_ERROR_OUT_OF_MEMORY;
    *at = now().allocate(size);
    return CUDA_SUCCESS;
  };
  d.cuMemAllocManaged = [](CUdeviceptr* at, std::size_t size, unsigned) {
    if (CUresult const code = now().enter("managed_alloc")) return code;
    if (size > 1u << 30) return CUDA_ERROR_OUT_OF_MEMORY;
    *at = reinterpret_cast<CUdeviceptr>(now().allocate(size));
    return CUDA_SUCCESS;
  };
  d.cuMemFreeHost = [](void* at) {
    if (CUresult const code = now().enter("host_free")) return code;
    return now().memory.erase(at) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  };
  d.cuMemFree = [](CUdeviceptr at) {
    if (CUresult const code = now().enter("managed_free")) return code;
    return now().memory.erase(pointer(at)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  };
  d.cuMemHostRegister = [](void* at, std::size_t, unsigned) {
    if (CUresult const code = now().enter("register")) return code;
    return now().memory.emplace(at, now().current()).second ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  };
  d.cuMemHostUnregister = [](void* at) {
    if (CUresult const code = now().enter("unregister")) return code;
    return now().memory.erase(at) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  };
  d.cuMemHostGetDevicePointer = [](CUdeviceptr* device, void* at, unsigned) {
    if (CUresult const code = now().enter("device_pointer")) return code;
    *device = reinterpret_cast<CUdeviceptr>(at);
    return now().memory.contains(at) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  };
  d.cuPointerGetAttribute = [](void* value, CUpointer_attribute, CUdeviceptr at) { // returns the context
    auto const found = now().memory.find(pointer(at));
    if (found == now().memory.end()) return CUDA_ERROR_INVALID_VALUE;
    *static_cast<CUcontext*>(value) = found->second;
    return CUDA_SUCCESS;
  };
  d.cuPointerGetAttributes = [](unsigned, CUpointer_attribute*, void** values, CUdeviceptr at) {
    if (CUresult const code = now().enter("attributes")) return code;
    *static_cast<unsigned*>(values[0]) = now().memory.contains(pointer(at)) ? CU_MEMORYTYPE_HOST : 0;
    return CUDA_SUCCESS;
  };
}

void simulated_driver::answer_for_streams(cudax::runtime::driver& d) {
  d.cuStreamCreate = [](CUstream* stream, unsigned flags) {
    if (flags != CU_STREAM_NON_BLOCKING) std::abort(); // it would wait for the program's default stream
    if (CUresult const code = now().enter("create_stream")) return code;
    *stream = now().make_stream(now().current());
    return CUDA_SUCCESS;
  };
  d.cuStreamDestroy = [](CUstream stream) {
    CUresult const code = now().enter("destroy_stream");
    now().streams_.erase(stream);
    return code;
  };
  d.cuStreamQuery = [](CUstream stream) {
    if (CUresult const code = now().enter("query")) return code;
    if (auto const found = now().streams_.find(stream); found != now().streams_.end() && !found->second->alive)
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return CUresult(now().stream_answer);
  };
  d.cuStreamIsCapturing = [](CUstream, CUstreamCaptureStatus* status) {
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return now().enter("is_capturing", false);
  };
  d.cuStreamGetCtx = [](CUstream stream, CUcontext* context) {
    auto const found = now().streams_.find(stream);
    if (found == now().streams_.end()) return CUDA_ERROR_INVALID_HANDLE;
    *context = found->second;
    return CUDA_SUCCESS;
  };
  d.cuEventQuery = [](CUevent) {
    CUresult const code = now().enter("query_event");
    return code ? code : CUresult(now().stream_answer);
  };
}

void simulated_driver::answer_for_kernels(cudax::runtime::driver& d) {
  d.cuModuleGetLoadingMode = [](CUmoduleLoadingMode* mode) {
    *mode = CU_MODULE_EAGER_LOADING;
    return now().injected();
  };
  d.cuFuncGetAttribute = [](int* value, CUfunction_attribute attribute, CUfunction) {
    if (attribute != CU_FUNC_ATTRIBUTE_PTX_VERSION && attribute != CU_FUNC_ATTRIBUTE_BINARY_VERSION)
      return CUDA_ERROR_INVALID_VALUE;
    *value = now().code_sm;
    return now().enter("function_attribute");
  };
  d.cuFuncSetAttribute = [](CUfunction, CUfunction_attribute attribute, int value) {
    now().permissions += attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED && value == 1;
    return now().enter("set_function_attribute", false);
  };
  d.cuOccupancyMaxActiveBlocksPerMultiprocessor = [](int* blocks, CUfunction, int, std::size_t) {
    *blocks = 7;
    return now().enter("occupancy", false);
  };
  d.cuOccupancyMaxActiveClusters = [](int* clusters, CUfunction, CUlaunchConfig const* c) {
    bool const has_clusters = c->numAttrs == 1 && c->attrs[0].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    *clusters = has_clusters ? 5 : 0; // as a device answers
    return now().enter("occupancy", false);
  };
  d.cuLaunchKernelEx = [](CUlaunchConfig const* c, CUfunction, void**, void**) {
    CUresult const code = now().enter("launch", false);
    // The program launches, in its own capture mode.
    if (own().mode == CU_STREAM_CAPTURE_MODE_RELAXED) std::abort();
    bool is_cooperative = false;
    now().launch_attributes.clear();
    for (CUlaunchAttribute const& a : std::span(c->attrs, c->numAttrs)) {
      now().launch_attributes.push_back(a.id);
      is_cooperative |= a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && a.value.cooperative != 0;
    }
    return code ? code : is_cooperative && c->gridDimX > 100 ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
  };
}

void simulated_driver::answer_for_tensors(cudax::runtime::driver& d) {
  d.cuTensorMapEncodeTiled = [](CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                cuuint64_t const* extents, cuuint64_t const* strides, cuuint32_t const* box,
                                cuuint32_t const* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    if (CUresult const code = now().enter("encode")) return code;
    if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0 || rank < 1 || rank > 5) return CUDA_ERROR_INVALID_VALUE;
    cuuint64_t* const out = map->opaque;
    *map = {};
    out[0] = (unsigned long long)(type) << 32 | (unsigned long long)(interleave) << 24 |
             (unsigned long long)(swizzle) << 16 | (unsigned long long)(promotion) << 8 | (unsigned long long)(fill);
    out[1] = reinterpret_cast<std::uintptr_t>(address);
    for (unsigned i = 0; i < rank; ++i) {
      if (steps[i] != 1) return CUDA_ERROR_INVALID_VALUE;
      out[2 + i] = extents[i];
      out[11 + i] = box[i];
      if (i + 1 < rank) out[7 + i] = strides[i];
    }
    return CUDA_SUCCESS;
  };
  d.cuTensorMapEncodeIm2col = [](CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                 cuuint64_t const* extents, cuuint64_t const* strides, int const* lower,
                                 int const* upper, cuuint32_t channels, cuuint32_t pixels, cuuint32_t const* steps,
                                 CUtensorMapInterleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                 CUtensorMapFloatOOBfill fill) {
    if (CUresult const code = now().enter("encode")) return code;
    if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0 || rank < 3 || rank > 5) return CUDA_ERROR_INVALID_VALUE;
    cuuint64_t* const out = map->opaque;
    *map = {};
    out[0] = (unsigned long long)(type) << 32 | (unsigned long long)(swizzle) << 16 |
             (unsigned long long)(promotion) << 8 | (unsigned long long)(fill);
    out[1] = reinterpret_cast<std::uintptr_t>(address);
    out[11] = (unsigned long long)(channels) << 32 | pixels;
    for (unsigned i = 0; i < rank; ++i) {
      out[2 + i] = extents[i];
      out[14] |= (unsigned long long)(steps[i]) << 8 * i;
      if (i + 1 < rank) out[7 + i] = strides[i];
      if (i + 2 < rank) out[12] |= (unsigned long long)(lower[i] & 0xff) << 8 * i;
      if (i + 2 < rank) out[13] |= (unsigned long long)(upper[i] & 0xff) << 8 * i;
    }
    return CUDA_SUCCESS;
  };
}

/// A failure becomes the thread's last error. A null kernel stands for an address that is not a kernel.
void simulated_driver::answer_for_the_runtime(cudax::runtime::driver& d) {
  static constexpr auto remembered = [](cudaError_t code) {
    if (code != cudaSuccess) own().last = code;
    return code;
  };
  d.cudaGetDevice = [](int* device) {
    CUcontext const context = now().current();
    *device = context ? context->device : own().device;
    return cudaSuccess;
  };
  d.cudaPeekAtLastError = [] { return own().last; };
  d.cudaGetLastError = [] { return std::exchange(own().last, cudaSuccess); };
  d.cudaFuncGetAttributes = [](cudaFuncAttributes* attributes, void const* kernel) {
    *attributes = {};
    attributes->ptxVersion = now().code_sm;
    now().disturbed += own().mode != CU_STREAM_CAPTURE_MODE_RELAXED; // it may load the kernel
    return remembered(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
  };
  d.cudaGetFuncBySymbol = [](cudaFunction_t* function, void const* kernel) {
    *function = nullptr;
    now().disturbed += own().mode != CU_STREAM_CAPTURE_MODE_RELAXED;
    CUcontext const context = now().current();
    if (!context || (context->primary && !context->alive)) now().use_device(own().device);
    return remembered(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
  };
}

simulated_driver::simulated_driver(int devices)
  : devices_(unsigned(devices)), before_(cudax::runtime::exchange_driver(&table)) {
  machine = this;
  ++machines;
}

simulated_driver::~simulated_driver() {
  cudax::runtime::exchange_driver(before_);
  machine = nullptr;
  for (CUcontext const each : contexts_) delete each;
}

void simulated_driver::use_device(int device) {
  CUcontext const context = retain(device);
  auto& stack = own().stack;
  if (!stack.empty()) stack.pop_back();
  stack.push_back(context);
  own().device = device;
}

void simulated_driver::choose_device(int device) { own().device = device; }

void simulated_driver::reset_device(int device) {
  auto& d = devices_[unsigned(device)];
  if (!d.primary) return;
  std::erase_if(memory, [&](auto const& each) { return each.second == d.primary; });
  d.primary->alive = false;
  d.primary = nullptr;
}

CUcontext simulated_driver::make_context(int device) {
  contexts_.push_back(new CUctx_st{device});
  own().stack.push_back(contexts_.back());
  return contexts_.back();
}

CUstream simulated_driver::make_stream(CUcontext context) {
  auto const made = reinterpret_cast<CUstream>(0x1000 + 16 * streams_.size());
  streams_[made] = context;
  return made;
}

void simulated_driver::leave_error(cudaError_t error) { own().last = error; }

void simulated_driver::fail_call(int k, CUresult code) { failure_.plan(k, code); }

CUcontext simulated_driver::current() const { return own().stack.empty() ? nullptr : own().stack.back(); }
CUcontext simulated_driver::primary(int device) { return devices_[unsigned(device)].primary; }
int simulated_driver::references(int device) { return devices_[unsigned(device)].references; }
cudaError_t simulated_driver::last_error() const { return own().last; }

} // namespace cudax_test
