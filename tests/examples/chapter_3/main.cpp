// SPDX-License-Identifier: Apache-2.0
//
// chapter_3: the third chapter of the seeds, "CUDA execution model", as a program that checks its answers: divergence, the
// series of reductions, ending in cudax::reduce, resources, and a launch by a kernel.
#include "part.hpp"

int main() {
  std::printf("chapter 3: the execution model\n");
  example::report report;
  chapter_3::on_the_host(report);
  if (std::string const reason = example::device_missing(); !reason.empty()) {
    report.skipped("divergence, reductions, resources, nested launch", reason);
    return report.exit_code();
  }
#if defined(__CUDA__)
  chapter_3::divergence(report);
  chapter_3::reduction_series(report);
  chapter_3::resource_partitioning(report);
#endif
  return report.exit_code();
}
