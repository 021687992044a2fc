// SPDX-License-Identifier: Apache-2.0
//
// guide: what the examples of the guide share. Each page has a header with its code, and a function that runs it.
#pragma once

namespace guide {

/// Ends the program if an example gave a wrong answer.
inline void expect(bool right, char const* what) {
  if (right) return;
  std::fprintf(stderr, "guide: %s: wrong answer\n", what);
  std::exit(1);
}

#if defined(__CUDACC__)
/// Waits for the device, and ends the program if CUDA reports an error.
inline void finish(char const* what) {
  cudaError_t const error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "guide: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}
#endif

} // namespace guide
