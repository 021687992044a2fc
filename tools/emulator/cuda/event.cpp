// SPDX-License-Identifier: Apache-2.0
//
// event: a point in a stream. Recording an event again makes it denote another point; a waiter that waits already keeps
// the old one.
#include "captures.hpp"
#include "queue.hpp"

#include <mutex>
#include <unordered_map>

/// The type to which a cudaEvent_t points.
struct CUevent_st {
  unsigned flags = 0;
  emulator::cuda::completion_pointer recorded; ///< null before the first record
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

completion_pointer moment_of(cudaEvent_t handle) {
  std::lock_guard guard(lock);
  return event_of(handle).recorded;
}

completion_pointer moment_with_time(cudaEvent_t handle) {
  std::lock_guard guard(lock);
  CUevent_st const& event = event_of(handle);
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
  known.recorded = submit(where, [] {});
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
    require(flags == cudaEventRecordDefault, cudaErrorNotSupported); // external nodes of graphs
    record(event, stream);
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call([&] {
    require(flags == cudaEventWaitDefault, cudaErrorNotSupported);
    auto const moment = moment_of(event);
    auto const where = stream_of(stream);
    if (moment) submit_wait(where, moment);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([&] {
    forbid_in_captures();
    auto const moment = moment_of(event);
    require(!moment || is_done(moment), cudaErrorNotReady);
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([&] {
    forbid_in_captures();
    if (auto const moment = moment_of(event)) wait_for(moment);
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
