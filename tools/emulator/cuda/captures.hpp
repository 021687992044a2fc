// SPDX-License-Identifier: Apache-2.0
//
// captures: streams whose work is recorded, and who may call what meanwhile.  [cudaStreamBeginCapture,
// cudaThreadExchangeStreamCaptureMode] The graphs that come out are empty: what is recorded is never run.
#pragma once

#include "errors.hpp"

#include <memory>

struct CUstream_st;

namespace emulator::cuda {

/// What a call does first that a capture cannot record and that is not about one stream: allocating, freeing, registering,
/// queries, synchronization. Breaks the captures that the thread's mode says are disturbed.
/// Errors: failure cudaErrorStreamCaptureUnsupported
void forbid_in_captures();

/// Whether work for the stream is recorded instead of run.
/// Errors: failure cudaErrorStreamCaptureInvalidated; cudaErrorStreamCaptureImplicit for the legacy default stream while one
///         is captured that it waits for: that capture is broken then
bool is_recorded(CUstream_st const&);

/// What asking or waiting for a stream does first.
/// Errors: as forbid_in_captures; failure cudaErrorStreamCaptureUnsupported where the stream is captured, which breaks it, and
///         cudaErrorStreamCaptureImplicit as is_recorded
void forbid_of_captured(CUstream_st const&);

void forget_capture(CUstream_st const&); ///< the stream is destroyed
void forget_captures();                  ///< cudaDeviceReset

} // namespace emulator::cuda
