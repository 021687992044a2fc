// SPDX-License-Identifier: Apache-2.0
//
// contexts: the current context of each thread, as in the driver: a stack for each thread, and one primary context for
// the device. Memory, streams and kernels belong to the device here, whatever the context; only the handles behave as
// the driver's.
#pragma once

#include "errors.hpp"

#include <atomic>

/// The type to which a CUcontext points. Never freed: a thread may keep the handle of a destroyed context.
struct CUctx_st {
  bool primary = false;
  std::atomic<bool> alive = true;
};

namespace emulator::cuda {

/// Returns the thread's context, which may have been destroyed; null if it has none.
CUctx_st* current_context() noexcept;
/// Checks that the thread has a context, for a call of the driver that needs one.
/// Errors: failure cudaErrorDeviceUninitialized (the driver's "invalid context") or cudaErrorContextIsDestroyed
void require_context();

void push_context(CUctx_st*);
CUctx_st* pop_context();
void set_context(CUctx_st*); ///< replaces the current one; null removes it

/// Returns the primary context; creates it if there is none.
CUctx_st* retain_primary();
/// Releases a reference; true if it was the last one: the caller must then reset the device.
/// Errors: failure cudaErrorDeviceUninitialized if it was not retained
bool release_primary();
CUctx_st* primary_or_null(); ///< null if it is inactive

/// Returns the primary context; creates it if there is none. The runtime keeps it until cudaDeviceReset.
CUctx_st* primary_of_runtime();
/// Destroys the primary context. References to it stay counted.
void destroy_primary();
/// Destroys the primary context and everything that belongs to it: streams, memory, loaded programs. (context.cpp)
void reset_device();

} // namespace emulator::cuda
