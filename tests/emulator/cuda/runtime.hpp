// SPDX-License-Identifier: Apache-2.0
//
// runtime: what the tests of the emulator's CUDA runtime share: kernels written in PTX, registered as a program's are.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cuda_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#define SUCCEEDS(...) BOOST_REQUIRE_EQUAL(__VA_ARGS__, cudaSuccess)
/// The call returns this error, which is then the last error exactly once.
#define RETURNS(error, ...)                                                                                            \
  BOOST_CHECK_EQUAL(__VA_ARGS__, error);                                                                               \
  BOOST_CHECK_EQUAL(cudaGetLastError(), error);                                                                        \
  BOOST_CHECK_EQUAL(cudaGetLastError(), cudaSuccess)

namespace cudax_test {

/// Host addresses that represent the kernels and the variable of kernels.cpp.
struct kernels {
  static void const* set;          ///< (unsigned* where, unsigned value)
  static void const* add;          ///< (unsigned* where, unsigned value): every thread adds atomically
  static void const* wait_for;     ///< (unsigned* flag, unsigned value): polls until the flag has the value
  static void const* count_until;  ///< the same, and counts its polls
  static void const* trap;         ///< ()
  static void const* set_later;    ///< like set, after half a second
  static void const* lock;         ///< (unsigned* lock): compare-and-swap as clang compiles CUDA's
  static void const* own_lock;     ///< the same instructions as inline assembly
  static void const* linked;       ///< in a fat binary that nvcc has linked: only a cubin
  static void const* not_decoded;  ///< a kernel with an unknown instruction
  static void const* only_in_host; ///< registered, but not in the PTX
  static void const* newer;        ///< in a fat binary for sm_120 only
  static void const* variable;     ///< unsigned variable[4]
  static unsigned* managed;        ///< a variable that is __managed__; 5
};

template <class... Arguments>
cudaError_t launch(void const* kernel, dim3 grid, dim3 block, cudaStream_t stream, Arguments... arguments) {
  void* pointers[] = {&arguments..., nullptr};
  return cudaLaunchKernel(kernel, grid, block, pointers, 0, stream);
}

/// Mapped memory of one word, initially zero.
struct mapped_word {
  unsigned* at = nullptr;
  mapped_word() {
    SUCCEEDS(cudaHostAlloc(reinterpret_cast<void**>(&at), sizeof *at, cudaHostAllocMapped));
    *at = 0;
  }
  ~mapped_word() { cudaFreeHost(at); }
  unsigned load() const { return std::atomic_ref(*at).load(); }
  void store(unsigned value) const { std::atomic_ref(*at).store(value); }
};

struct stream {
  cudaStream_t handle = nullptr;
  explicit stream(unsigned flags = cudaStreamDefault) { SUCCEEDS(cudaStreamCreateWithFlags(&handle, flags)); }
  ~stream() { cudaStreamDestroy(handle); }
};

struct event {
  cudaEvent_t handle = nullptr;
  event() { SUCCEEDS(cudaEventCreate(&handle)); }
  ~event() { cudaEventDestroy(handle); }
};

/// Waits long enough that everything that can happen has happened.
inline void let_others_run() { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }

} // namespace cudax_test
