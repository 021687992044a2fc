// SPDX-License-Identifier: Apache-2.0
//
// matrix_product: the page "A matrix product" for sm_90a alone, to which the instructions of its tensor cores belong.
// The emulator compiles them, and runs the other arithmetic.
#include <cstdio>
#include <cstdlib>
#include <string>
import cudax.sync;
import cudax.sync.host;

#include "matrix_product.hpp"

int main() {
  if (std::string const why = cudax::no_device_reason(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || device.major != 9 || device.minor != 0) {
    std::printf("skipped: the device has sm_%d%d, and code for sm_90a runs on sm_90 alone\n", device.major,
                device.minor);
    return 77;
  }
  guide::matrix_product::run();
  std::puts("all right");
}
