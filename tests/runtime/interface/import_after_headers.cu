// SPDX-License-Identifier: Apache-2.0
//
// cudax.sync.host in a CUDA source, after standard headers and CUDA's. A kernel in the same file gives the device side
// of the compilation something to do.
#include "support/test.hpp"

#include "import_after_headers.hpp"

using namespace cudax_test;

namespace {

__global__ void count_up(cudax::atomic<unsigned>* count) { count->fetch_add(1); }

void run_with_device(report& result) {
  context test_{&result, nullptr, nullptr};
  auto const count = cudax::make_managed<cudax::atomic<unsigned>>();
  count_up<<<4, 64>>>(count.device_pointer());
  CHECK_EQUAL(int(cudaDeviceSynchronize()), 0);
  CHECK_EQUAL(count->load(), 256u);
}
void run_without(report& result) {
  context test_{&result, nullptr, nullptr};
  CHECK(use_after_headers());
}

} // namespace

TEST_CASE_(h, "both modules are usable", "", side::host, run_without)
TEST_CASE_(d, "both modules are usable", "", side::device, run_with_device)
