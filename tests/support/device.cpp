// SPDX-License-Identifier: Apache-2.0
//
// device: whether the CUDA tests have a device to run on.
#include <cuda_runtime_api.h>

namespace cudax_test {

char const* device_missing() {
  static char const* const reason = []() -> char const* {
    int devices = 0;
    if (cudaError_t const error = cudaGetDeviceCount(&devices)) return cudaGetErrorString(error);
    return devices ? nullptr : "there is no CUDA device";
  }();
  return reason;
}

} // namespace cudax_test
