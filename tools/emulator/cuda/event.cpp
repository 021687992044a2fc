// SPDX-License-Identifier: Apache-2.0
//
// event: a point in a stream. Recording an event again makes it denote another point; a waiter that waits already keeps
// the old one.
#include "captures.hpp"
#include "queue.hpp"

#include <mutex>
#include <optional>
#include <unordered_map>

/// The type to which a cudaEvent_t points.
struct CUevent_st {
  unsigned flags = 0;
  emulator::cuda::completion_pointer recorded{};             ///< null before the first record
  std::optional<emulator::cuda::captured_moment> captured{}; ///< of the last record, if its stream was captured
};

namespace emulator::cuda {
namespace {

std::mutex lock;

auto& events() {
  static auto& all = *new std::unordered_map<cudaEvent_t, std::unique_ptr<CUevent_st>>;
  return all;
}

/// Called under the lock.
CUevent_st& event_of(cudaEvent_t handle) {
  auto const found = events().find(handle);
  require(found != events().end(), cudaErrorInvalidResourceHandle);
  return *found->second;
}

CUevent_st value_of(cudaEvent_t handle) {
  std::lock_guard guard(lock);
  return event_of(handle);
}

/// For the host, which cannot wait for what was captured.
completion_pointer moment_of(cudaEvent_t handle) {
  CUevent_st const event = value_of(handle);
  if (event.captured) forbid_of_event(*event.captured);
  return event.recorded;
}

completion_pointer moment_with_time(cudaEvent_t handle) {
  CUevent_st const event = value_of(handle);
  require(!event.captured);
  require(event.recorded && !(event.flags & cudaEventDisableTiming), cudaErrorInvalidResourceHandle);
  return event.recorded;
}

void create(cudaEvent_t* event, unsigned flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  require(event && (flags & ~known) == 0);
  require(!(flags & cudaEventInterprocess), cudaErrorNotSupported);
  auto made = std::make_unique<CUevent_st>();
  made->flags = flags;
  *event = made.get();
  std::lock_guard guard(lock);
  events()[*event] = std::move(made);
}

void record(cudaEvent_t event, cudaStream_t stream) {
  auto const where = stream_of(stream);
  std::lock_guard guard(lock);
  CUevent_st& known = event_of(event); // before the work is submitted
  known.captured = captured_moment_of(*where);
  known.recorded = known.captured ? nullptr : submit(where, {});
}

} // namespace
} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call([&] { create(event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call([&] { create(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&] {
    std::lock_guard guard(lock);
    event_of(event);
    events().erase(event);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&] { record(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call([&] {
    if (flags != cudaEventRecordDefault)
      reject(cudaErrorNotSupported, "cudaEventRecordWithFlags: the emulator's graphs have no nodes that record events "
                                    "for others; record the event after the launch of the graph");
    record(event, stream);
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call([&] {
    if (flags != cudaEventWaitDefault)
      reject(cudaErrorNotSupported, "cudaStreamWaitEvent: the emulator's graphs have no nodes that wait for events of "
                                    "others; wait before the launch of the graph");
    CUevent_st const moment = value_of(event);
    auto const where = stream_of(stream);
    if (moment.captured) return join_capture(*where, *moment.captured);
    if (!moment.recorded) return void(captured_moment_of(*where)); // for its errors
    forbid_recording(*where, cudaErrorStreamCaptureIsolation);     // a graph has no dependency on what is outside
    submit_wait(where, moment.recorded);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([&] {
    auto const moment = moment_of(event);
    forbid_in_captures();
    require(!moment || is_done(moment), cudaErrorNotReady);
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([&] {
    auto const moment = moment_of(event);
    forbid_in_captures();
    if (moment) wait_for(moment);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&] {
    require(milliseconds);
    auto const from = moment_with_time(start), to = moment_with_time(end);
    require(is_done(from) && is_done(to), cudaErrorNotReady);
    *milliseconds = std::chrono::duration<float, std::milli>(time_of(to) - time_of(from)).count();
  });
}
