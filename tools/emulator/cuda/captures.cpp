// SPDX-License-Identifier: Apache-2.0
//
// captures: which streams are captured and by which thread, and the calls that begin and end a capture.
#include "captures.hpp"
#include "graph.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace emulator::cuda {

struct capture {
  cudaStreamCaptureMode mode;
  std::thread::id by;
  CUstream_st const* origin;
  CUgraph_st* graph;
  unsigned long long id;
  bool broken = false, over = false;
};

namespace {

struct captured_stream {
  std::shared_ptr<capture> of;
  std::vector<CUgraphNode_st*> last{};    ///< the next node comes after these
  std::vector<cudaGraphEdgeData> edges{}; ///< of cudaStreamGetCaptureInfo
};

struct captures {
  std::mutex lock;
  std::map<CUstream_st const*, captured_stream> all;
  std::atomic<std::size_t> count = 0; ///< 0 in most programs, which then take no lock
  unsigned long long begun = 0;
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
    c.of->broken |= breaks;
  }
  require(!implicit, cudaErrorStreamCaptureImplicit);
}

/// The stream's capture, which is not broken; null if the stream is not captured. Called under the lock.
captured_stream* recording_of(CUstream_st const& stream) {
  forbid_implicit(stream, true);
  auto& all = the_captures().all;
  auto const found = all.find(&stream);
  if (found == all.end()) return nullptr;
  require(!found->second.of->broken, cudaErrorStreamCaptureInvalidated);
  return &found->second;
}

/// Called under the lock. Returns: its graph, which belongs to the caller
CUgraph_st* end(std::shared_ptr<capture> const& ended) {
  auto& c = the_captures();
  std::erase_if(c.all, [&](auto const& each) { return each.second.of == ended; });
  c.count = c.all.size();
  ended->over = true;
  give_graph(ended->graph);
  return std::exchange(ended->graph, nullptr);
}

void add_once(std::vector<CUgraphNode_st*>& all, std::vector<CUgraphNode_st*> const& more) {
  for (CUgraphNode_st* const node : more)
    if (std::ranges::find(all, node) == all.end()) all.push_back(node);
}

} // namespace

void forbid_in_captures() {
  auto& c = the_captures();
  if (c.count == 0) return;
  std::lock_guard guard(c.lock);
  bool forbidden = false;
  for (auto& [_, each] : c.all)
    if (forbids(*each.of)) forbidden = each.of->broken = true;
  require(!forbidden, cudaErrorStreamCaptureUnsupported);
}

void forbid_all_captures() {
  auto& c = the_captures();
  if (c.count == 0) return;
  std::lock_guard guard(c.lock);
  for (auto& [_, each] : c.all) each.of->broken = true;
  require(c.all.empty(), cudaErrorStreamCaptureUnsupported);
}

bool record(CUstream_st const& stream, command const& what) {
  auto& c = the_captures();
  if (c.count == 0) return false;
  std::lock_guard guard(c.lock);
  captured_stream* const captured = recording_of(stream);
  if (!captured) return false;
  // As CUDA does: a launch that may start early has programmatic edges from the kernels that it follows.
  captured->last = {add_node(*captured->of->graph, what, captured->last)};
  return true;
}

bool is_captured(CUstream_st const& stream) {
  auto& c = the_captures();
  if (c.count == 0) return false;
  std::lock_guard guard(c.lock);
  return c.all.contains(&stream);
}

void record_or_break(CUstream_st const& stream, std::function<command()> const& make) {
  command what;
  try {
    what = make();
  } catch (...) {
    auto& c = the_captures();
    std::lock_guard guard(c.lock);
    if (auto const found = c.all.find(&stream); found != c.all.end()) found->second.of->broken = true;
    throw;
  }
  record(stream, what);
}

void forbid_recording(CUstream_st const& stream, cudaError_t error) {
  auto& c = the_captures();
  if (c.count == 0) return;
  std::lock_guard guard(c.lock);
  captured_stream* const captured = recording_of(stream);
  if (!captured) return;
  captured->of->broken = true;
  throw failure{error};
}

void forbid_captured(CUstream_st const& stream) {
  auto& c = the_captures();
  if (c.count == 0) return;
  std::lock_guard guard(c.lock);
  forbid_implicit(stream, true);
  auto const found = c.all.find(&stream);
  if (found == c.all.end()) return;
  found->second.of->broken = true;
  throw failure{cudaErrorStreamCaptureUnsupported};
}

void forbid_of_captured(CUstream_st const& stream) {
  forbid_captured(stream);
  forbid_in_captures();
}

cudaStreamCaptureStatus status_of(CUstream_st const& stream) {
  auto& c = the_captures();
  std::lock_guard guard(c.lock);
  forbid_implicit(stream, false);
  auto const found = c.all.find(&stream);
  return found == c.all.end()       ? cudaStreamCaptureStatusNone
         : found->second.of->broken ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
}

