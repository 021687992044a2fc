// SPDX-License-Identifier: Apache-2.0
//
// execution_boundary: the continuation of host_boundary.hpp for running kernels: waiting for them, launching them,
// loading them, and access between devices.
#pragma once

#include "host_boundary.hpp"

// The types that CUDA's handles point to, under CUDA's names: cudaStream_t is CUstream_st*, cudaEvent_t is CUevent_st*.
struct CUstream_st;
struct CUevent_st;

namespace cudax {

// cudax.sync.host exports and documents these (:tensor_maps). The values are those of CUtensorMapFloatOOBfill and
// CUtensorMapL2promotion.
enum class tensor_fill { zeros, nan };
enum class tensor_promotion { none, bytes_64, bytes_128, bytes_256 };

} // namespace cudax

namespace cudax::runtime {

// --- waiting ---------------------------------------------------------------------------------------------------------

/// A std::error_code as a plain type.
struct code_of_category {
  int code = 0;
  void const* category = nullptr; // a std::error_category; null: CUDA's
};

/// The source that a waiting host thread polls, and that makes progress through these polls.
struct progress_source {
  enum class kind : unsigned char { stream, event, device, callable } what = kind::device;
  int ordinal = -1;                                // of the device; -1: the current device
  void const* handle = nullptr;                    // the stream, the event, or the argument of `poll`
  code_of_category (*poll)(void const*) = nullptr; // CUDA's success and not_ready continue the wait
};

enum class woken_by { change, deadline, finish, error };

struct woken {
  woken_by why = woken_by::change;
  code_of_category error = {};
};

/// Blocks until changed(context) is true, steady_now() reaches `deadline`, polling the source fails, or a stream or an
/// event has finished. `changed` may load relaxed. It is called once more after every other reason, because a change
/// takes precedence. Wakes at once on unpark(address).
woken wait_with_progress(void const volatile* address, bool (*changed)(void const*), void const* context,
                         long long deadline, progress_source const& source) noexcept;

/// Describes the failure of a wait that ended without a change.
void explain_wait(void const volatile* address, woken how, failure& why) noexcept;

// --- launching -------------------------------------------------------------------------------------------------------

struct extent {
  unsigned x = 1, y = 1, z = 1;
};

struct launch_request {
  void const* kernel;
  extent grid, block;
  size_t shared; // dynamic, in bytes
  CUstream_st* stream;
  void** arguments;
  extent cluster{};             // in blocks
  bool names_cluster = false;   // whether the launch names the size of its clusters, be it one block
  extent preferred{};           // the size of the clusters where the device has room for it, a multiple of `cluster`
  bool names_preferred = false; // whether the launch names it
  bool large_clusters = false;  // whether clusters may be larger than every device of sm_90 accepts
};

/// Launches the kernel. The grid may be larger than the device holds at once.
void launch_any(launch_request const& request, failure& why) noexcept;

/// Launches the kernel such that all blocks run at once. If they do not fit, launches nothing, and `why` has the
/// numbers.
void launch_coresident(launch_request const& request, failure& why) noexcept;

/// Launches the kernel such that it may start before the kernel before it in the stream has completed. On a device
/// before sm_90 this is an ordinary launch.
void launch_dependent(launch_request const& request, failure& why) noexcept;

/// Returns how many blocks of the kernel the current device holds at once, in clusters if the request names their size;
/// 0 after a failure. The grid, the stream and the arguments of the request are ignored.
int coresident_blocks(launch_request const& request, failure& why) noexcept;

// --- loading ---------------------------------------------------------------------------------------------------------

/// Loads the kernels for the current device.
void preload(void const* const* kernels, size_t count, failure& why) noexcept;

/// Writes, as a sentence of at most size - 1 characters, what a program that polls between kernels risks with lazy
/// loading; an empty string if kernels are loaded eagerly, or if these kernels are loaded.
void explain_lazy_loading(void const* const* kernels, size_t count, char* sentence, size_t size) noexcept;

// --- reports of long waits -------------------------------------------------------------------------------------------

/// Reports waits of checked builds that last longer than `after` nanoseconds; 0: none. `kernel` is the one that calls
/// cudax_hang_configure; null: only waits of host threads are reported.
void report_hangs(void const* kernel, long long after, bool traps, failure& why) noexcept;

// --- tensors ---------------------------------------------------------------------------------------------------------

/// What a tensor map describes. Dimensions beyond the rank are ignored.
struct tensor_request {
  unsigned rank;
  int type;    // a tensor_type: CUtensorMapDataType
  int swizzle; // a tensor_swizzle: CUtensorMapSwizzle
  size_t element_size;
  unsigned box[5];
  void const* address;
  long long extents[5]; // in elements
  long long strides[4]; // in bytes; 0: no padding
  tensor_fill fill;
  tensor_promotion promotion;
  bool may_overlap; // whether several coordinates may name one byte
  // Mode im2col: box[0] channels of box[1] pixels. The box of pixels, for each dimension of pixels: from `lower`,
  // counted from the tensor's first, to `upper`, counted from its last, in steps (0: 1).
  bool is_im2col = false;
  int lower[3] = {};
  int upper[3] = {};
  int steps[3] = {};
  int interleave = 0; // CUtensorMapInterleave: the elements of dimension 0 are slices of 16 (1) or 32 (2) bytes
};

/// Writes a tensor map, 128 bytes. After a failure `map` is unchanged.
void make_tensor_map(void* map, tensor_request const& request, failure& why) noexcept;

// --- several devices -------------------------------------------------------------------------------------------------

struct peer_state {
  int device; // accesses the memory of `peer`
  int peer;
  bool possible;
  bool enabled;
  bool native_atomics;
};

/// Fails if there is no such device.
void check_device(int ordinal, failure& why) noexcept;
/// Enables `device` to access the memory of `peer` if the machine supports it.
peer_state enable_peer_access(int device, int peer, failure& why) noexcept;

} // namespace cudax::runtime
