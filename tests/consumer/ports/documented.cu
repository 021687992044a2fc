// SPDX-License-Identifier: Apache-2.0
//
// documented: a program for each example that the documentation of libcu++ and the CUDA Programming Guide have for
// asynchronous barriers, copies that complete on a barrier, and pipelines. Each uses the calls of its example in the
// same way. copies.cu has more.
#include "documented.hpp"

#include "documented_barriers.hpp"
#include "documented_copies.hpp"
#include "documented_pipelines.hpp"
#include "documented_transactions.hpp"

int main() {
  int devices = 0, major = 0;
  if (cudaError_t const error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0) {
    std::printf("skipped: the kernels: %s\n", cudaGetErrorString(error));
    return 0;
  }
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess) return 1;
  arrays const all;
  if (!all.allocated()) return 1;
  all.fill();
  run_barriers(all);
  run_copies(all);
  run_pipelines(all);
  if (major >= 9) run_transactions(all);
  std::printf("the documented examples are %s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
