// SPDX-License-Identifier: Apache-2.0
//
// nested: section 3.5.1: a kernel that launches itself with half as many threads, down to one. It is a program of its
// own, because it links the device runtime (libcudadevrt.a).
//
// Differences from the text. Every thread also counts itself at its depth. The lines that the kernel prints are
// captured and checked, and those of the smallest launches are shown. The text increments the depth in the arguments of
// the launch; here the launch gets depth + 1. A parent passes plain data to its child grid, which the child sees
// because a launch orders memory. The text says that a thread may synchronize with the child grids that it launched;
// since CUDA 12 no thread on the device can wait for a grid. A parent grid counts as complete only after its child
// grids have completed. So the host waits for all of them by waiting for the first one.
#include "../../support/captured_output.hpp"
#include "../example.hpp"
import cudax.sync;

#include <algorithm>

namespace {

constexpr int max_depths = 12;

struct depths {
  int threads[max_depths];
  int message[max_depths]; ///< plain: written by the thread that launches a depth, read by the threads of that depth
  int wrong;
};

} // namespace

static __global__ void nested_hello_world(int size, int depth, depths* found) {
  cudax::atomic_ref<int, cudax::thread_scope_device>(found->threads[depth]).fetch_add(1, cudax::memory_order_relaxed);
  if (found->message[depth] != size + depth)
    cudax::atomic_ref<int, cudax::thread_scope_device>(found->wrong).fetch_add(1, cudax::memory_order_relaxed);
  printf("Recursion=%d: Hello World from thread %d block %d\n", depth, int(threadIdx.x), int(blockIdx.x));
  int const threads = size >> 1;
  if (size == 1 || threadIdx.x != 0 || threads == 0) return;
  found->message[depth + 1] = threads + depth + 1;
  nested_hello_world<<<1, threads>>>(threads, depth + 1, found);
  printf("-------> nested execution depth: %d\n", depth + 1);
}

/// Returns how many lines of the output are missing, superfluous, or printed more than once.
static int wrong_lines(std::string const& output, int size) {
  int wrong = 0, lines = 0;
  for (int depth = 0; size >> depth != 0; ++depth) {
    std::string const hello = "Recursion=" + std::to_string(depth) + ": Hello World from thread ";
    for (int thread = 0; thread < size >> depth; ++thread, ++lines)
      wrong += cudax_test::lines_equal_to(hello + std::to_string(thread) + " block 0", output) != 1;
    if (depth == 0) continue;
    ++lines;
    wrong += cudax_test::lines_equal_to("-------> nested execution depth: " + std::to_string(depth), output) != 1;
  }
  return wrong + std::abs(int(std::count(output.begin(), output.end(), '\n')) - lines);
}

int main() {
  example::report report;
  if (std::string const reason = example::device_missing(); !reason.empty()) {
    report.skipped("nested launch", reason);
    return report.exit_code();
  }
  depths* found = nullptr;
  CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&found), sizeof(depths)));
  for (int const size : {1, 2, 7, 8, 32, 100, 512}) {
    *found = depths{};
    found->message[0] = size;
    example::stopwatch time;
    cudax_test::captured_output captured;
    nested_hello_world<<<1, size>>>(size, 0, found);
    cudaError_t const launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
    std::string const output = captured.text();
    CUDA_MUST(launched);
    CUDA_MUST(ended);
    if (size <= 8) std::printf("%s", output.c_str());
    long long wrong = found->wrong;
    for (int depth = 0; depth < max_depths; ++depth) wrong += found->threads[depth] != size >> depth;
    report.line("nested launch of " + std::to_string(size) + " threads", "device", wrong, max_depths, time.seconds());
    report.line("lines that it prints", "device", wrong_lines(output, size),
                std::count(output.begin(), output.end(), '\n'), 0);
  }
  CUDA_MUST(cudaFree(found));
  return report.exit_code();
}
