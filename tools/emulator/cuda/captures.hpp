// SPDX-License-Identifier: Apache-2.0
//
// captures: streams whose work is recorded, and which calls are allowed during a capture.  [cudaStreamBeginCapture,
// cudaThreadExchangeStreamCaptureMode]
// A capture begins in one stream, its origin. Another stream joins it when it waits for an event that was recorded in a
// stream of the capture. Each of these streams keeps the nodes after which its next node comes.
#pragma once

#include "queue.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace emulator::cuda {

/// Called first by every call that a capture cannot record and that does not concern one stream: allocating, freeing,
/// registering, queries, synchronization. Invalidates the captures that the call disturbs, according to the thread's
/// mode.
/// Errors: failure cudaErrorStreamCaptureUnsupported
void forbid_in_captures();

/// Called first by a wait for everything. Invalidates every capture, whatever its mode.
/// Errors: failure cudaErrorStreamCaptureUnsupported
void forbid_all_captures();

/// Makes the command a node of the graph if the stream is captured. Returns: whether it is
/// Errors: failure cudaErrorStreamCaptureInvalidated; cudaErrorStreamCaptureImplicit for the legacy default stream while
///         a stream for which it waits is captured: that capture is then invalidated
bool record(CUstream_st const&, command const&);

bool is_captured(CUstream_st const&);
/// Records the command that `make` gives. If there is none, because of an error, invalidates the capture.
/// Errors: as record; those of `make`
void record_or_break(CUstream_st const&, std::function<command()> const& make);

/// Called for work that no node stands for. If the stream is captured, invalidates the capture.
/// Errors: as record; failure `error` if the stream is captured
void forbid_recording(CUstream_st const&, cudaError_t error);

/// Called first by every launch and every upload of a graph.
/// Errors: failure cudaErrorStreamCaptureUnsupported if the stream is captured, which invalidates the capture;
///         cudaErrorStreamCaptureImplicit as record
void forbid_captured(CUstream_st const&);

/// Called first by every query of a stream and every wait for it.
/// Errors: as forbid_captured, which comes first, and as forbid_in_captures
void forbid_of_captured(CUstream_st const&);

/// Errors: failure cudaErrorStreamCaptureImplicit, which invalidates nothing
cudaStreamCaptureStatus status_of(CUstream_st const&);

struct capture;
/// What an event means that was recorded in a captured stream: the nodes that were the stream's last.
struct captured_moment {
  std::shared_ptr<capture> of;
  std::vector<CUgraphNode_st*> nodes;
};
/// The stream's moment; none if it is not captured. Errors: as record
std::optional<captured_moment> captured_moment_of(CUstream_st const&);
/// The stream waits for the event: it joins the capture if it is not captured yet.
/// Errors: failure cudaErrorInvalidValue if the capture is over or broken, cudaErrorStreamCaptureMerge if the stream is in
///         another one, cudaErrorStreamCaptureImplicit for the legacy default stream; they invalidate the captures that
///         are not over. As record
void join_capture(CUstream_st const&, captured_moment const&);
/// The program queries the event or waits for it. Invalidates the capture.
/// Errors: failure cudaErrorCapturedEvent, or cudaErrorInvalidValue if the capture is over or broken
[[noreturn]] void forbid_of_event(captured_moment const&);

void forget_capture(CUstream_st const&); ///< the stream is destroyed
void forget_captures();                  ///< cudaDeviceReset

} // namespace emulator::cuda
