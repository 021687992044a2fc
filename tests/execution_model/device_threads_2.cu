// SPDX-License-Identifier: Apache-2.0
//
// device.threads.2: a device thread may be assumed to call a library I/O function eventually. Two threads of one warp
// print lines, one more than the other, and their loops do nothing else. The grid must end, and each line is in the
// output once. The text names the clause and has no example of it.
#include "../support/captured_output.hpp"
#include "example.hpp"

using namespace execution_model;

constexpr int lines = 20;

static __global__ void print_lines(int count) {
  for (int i = 0; i < count + int(threadIdx.x); ++i) printf("thread %d prints line %d\n", int(threadIdx.x), i);
}

static end run() {
  begin();
  cudax_test::captured_output output;
  print_lines<<<1, 2>>>(lines);
  cudaError_t const error = cudaDeviceSynchronize();
  std::string const text = output.text();
  CUDA_MUST(error);
  for (int thread = 0; thread < 2; ++thread)
    for (int i = 0; i <= lines; ++i) {
      std::string const line = "thread " + std::to_string(thread) + " prints line " + std::to_string(i);
      if (cudax_test::lines_equal_to(line, text) != (i < lines + thread)) {
        std::printf("wrong number of lines '%s' in:\n%s", line.c_str(), text.c_str());
        return end::wrong;
      }
    }
  return end::right;
}

static example const here("device.threads.2", outcome::ends, "the threads call a library I/O function", run);
