// SPDX-License-Identifier: Apache-2.0
//
// nested: section 3.5.1: a kernel that launches itself with half as many threads, down to one. It is a program of its
// own, because it links the device runtime (libcudadevrt.a).
//
// Differences from the text. Every thread also counts itself at its depth. The lines that the kernel prints are
// captured and checked, and those of the smallest launches are shown. The text increments the depth in the arguments of
// the launch; here the launch gets depth + 1. The text launches grids of one block; here grids of several blocks are
// launched, too, by the first block of a grid or by every block. A parent passes plain data to its child grid, which
// the child sees because a launch orders memory. The text says that a thread may synchronize with the child grids that
// it launched; since CUDA 12 no thread on the device can wait for a grid. A parent grid counts as complete only after
// its child grids have completed. So the host waits for all of them by waiting for the first one.
#include "../../support/captured_output.hpp"
#include "../example.hpp"
import cudax.sync;

#include <algorithm>

namespace {

// [depths]
constexpr int max_depths = 12;

struct depths {
  int threads[max_depths];
  int message[max_depths]; ///< plain: written by the thread that launches a depth, read by the threads of that depth
  int wrong;
};
// [/depths]

} // namespace

// [hello]
using counter = cudax::atomic_ref<int, cudax::thread_scope_device>;

static __global__ void nested_hello_world(int size, int depth, depths* found) {
  counter(found->threads[depth]).fetch_add(1, cudax::memory_order_relaxed);
  if (found->message[depth] != size + depth) counter(found->wrong).fetch_add(1, cudax::memory_order_relaxed);
  printf("Recursion=%d: Hello World from thread %d block %d\n", depth, int(threadIdx.x), int(blockIdx.x));
  int const threads = size >> 1;
  if (size == 1 || threadIdx.x != 0 || threads == 0) return;
  found->message[depth + 1] = threads + depth + 1;
  nested_hello_world<<<1, threads>>>(threads, depth + 1, found);
  printf("-------> nested execution depth: %d\n", depth + 1);
}
// [/hello]

// [grids]
/// Launches grids of as many blocks, of half as many threads: one by the first block, or one by each block.
static __global__ void nested_grids(int size, int depth, bool by_each_block, depths* found) {
  counter(found->threads[depth]).fetch_add(1, cudax::memory_order_relaxed);
  printf("depth %d: block %d, thread %d\n", depth, int(blockIdx.x), int(threadIdx.x));
  bool const launches = threadIdx.x == 0 && (by_each_block || blockIdx.x == 0);
  if (size == 1 || !launches) return;
  nested_grids<<<gridDim.x, size / 2>>>(size / 2, depth + 1, by_each_block, found);
}
// [/grids]

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

/// The same for nested_grids: each of the grids of a depth prints a line for each of its threads.
static int wrong_lines_of_grids(std::string const& output, int blocks, int size, bool by_each_block) {
  int wrong = 0, lines = 0, grids = 1;
  for (int depth = 0; size >> depth != 0; ++depth) {
    for (int block = 0; block < blocks; ++block)
      for (int thread = 0; thread < size >> depth; ++thread, lines += grids) {
        std::string const line = "depth " + std::to_string(depth) + ": block " + std::to_string(block) + ", thread " +
                                 std::to_string(thread);
        wrong += cudax_test::lines_equal_to(line, output) != grids;
      }
    if (by_each_block) grids *= blocks;
  }
  return wrong + std::abs(int(std::count(output.begin(), output.end(), '\n')) - lines);
}

static void check_grids(int blocks, int size, bool by_each_block, depths* found, example::report& report) {
  *found = depths{};
  example::stopwatch time;
  cudax_test::captured_output captured;
  nested_grids<<<blocks, size>>>(size, 0, by_each_block, found);
  cudaError_t const launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
  std::string const output = captured.text();
  CUDA_MUST(launched);
  CUDA_MUST(ended);
  long long wrong = wrong_lines_of_grids(output, blocks, size, by_each_block);
  for (int depth = 0, grids = 1; depth < max_depths; ++depth) {
    wrong += found->threads[depth] != grids * blocks * (size >> depth);
    if (by_each_block && size >> depth != 0) grids *= blocks;
  }
  std::string const by = by_each_block ? ", launches by each block" : ", launches by the first";
  report.line(std::to_string(blocks) + " blocks of " + std::to_string(size) + " threads" + by, "device", wrong,
              max_depths + std::count(output.begin(), output.end(), '\n'), time.seconds());
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
  for (bool const by_each_block : {false, true})
    for (int const blocks : {1, 2, 3})
      for (int const size : {1, 6, 8}) check_grids(blocks, size, by_each_block, found, report);
  CUDA_MUST(cudaFree(found));
  return report.exit_code();
}
