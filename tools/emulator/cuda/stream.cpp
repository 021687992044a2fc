// SPDX-License-Identifier: Apache-2.0
//
// stream: the calls about streams, and host functions in them.
#include "captures.hpp"
#include "queue.hpp"

#include <utility>

namespace emulator::cuda {
namespace {

constexpr int least_priority = 0, greatest_priority = -5;

void create(cudaStream_t* stream, unsigned flags, int priority) {
  require(stream && (flags & ~unsigned(cudaStreamNonBlocking)) == 0);
  priority = priority > least_priority ? least_priority : priority < greatest_priority ? greatest_priority : priority;
  *stream = make_stream(flags, priority).get();
}

} // namespace
} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call([&] { create(stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call([&] { create(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&] { create(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call([&] {
    auto const stream = stream_of(handle);
    require(handle && handle != cudaStreamLegacy && handle != cudaStreamPerThread, cudaErrorInvalidResourceHandle);
    forget_capture(*stream);
    destroy_stream(stream);
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call([&] {
    auto const wanted = stream_of(stream);
    forbid_of_captured(*wanted);
    wait_for_stream(wanted);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call([&] {
    auto const wanted = stream_of(stream);
    forbid_of_captured(*wanted);
    require(is_idle(wanted), cudaErrorNotReady);
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call([&] {
    require(flags);
    *flags = stream_of(stream)->flags;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call([&] {
    require(priority);
    *priority = stream_of(stream)->priority;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call([&] {
    require(id);
    *id = stream_of(stream)->id;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call([&] {
    require(device);
    stream_of(stream);
    *device = 0;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] {
    if (least) *least = least_priority;
    if (greatest) *greatest = greatest_priority;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned) {
  return call([&] { stream_of(stream); }); // concurrentManagedAccess: any thread may access it at any time
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call([&] {
    require(function);
    submit(stream_of(stream), {.type = cudaGraphNodeTypeHost, .run = [=] { function(data); }});
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
  return call([&] {
    require(callback && flags == 0);
    auto const where = stream_of(stream);
    forbid_recording(*where, cudaErrorStreamCaptureUnsupported);
    submit(where, {.run = [=] { callback(stream, cudaSuccess, data); }});
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call([] {
    forbid_all_captures();
    wait_for_everything();
  });
}
