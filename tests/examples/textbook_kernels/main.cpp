// SPDX-License-Identifier: Apache-2.0
//
// textbook_kernels: a textbook's chapter "CUDA Execution Model" (README.md) as a program that checks its results:
// divergence, the series of reductions, which ends in cudax::reduce, resources, the placement of blocks, and latency.
// The program nested_launch (nested.cpp) has the launch by a kernel.
#include "part.hpp"

int main() {
  std::printf("kernels of the chapter \"CUDA Execution Model\"\n");
  example::report report;
  textbook_kernels::on_the_host(report);
  if (std::string const reason = example::device_missing(); !reason.empty()) {
    report.skipped("divergence, reductions, resources, placement, latency, nested launch", reason);
    return report.exit_code();
  }
#if defined(__CUDA__)
  textbook_kernels::divergence(report);
  textbook_kernels::reduction_series(report);
  textbook_kernels::resource_partitioning(report);
  textbook_kernels::placement(report);
  textbook_kernels::latency(report);
  textbook_kernels::memory_latency(report);
#endif
  return report.exit_code();
}
