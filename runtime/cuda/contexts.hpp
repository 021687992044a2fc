// SPDX-License-Identifier: Apache-2.0
//
// contexts: the context in which a call of the driver is made.
//
// A call is made in the thread's own context, whatever code created that. If the thread has none, or if its context was
// destroyed, for example by cudaDeviceReset, a context is pushed for the duration of the call, and afterwards the
// thread has none again:
//
//   existing memory        the context that the memory belongs to, or any active one: addresses mean the same in all
//   a stream               its own; for a default stream, that of the thread's device
//   an event               any active one: the driver accepts events of all contexts
//   a device               the device's primary context
//   new memory             any active one, because all devices reach the memory; otherwise the primary context of
//                          the thread's device, which is created for it, as the runtime would
//
// The active contexts are primary ones, which the runtime and the programs that use it share. A query creates none: if
// none is active, nothing runs and nothing is registered. A reference to a context is released after the call, except
// to a context that was created here: like the runtime, the library keeps it, because the memory lives there.
#pragma once

#include "driver.hpp"

namespace cudax::runtime {

/// Whether `code` is what the driver returns if the thread has no context, or its context was destroyed.
constexpr bool is_gone(int code) noexcept {
  return code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/// A reference to a device's primary context, held while this object lives.
class primary_context {
public:
  explicit primary_context(driver const& d) noexcept : driver_(d) {}
  ~primary_context() { give_back(); }
  primary_context(primary_context const&) = delete;
  primary_context& operator=(primary_context const&) = delete;

  /// Returns CUDA_ERROR_INVALID_CONTEXT if the context is not active and `make` is false. Releases the previous
  /// reference.
  int retain(int ordinal, bool make) noexcept;
  CUcontext get() const noexcept { return context_; }

private:
  void give_back() noexcept;

  driver const& driver_;
  CUcontext context_ = nullptr;
  CUdevice device_ = 0;
  bool gives_back_ = false;
};

/// A context that stays pushed while this object lives.
class pushed_context {
public:
  explicit pushed_context(driver const& d) noexcept : driver_(d), primary_(d) {}
  ~pushed_context();
  pushed_context(pushed_context const&) = delete;
  pushed_context& operator=(pushed_context const&) = delete;

  // Each returns a CUresult. After success the context is current. Without such a context, is_gone() holds for the
  // result.
  int push_primary(int ordinal, bool make) noexcept;
  int push_any() noexcept; // an active primary context, preferably of the thread's device
  int push_for_memory(void const* address) noexcept;
  int push_for_stream(CUstream stream) noexcept;
  int push_for_new_memory() noexcept;

private:
  int push(CUcontext context) noexcept;
  int device_of_thread(int& ordinal) const noexcept;

  driver const& driver_;
  primary_context primary_;
  bool pushed_ = false;
};

/// Calls call() in the thread's context, otherwise in one that lend(pushed_context&) pushes. If there is neither,
/// returns a code for which is_gone() holds.
template <class Lend, class Call> int in_context(driver const& d, Lend lend, Call call) noexcept {
  CUcontext current = nullptr;
  int code = d.cuCtxGetCurrent(&current);
  if (code != CUDA_SUCCESS) return code;
  if (current) {
    code = call();
    if (!is_gone(code)) return code;
  }
  pushed_context lent(d);
  code = lend(lent);
  return code == CUDA_SUCCESS ? call() : code;
}

/// As above, for a device: in the thread's context if that is on the device, otherwise in the primary context.
template <class Call> int in_context_of(driver const& d, int ordinal, bool make, Call call) noexcept {
  CUdevice wanted = 0, current = 0;
  int code = d.cuDeviceGet(&wanted, ordinal);
  if (code != CUDA_SUCCESS) return code;
  if (d.cuCtxGetDevice(&current) == CUDA_SUCCESS && current == wanted) {
    code = call();
    if (!is_gone(code)) return code;
  }
  pushed_context lent(d);
  code = lent.push_primary(ordinal, make);
  return code == CUDA_SUCCESS ? call() : code;
}

} // namespace cudax::runtime
