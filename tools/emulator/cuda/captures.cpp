// SPDX-License-Identifier: Apache-2.0
//
// captures: which streams are captured and by which thread, and the calls that begin and end a capture.
#include "captures.hpp"
#include "queue.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

/// The type to which a cudaGraph_t points.
struct CUgraph_st {};

namespace emulator::cuda {
namespace {

struct capture {
  cudaStreamCaptureMode mode;
  std::thread::id by;
  bool broken = false;
};

struct captures {
  std::mutex lock;
  std::map<CUstream_st const*, capture> all;
  std::atomic<std::size_t> count = 0; ///< 0 in most programs, which then take no lock
};

captures& the_captures() {
  static captures& only = *new captures;
  return only;
}

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

/// Whether this capture forbids the calling thread to disturb it. Called under the lock.
bool forbids(capture const& c) {
  if (mode_of_thread == cudaStreamCaptureModeRelaxed || c.mode == cudaStreamCaptureModeRelaxed) return false;
  if (c.by == std::this_thread::get_id()) return true;
  return mode_of_thread == cudaStreamCaptureModeGlobal && c.mode == cudaStreamCaptureModeGlobal;
}

/// If `stream` is the legacy default stream, invalidates the captures of the blocking streams for which it would wait.
/// Called under the lock.
void forbid_implicit(CUstream_st const& stream, bool breaks) {
  if (stream_of(nullptr).get() != &stream) return;
  bool implicit = false;
  for (auto& [captured, c] : the_captures().all) {
    if (!captured->blocks_default) continue;
    implicit = true;
    c.broken |= breaks;
  }
  require(!implicit, cudaErrorStreamCaptureImplicit);
}

void forget(CUstream_st const* stream) {
  auto& c = the_captures();
  std::lock_guard guard(c.lock);
  if (stream) c.all.erase(stream);
  else c.all.clear();
  c.count = c.all.size();
}

} // namespace

void forbid_in_captures() {
  auto& c = the_captures();
  if (c.count == 0) return;
  std::lock_guard guard(c.lock);
  bool forbidden = false;
  for (auto& [_, each] : c.all)
    if (forbids(each)) forbidden = each.broken = true;
  require(!forbidden, cudaErrorStreamCaptureUnsupported);
}

bool is_recorded(CUstream_st const& stream) {
  auto& c = the_captures();
  if (c.count == 0) return false;
  std::lock_guard guard(c.lock);
  forbid_implicit(stream, true);
  auto const found = c.all.find(&stream);
  if (found == c.all.end()) return false;
  require(!found->second.broken, cudaErrorStreamCaptureInvalidated);
  return true;
}

void forbid_of_captured(CUstream_st const& stream) {
  forbid_in_captures();
  auto& c = the_captures();
  if (c.count == 0) return;
  std::lock_guard guard(c.lock);
  forbid_implicit(stream, true);
  auto const found = c.all.find(&stream);
  if (found == c.all.end()) return;
  found->second.broken = true;
  throw failure{cudaErrorStreamCaptureUnsupported};
}

void forget_capture(CUstream_st const& stream) {
  if (the_captures().count != 0) forget(&stream);
}
void forget_captures() { forget(nullptr); }

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call([&] {
    require(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed);
    auto const stream = stream_of(handle);
    require(stream != stream_of(nullptr), cudaErrorStreamCaptureUnsupported);
    auto& c = the_captures();
    std::lock_guard guard(c.lock);
    require(c.all.try_emplace(stream.get(), mode, std::this_thread::get_id()).second, cudaErrorIllegalState);
    c.count = c.all.size();
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call([&] {
    require(graph);
    *graph = nullptr;
    auto const stream = stream_of(handle);
    auto& c = the_captures();
    std::lock_guard guard(c.lock);
    auto const found = c.all.find(stream.get());
    require(found != c.all.end(), cudaErrorIllegalState);
    require(found->second.mode == cudaStreamCaptureModeRelaxed || found->second.by == std::this_thread::get_id(),
            cudaErrorStreamCaptureWrongThread);
    bool const broken = found->second.broken;
    c.all.erase(found);
    c.count = c.all.size();
    require(!broken, cudaErrorStreamCaptureInvalidated);
    *graph = new CUgraph_st;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call([&] {
    require(status);
    auto const stream = stream_of(handle);
    auto& c = the_captures();
    std::lock_guard guard(c.lock);
    forbid_implicit(*stream, false);
    auto const found = c.all.find(stream.get());
    *status = found == c.all.end()   ? cudaStreamCaptureStatusNone
              : found->second.broken ? cudaStreamCaptureStatusInvalidated
                                     : cudaStreamCaptureStatusActive;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call([&] {
    require(graph);
    delete graph;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return ask([&] {
    require(mode && *mode >= cudaStreamCaptureModeGlobal && *mode <= cudaStreamCaptureModeRelaxed);
    std::swap(mode_of_thread, *mode);
  });
}
