// SPDX-License-Identifier: Apache-2.0
//
// contexts: which context a thread has, as the driver counts them: a stack for each thread, and one primary context for the
// device. Memory, streams and kernels are the device's here, whatever the context; only the handles are the driver's.
#pragma once

#include "errors.hpp"

#include <atomic>

/// What a CUcontext points to. Never freed: a thread may keep the handle of a context that was destroyed.
struct CUctx_st {
  bool primary = false;
  std::atomic<bool> alive = true;
};

namespace emulator::cuda {

/// The thread's context, which may have been destroyed; null where it has none.
CUctx_st* current_context() noexcept;
/// The same, for a call of the driver that needs one.
/// Errors: failure cudaErrorDeviceUninitialized (the driver's "invalid context") or cudaErrorContextIsDestroyed
void require_context();

void push_context(CUctx_st*);
CUctx_st* pop_context();
void set_context(CUctx_st*); ///< in the place of the current one; null removes it

/// The primary context, made where there is none.
CUctx_st* retain_primary();
/// Whether that was the last reference: the caller then resets the device.
/// Errors: failure cudaErrorDeviceUninitialized where it was not retained
bool release_primary();
CUctx_st* primary_or_null(); ///< null where it is inactive

/// The primary context, made where there is none, and kept by the runtime until cudaDeviceReset.
CUctx_st* primary_of_runtime();
/// The primary context is destroyed. References to it stay counted.
void destroy_primary();
/// What goes with the primary context: streams, memory, loaded programs; and it. (context.cpp)
void reset_device();

} // namespace emulator::cuda
