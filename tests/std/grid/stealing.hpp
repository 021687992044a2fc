// SPDX-License-Identifier: Apache-2.0
//
// stealing: what the tests of work stealing share: a body for f that records its calls, grids to run it on, and the
// checks of the contract. Device side only; each test file has its own kernels.
//
// Each call of f, by each thread,
// - counts for its index, in device memory: in the end the threads of one block have counted for every index;
// - checks, in shared memory, the mark that its neighbour in the block wrote in the previous call; writes a mark for
//   the next call. These accesses are plain: what a block does for one index happens before what it does for the next
//   one. If it does not, a checked run of the emulator reports a race.
#pragma once

#if defined(__CUDA__)

#include <vector>

namespace stealing {

using cudax_test::context;
using cudax_test::report;

constexpr int most_in_block = 64;

/// What a launch recorded, in device memory.
struct findings {
  unsigned long long calls;     // calls by the first thread of each block
  unsigned long long stolen;    // those of these calls whose index is not the block's first one
  unsigned long long first;     // blocks whose first index was not the expected one
  unsigned long long outside;   // an index that the grid does not have
  unsigned long long too_early; // calls before the whole block had finished the previous index
  unsigned long long idle;      // blocks without a call
};

struct grid {
  findings* found;
  unsigned* counts; // one counter for each index
  unsigned x, y, z;
  unsigned skew; // extra time for every 16th index, in steps of 100 ns

  __device__ unsigned long long number_of(dim3 i) const { return ((unsigned long long)i.z * y + i.y) * x + i.x; }
};

/// The body of f: records its calls.
class recorder {
  grid grid_;
  dim3 expected_;
  unsigned (*marks_)[most_in_block]; // two rows, in shared memory
  unsigned calls_ = 0;

public:
  __device__ recorder(grid const& grid, dim3 expected, unsigned (*marks)[most_in_block])
    : grid_(grid), expected_(expected), marks_(marks) {}

  __device__ void record(dim3 i) {
    unsigned const threads = blockDim.x, me = threadIdx.x;
    if (me == 0) atomicAdd(&grid_.found->calls, 1);
    if (me == 0 && calls_ != 0) atomicAdd(&grid_.found->stolen, 1);
    if (calls_ == 0 && (i.x != expected_.x || i.y != expected_.y || i.z != expected_.z))
      atomicAdd(&grid_.found->first, 1);
    if (calls_ != 0 && marks_[(calls_ - 1) & 1][(me + 1) % threads] != calls_) atomicAdd(&grid_.found->too_early, 1);
    marks_[calls_ & 1][me] = calls_ + 1;
    ++calls_;
    if (i.x >= grid_.x || i.y >= grid_.y || i.z >= grid_.z) {
      atomicAdd(&grid_.found->outside, 1);
      return;
    }
    unsigned long long const number = grid_.number_of(i);
    if (number % 16 == 0)
      for (unsigned k = 0; k < grid_.skew; ++k) __nanosleep(100);
    atomicAdd(&grid_.counts[number], 1);
  }
  __device__ void end() const {
    if (calls_ == 0 && threadIdx.x == 0) atomicAdd(&grid_.found->idle, 1);
  }
};

/// A grid in device memory, and the checks of what a launch recorded.
class run {
  grid grid_{};
  unsigned long long size_;

public:
  run(dim3 extent, unsigned skew) : size_((unsigned long long)extent.x * extent.y * extent.z) {
    grid_.x = extent.x, grid_.y = extent.y, grid_.z = extent.z;
    grid_.skew = skew;
    CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&grid_.found), sizeof(findings)));
    CUDA_MUST(cudaMalloc(reinterpret_cast<void**>(&grid_.counts), size_ * sizeof(unsigned)));
    CUDA_MUST(cudaMemset(grid_.found, 0, sizeof(findings)));
    CUDA_MUST(cudaMemset(grid_.counts, 0, size_ * sizeof(unsigned)));
  }
  ~run() {
    cudaFree(grid_.found);
    cudaFree(grid_.counts);
  }
  run(run const&) = delete;
  run& operator=(run const&) = delete;

  grid const& on_device() const { return grid_; }
  unsigned long long size() const { return size_; }

  /// Every index was processed once, by all threads of one block. Each block began with the expected index.
  findings verify(unsigned threads, context& test_) const {
    findings found{};
    CHECK_EQUAL(int(cudaGetLastError()), int(cudaSuccess));
    CHECK_EQUAL(int(cudaDeviceSynchronize()), int(cudaSuccess));
    CUDA_MUST(cudaMemcpy(&found, grid_.found, sizeof(found), cudaMemcpyDeviceToHost));
    std::vector<unsigned> counts(size_);
    CUDA_MUST(cudaMemcpy(counts.data(), grid_.counts, size_ * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK_EQUAL(found.calls, size_);
    CHECK_EQUAL(found.first, 0ull);
    CHECK_EQUAL(found.outside, 0ull);
    CHECK_EQUAL(found.too_early, 0ull);
    unsigned long long wrong = 0;
    for (unsigned const count : counts) wrong += count != threads;
    CHECK_EQUAL(wrong, 0ull);
    return found;
  }
};

inline int capability() {
  int major = 0;
  CUDA_MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  return major;
}

} // namespace stealing

#endif
