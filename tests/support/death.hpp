// SPDX-License-Identifier: Apache-2.0
//
// death: programs that must stop with a message.
//
// A `.death.cpp` file is compiled as plain C++ and as CUDA. Each of its cases runs in its own process (death_main.cpp),
// on the host or in a kernel of one thread. The case must end its process by abort, or its kernel by a trap, after it
// has printed the same message on both sides.
//
//   DEATHS_BEGIN
//   DEATH("a load cannot release", "cudax.sync: load: memory order 3 is not allowed") {
//     cudax::atomic<int> a;
//     a.load(order(3));
//   }
//   SURVIVAL("a load can acquire") { ... }     // the control: must return
//   DEATHS_END
//
// Include it before the imports, and write DEATHS_BEGIN after them.
#pragma once

#if defined(__CUDA__)
#define DEATHS_BEGIN _Pragma("clang force_cuda_host_device begin")
#define DEATHS_END _Pragma("clang force_cuda_host_device end")
#else
#define DEATHS_BEGIN
#define DEATHS_END
#endif

namespace cudax_test {

DEATHS_BEGIN
/// Returns `number`, whose value the optimizer cannot see.
inline int hidden(int number) {
  asm volatile("" : "+r"(number));
  return number;
}
DEATHS_END

/// A case on the list that death_main.cpp runs. `sentence` is the message that must be printed, in which '*' stands for
/// any text; it is null for a case that must return.
struct death_case {
  char const* title;
  char const* sentence;
  void (*on_host)(); // null for a DEVICE_DEATH
  /// Runs the case in a kernel; returns the name of the CUDA error, or null. The pointer is null in plain C++.
  char const* (*on_device)();
  death_case const* next;

  death_case(char const* title, char const* sentence, void (*on_host)(), char const* (*on_device)());
};

#if defined(__CUDA__)
template <void (*Body)()>
__global__ void death_kernel() {
  Body();
}
template <void (*Body)()>
char const* run_kernel() {
  death_kernel<Body><<<1, 1>>>();
  cudaError_t error = cudaGetLastError(); // of the launch
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  return error == cudaSuccess ? nullptr : cudaGetErrorName(error);
}
#endif

} // namespace cudax_test

#define DEATH_NAME_(a, b) a##b
#define DEATH_NAME(a, b) DEATH_NAME_(a, b)
#if defined(__CUDA__)
#define DEATH_LAUNCH_(body) ::cudax_test::run_kernel<body>
#else
#define DEATH_LAUNCH_(body) nullptr
#endif

#define DEATH(title, sentence)                                                                                         \
  static void DEATH_NAME(body_, __LINE__)();                                                                           \
  static ::cudax_test::death_case const DEATH_NAME(case_, __LINE__)(title, sentence, DEATH_NAME(body_, __LINE__),      \
                                                                    DEATH_LAUNCH_(DEATH_NAME(body_, __LINE__)));       \
  static void DEATH_NAME(body_, __LINE__)()
#define SURVIVAL(title) DEATH(title, nullptr)
/// A case that exists only on a device.
#if defined(__CUDA__)
#define DEVICE_DEATH(title, sentence)                                                                                  \
  static void DEATH_NAME(body_, __LINE__)();                                                                           \
  static ::cudax_test::death_case const DEATH_NAME(case_, __LINE__)(title, sentence, nullptr,                          \
                                                                    DEATH_LAUNCH_(DEATH_NAME(body_, __LINE__)));       \
  static void DEATH_NAME(body_, __LINE__)()
#else
#define DEVICE_DEATH(title, sentence) [[maybe_unused]] static void DEATH_NAME(body_, __LINE__)()
#endif
