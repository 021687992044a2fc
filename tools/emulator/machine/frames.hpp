// SPDX-License-Identifier: Apache-2.0
//
// frames: a function's registers and local memory, on the stack of the thread that calls it.
// A frame begins as a copy of the function's image, constants filled in; the prologue adds what differs between
// threads. A thread's first frame lies beside those of its block's other threads; the stack for calls is allocated at
// the first call, in pieces, since most threads make no call.
#pragma once

#include "program.hpp"
#include "thread.hpp"

namespace emulator {

/// Bytes of a frame of this function, a multiple of frame_alignment.
std::uint32_t frame_bytes(function const&);
inline constexpr std::uint32_t frame_alignment = 64;

/// Makes the first frame of a thread, in memory that outlives it.
void enter_kernel(thread&, function const&, std::byte* memory);

/// Makes the frame of a function that the thread calls: it becomes thread::frame.
/// Errors: fault cudaErrorLaunchFailure where the stack overflows
frame& enter_function(thread&, function const&, operation const* return_to);

/// Ends the innermost frame, which is not the first.
void leave_function(thread&);

/// Requires: the thread has a stack for calls. Returns: whether an address is in it
bool is_on_stack(thread const&, std::byte const* where);
/// Frees the stack for calls.
void free_stack(thread&);

} // namespace emulator
