// SPDX-License-Identifier: Apache-2.0
//
// captures: streams whose work is recorded, and which calls are allowed during a capture.  [cudaStreamBeginCapture,
// cudaThreadExchangeStreamCaptureMode] The resulting graphs are empty: recorded work is never run.
#pragma once

#include "errors.hpp"

#include <memory>

struct CUstream_st;

namespace emulator::cuda {

/// Called first by every call that a capture cannot record and that does not concern one stream: allocating, freeing,
/// registering, queries, synchronization. Invalidates the captures that the call disturbs, according to the thread's
/// mode.
/// Errors: failure cudaErrorStreamCaptureUnsupported
void forbid_in_captures();

/// Whether work for the stream is recorded instead of run.
/// Errors: failure cudaErrorStreamCaptureInvalidated; cudaErrorStreamCaptureImplicit for the legacy default stream while
///         a stream for which it waits is captured: that capture is then invalidated
bool is_recorded(CUstream_st const&);

/// Called first by every query of a stream and every wait for it.
/// Errors: as forbid_in_captures; failure cudaErrorStreamCaptureUnsupported if the stream is captured, which invalidates
///         the capture; cudaErrorStreamCaptureImplicit as is_recorded
void forbid_of_captured(CUstream_st const&);

void forget_capture(CUstream_st const&); ///< the stream is destroyed
void forget_captures();                  ///< cudaDeviceReset

} // namespace emulator::cuda
