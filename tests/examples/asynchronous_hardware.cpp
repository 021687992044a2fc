// SPDX-License-Identifier: Apache-2.0
//
// asynchronous_hardware: what Hopper added, in kernels of the guide (tests/guide): barriers that count bytes, copies of
// arrays and of tiles, pipelines with a warp that only copies, clusters, named barriers, dependent launches. Each run
// checks its answer, and ends the program if it is wrong.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "example.hpp"

#if defined(__CUDA__)
import cudax.sync;

#include "../guide/counting_bytes.hpp"
#include "../guide/dependent_launches.hpp"
#include "../guide/matrix_product.hpp"
#include "../guide/streaming.hpp"
#include "../guide/tensor_tiles.hpp"
#include "../guide/warp_roles.hpp"
#endif

int main() {
  std::puts("asynchronous_hardware: kernels of the guide, every result checked");
  example::report report;
  std::string const reason = example::device_missing();
  if (!reason.empty()) report.skipped("all kernels", reason);
#if defined(__CUDA__)
  if (!reason.empty()) return report.exit_code();
  cudaDeviceProp device{};
  CUDA_MUST(cudaGetDeviceProperties(&device, 0));
  struct {
    char const* what;
    void (*run)();
    int major; // of the SMs that have it
  } const kernels[] = {
      {"warps with different tasks, named barriers", guide::warp_roles::run, 7},
      {"a chain of dependent launches", guide::dependent_launches::run, 7},
      {"a cluster: multicast, copies between blocks", guide::counting_bytes::run, 9},
      {"a persistent kernel that streams", guide::streaming::run, 9},
      {"a stencil of 5 points, by copies of tiles", guide::tensor_tiles::run, 9},
      {"a matrix product, by copies of tiles", guide::matrix_product::run, 9},
  };
  for (auto const& kernel : kernels) {
    if (device.major < kernel.major) {
      report.skipped(kernel.what, "needs sm_90");
      continue;
    }
    example::stopwatch time;
    kernel.run();
    report.line(kernel.what, device.name, 0, 1, time.seconds());
  }
#endif
  return report.exit_code();
}
