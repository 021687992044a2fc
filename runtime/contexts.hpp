// SPDX-License-Identifier: Apache-2.0
//
// contexts: which context a call of the driver is made in.
//
// A call is made in the thread's own context, whoever made that. Where the thread has none, or its context was destroyed,
// as cudaDeviceReset does, a context is pushed for the duration of the call, and the thread has none again afterwards:
//
//   memory that is there   the context that the memory belongs to, or any that is active: addresses mean the same in all
//   a stream               its own; the default streams are those of the thread's device
//   an event               any that is active: the driver takes events of all
//   a device               the device's primary one
//   new memory             any that is active, since all devices reach the memory; else the primary one of the thread's
//                          device, which is made for it, as the runtime would
//
// Active are primary contexts, which the runtime and the programs that use it share. A call that only asks makes none: where
// none is active, nothing runs and nothing is registered. References to a context are given back after the call, but for
// that of a context which was made here: as the runtime, the library keeps it, because the memory lives there.
#pragma once

#include "driver.hpp"

namespace cudax::runtime {

/// What the driver answers where the thread's context is none, or was destroyed.
constexpr bool is_gone(int code) noexcept {
  return code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/// A device's primary context, referred to as long as this lives.
class primary_context {
public:
  explicit primary_context(driver const& d) noexcept : driver_(d) {}
  ~primary_context() { give_back(); }
  primary_context(primary_context const&) = delete;
  primary_context& operator=(primary_context const&) = delete;

  /// CUDA_ERROR_INVALID_CONTEXT where it is not active and not to be made. Gives back the one before.
  int retain(int ordinal, bool make) noexcept;
  CUcontext get() const noexcept { return context_; }

private:
  void give_back() noexcept;

  driver const& driver_;
  CUcontext context_ = nullptr;
  CUdevice device_ = 0;
  bool gives_back_ = false;
};

/// A context that is pushed as long as this lives.
class lent_context {
public:
  explicit lent_context(driver const& d) noexcept : driver_(d), primary_(d) {}
  ~lent_context();
  lent_context(lent_context const&) = delete;
  lent_context& operator=(lent_context const&) = delete;

  // Each returns a CUresult; after success the context is current. is_gone(): there is no such context.
  int push_primary(int ordinal, bool make) noexcept;
  int push_any() noexcept; // an active primary one, of the thread's device if that has one
  int push_for_memory(void const* address) noexcept;
  int push_for_stream(CUstream stream) noexcept;
  int push_for_new_memory() noexcept;

private:
  int push(CUcontext context) noexcept;
  int thread_s_device(int& ordinal) const noexcept;

  driver const& driver_;
  primary_context primary_;
  bool pushed_ = false;
};

/// Calls call() in the thread's context, else in one that lend(lent_context&) pushes. Where neither is, returns what is_gone().
template <class Lend, class Call> int in_context(driver const& d, Lend lend, Call call) noexcept {
  CUcontext current = nullptr;
  int code = d.cuCtxGetCurrent(&current);
  if (code != CUDA_SUCCESS) return code;
  if (current) {
    code = call();
    if (!is_gone(code)) return code;
  }
  lent_context lent(d);
  code = lend(lent);
  return code == CUDA_SUCCESS ? call() : code;
}

/// The same for a device: in the thread's context where that is on the device, else in the primary one.
template <class Call> int in_context_of(driver const& d, int ordinal, bool make, Call call) noexcept {
  CUdevice wanted = 0, current = 0;
  int code = d.cuDeviceGet(&wanted, ordinal);
  if (code != CUDA_SUCCESS) return code;
  if (d.cuCtxGetDevice(&current) == CUDA_SUCCESS && current == wanted) {
    code = call();
    if (!is_gone(code)) return code;
  }
  lent_context lent(d);
  code = lent.push_primary(ordinal, make);
  return code == CUDA_SUCCESS ? call() : code;
}

} // namespace cudax::runtime