std::optional<captured_moment> captured_moment_of(CUstream_st const& stream) {
  auto& c = the_captures();
  if (c.count == 0) return {};
  std::lock_guard guard(c.lock);
  captured_stream const* const captured = recording_of(stream);
  if (!captured) return {};
  return captured_moment{captured->of, captured->last};
}

void join_capture(CUstream_st const& stream, captured_moment const& moment) {
  auto& c = the_captures();
  std::lock_guard guard(c.lock);
  captured_stream* const captured = recording_of(stream);
  bool const merges = captured && captured->of != moment.of;
  if (merges || (captured && moment.of->over)) captured->of->broken = true;
  require(!moment.of->over && !moment.of->broken);
  if (merges) moment.of->broken = true;
  require(!merges, cudaErrorStreamCaptureMerge);
  if (stream_of(nullptr).get() == &stream) {
    moment.of->broken = true;
    throw failure{cudaErrorStreamCaptureImplicit};
  }
  if (captured) return add_once(captured->last, moment.nodes);
  c.all.emplace(&stream, captured_stream{moment.of, moment.nodes});
  c.count = c.all.size();
}

void forbid_of_event(captured_moment const& moment) {
  std::lock_guard guard(the_captures().lock);
  require(!moment.of->over && !moment.of->broken);
  moment.of->broken = true;
  throw failure{cudaErrorCapturedEvent};
}

/// Where the origin of a capture is destroyed, the capture ends. What a destroyed stream that joined it recorded stays.
void forget_capture(CUstream_st const& stream) {
  auto& c = the_captures();
  if (c.count == 0) return;
  CUgraph_st* unused = nullptr;
  {
    std::lock_guard guard(c.lock);
    auto const found = c.all.find(&stream);
    if (found == c.all.end()) return;
    if (found->second.of->origin == &stream) unused = end(std::shared_ptr(found->second.of));
    else c.all.erase(found);
    c.count = c.all.size();
  }
  if (unused) destroy_graph(unused);
}

void forget_captures() {
  auto& c = the_captures();
  std::lock_guard guard(c.lock);
  while (!c.all.empty()) destroy_graph(end(std::shared_ptr(c.all.begin()->second.of)));
}

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call([&] {
    require(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed);
    auto const stream = stream_of(handle);
    auto& c = the_captures();
    std::lock_guard guard(c.lock);
    forbid_implicit(*stream, true);
    require(stream != stream_of(nullptr), cudaErrorStreamCaptureUnsupported);
    require(!c.all.contains(stream.get()), cudaErrorIllegalState);
    c.all[stream.get()].of = std::make_shared<capture>(
        capture{mode, std::this_thread::get_id(), stream.get(), make_captured_graph(), ++c.begun});
    c.count = c.all.size();
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call([&] {
    if (graph) *graph = nullptr;
    auto const stream = stream_of(handle);
    auto& c = the_captures();
    std::lock_guard guard(c.lock);
    forbid_implicit(*stream, true);
    auto const found = c.all.find(stream.get());
    require(found != c.all.end(), cudaErrorIllegalState);
    require(graph);
    std::shared_ptr<capture> const ended = found->second.of;
    bool const is_origin = ended->origin == stream.get();
    ended->broken |= !is_origin;
    require(is_origin, cudaErrorStreamCaptureUnmatched);
    bool const wrong_thread = ended->mode != cudaStreamCaptureModeRelaxed && ended->by != std::this_thread::get_id();
    // All that the other streams recorded must come before what the origin's next node would come after.
    bool const joined = ended->broken || leads_to(*ended->graph, found->second.last);
    CUgraph_st* const made = end(ended);
    if (wrong_thread || ended->broken || !joined) {
      destroy_graph(made);
      throw failure{ended->broken  ? cudaErrorStreamCaptureInvalidated
                    : wrong_thread ? cudaErrorStreamCaptureWrongThread
                                   : cudaErrorStreamCaptureUnjoined};
    }
    *graph = made;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call([&] {
    require(status);
    *status = status_of(*stream_of(handle));
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, cudaGraphNode_t const** dependencies,
                                     cudaGraphEdgeData const** edges, size_t* count) {
  return call([&] {
    require(status);
    auto const stream = stream_of(handle);
    *status = status_of(*stream);
    if (*status != cudaStreamCaptureStatusActive) return;
    auto& c = the_captures();
    std::lock_guard guard(c.lock);
    captured_stream& captured = c.all.at(stream.get());
    captured.edges.assign(captured.last.size(), {});
    if (id) *id = captured.of->id;
    if (graph) *graph = captured.of->graph;
    if (dependencies) *dependencies = captured.last.data();
    if (edges) *edges = captured.edges.data();
    if (count) *count = captured.last.size();
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return query([&] {
    require(mode && *mode >= cudaStreamCaptureModeGlobal && *mode <= cudaStreamCaptureModeRelaxed);
    std::swap(mode_of_thread, *mode);
  });
}
