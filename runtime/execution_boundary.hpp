// SPDX-License-Identifier: Apache-2.0
//
// execution_boundary: host_boundary.hpp goes on, with what is about running kernels: waiting for them, launching
// them, loading them, and devices that reach one another's memory.
#pragma once

#include "host_boundary.hpp"

// What CUDA's handles point to, with CUDA's own names: cudaStream_t is CUstream_st*, cudaEvent_t is CUevent_st*.
struct CUstream_st;
struct CUevent_st;

namespace cudax::runtime {

// --- waiting -------------------------------------------------------------------------------------------------------

/// A std::error_code.
struct code_of_category {
  int code = 0;
  void const* category = nullptr; // a std::error_category; null: CUDA's
};

/// Who makes progress while a host thread waits: what is asked again and again.
struct progress_source {
  enum class kind : unsigned char { stream, event, device, callable } what = kind::device;
  int ordinal = -1;                               // of the device; -1: the current one
  void const* handle = nullptr;                   // the stream or the event; what `ask` is called with
  code_of_category (*ask)(void const*) = nullptr; // success and not_ready of CUDA's category go on
};

enum class woken_by { change, deadline, finish, error };

struct woken {
  woken_by why = woken_by::change;
  code_of_category error = {};
};

/// Blocks until changed(context), steady_now() reaches `deadline`, asking the source fails, or a stream or an event
/// has finished. `changed` may look relaxed; it looks once more behind every other reason, which a change precedes.
/// Wakes at once on unpark(address).
woken wait_with_progress(void const volatile* address, bool (*changed)(void const*), void const* context,
                         long long deadline, progress_source const& source) noexcept;

/// The failure that a wait without a change is.
void explain_wait(void const volatile* address, woken how, failure& why) noexcept;

// --- launching -----------------------------------------------------------------------------------------------------

struct extent {
  unsigned x = 1, y = 1, z = 1;
};

struct launch_request {
  void const* kernel;
  extent grid, block;
  size_t shared; // dynamic, in bytes
  CUstream_st* stream;
  void** arguments;
};

/// Launches all blocks at once, or none: then `why` has the numbers.
void launch_coresident(launch_request const& request, failure& why) noexcept;

/// How many blocks of the kernel the current device holds at once; 0 after a failure.
int coresident_blocks(void const* kernel, extent block, size_t shared, failure& why) noexcept;

// --- loading -------------------------------------------------------------------------------------------------------

/// Loads the kernels for the current device.
void preload(void const* const* kernels, size_t count, failure& why) noexcept;

/// What a program that polls between kernels risks with this way of loading, as a sentence of at most size - 1
/// characters; empty where the kernels are loaded before they run, or these are.
void explain_lazy_loading(void const* const* kernels, size_t count, char* sentence, size_t size) noexcept;

// --- several devices -----------------------------------------------------------------------------------------------

struct peer_state {
  int device; // reaches the memory of `peer`
  int peer;
  bool possible;
  bool enabled;
  bool native_atomics;
};

/// Fails where there is no such device.
void check_device(int ordinal, failure& why) noexcept;
/// Lets `device` reach the memory of `peer` where the machine can.
peer_state enable_peer_access(int device, int peer, failure& why) noexcept;

} // namespace cudax::runtime
