// SPDX-License-Identifier: Apache-2.0
//
// measure: a sample is a number of launches between two device events. Before it the memory is set back,
// after it the answer is checked; a wrong answer leaves the library without a number in this row. The rounds
// of a launch and the launches of a sample are chosen by trial, so that a sample is long enough to time and a
// row a thousand times slower than another one does not take a thousand times as long. Libraries less than
// eight times apart do the same work.
#include "measure.hpp"
#include "cuda.hpp"

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

unsigned odd(double number) { return unsigned(number) | 1u; }

/// A row of one library with its memory.
class contestant {
  row const& row_;
  std::size_t object_bytes_, result_bytes_;
  device_memory objects_, results_;
  std::vector<char> host_objects_, host_results_;
  event start_, stop_;

public:
  bench::work work;
  result found;
  double milliseconds = 0; ///< of one launch, at calibration

  contestant(row const& row, unsigned multiprocessors)
    : row_(row), object_bytes_(row.object_bytes(multiprocessors * row.blocks_per_sm * row.threads_per_block)),
      result_bytes_(row.result_bytes(multiprocessors * row.blocks_per_sm * row.threads_per_block)),
      objects_(object_bytes_), results_(result_bytes_), host_objects_(object_bytes_),
      host_results_(result_bytes_), work{multiprocessors * row.blocks_per_sm, row.threads_per_block, 1, 1} {}

  /// Milliseconds of the launches of one sample.
  double run() {
    CUDA_MUST(cudaMemset(objects_.get(), row_.initial_byte, object_bytes_));
    CUDA_MUST(cudaMemset(results_.get(), 0, result_bytes_));
    start_.record();
    for (unsigned launch = 0; launch < work.launches; ++launch)
      row_.launch(work, objects_.get(), results_.get(), launch * work.rounds);
    CUDA_MUST(cudaGetLastError());
    stop_.record();
    return stop_.since(start_);
  }

  /// Finds how many rounds make a launch of `wanted` milliseconds.
  void calibrate(double wanted) {
    run(); // loads the kernel
    for (;;) {
      milliseconds = run();
      if (milliseconds >= wanted || work.rounds > 1'000'000) return;
      work.rounds = odd(work.rounds * std::clamp(1.1 * wanted / milliseconds, 2.0, 32.0));
    }
  }

  /// Takes a sample; `counts` is false while warming up. The answer is checked each time.
  void sample(bool counts) {
    if (!found.trouble.empty()) return;
    double const time = run();
    CUDA_MUST(cudaMemcpy(host_objects_.data(), objects_.get(), object_bytes_, cudaMemcpyDeviceToHost));
    CUDA_MUST(cudaMemcpy(host_results_.data(), results_.get(), result_bytes_, cudaMemcpyDeviceToHost));
    std::string const wrong = row_.check(work, host_objects_.data(), host_results_.data());
    if (!wrong.empty())
      found.trouble = "wrong answer: " + wrong;
    else if (counts)
      found.samples.push_back(work.operations() / (time * 1e6));
  }
};

double nanoseconds_of_operation(contestant const& one) { return one.milliseconds / one.work.operations(); }

} // namespace

double result::median() const {
  auto sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  std::size_t const half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
double result::minimum() const { return *std::min_element(samples.begin(), samples.end()); }
double result::maximum() const { return *std::max_element(samples.begin(), samples.end()); }

comparison compare(row const& cudax, row const& libcuxx, effort const& effort) {
  int device = 0, multiprocessors = 0, major = 0, minor = 0;
  CUDA_MUST(cudaGetDevice(&device));
  CUDA_MUST(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  CUDA_MUST(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));

  contestant a(cudax, unsigned(multiprocessors)), b(libcuxx, unsigned(multiprocessors));
  std::vector<contestant*> running;
  for (auto [one, row] : {std::pair{&a, &cudax}, std::pair{&b, &libcuxx}}) {
    if (unsigned(10 * major + minor) < row->minimum_sm) {
      one->found.trouble = "needs sm_" + std::to_string(row->minimum_sm) + ", the device has sm_" +
                           std::to_string(10 * major + minor);
      continue;
    }
    one->calibrate(effort.launch_milliseconds);
    running.push_back(one);
  }

  double const apart =
      running.size() == 2 ? std::log2(nanoseconds_of_operation(a) / nanoseconds_of_operation(b)) : 0;
  if (std::abs(apart) < 3) {
    unsigned rounds = 1;
    for (contestant* one : running) rounds = std::max(rounds, one->work.rounds);
    for (contestant* one : running) {
      one->milliseconds *= double(rounds) / one->work.rounds;
      one->work.rounds = rounds;
    }
  }
  double shared_launch = 0;
  for (contestant* one : running) shared_launch = std::max(shared_launch, one->milliseconds);
  for (contestant* one : running) {
    double const launch = std::abs(apart) < 3 ? shared_launch : one->milliseconds;
    one->work.launches = odd(std::clamp(effort.sample_milliseconds / launch, 1.0, 63.0));
  }

  for (unsigned sample = 0; sample < effort.warm_up + effort.samples; ++sample)
    for (contestant* one : running) one->sample(sample >= effort.warm_up);
  a.found.work = a.work;
  b.found.work = b.work;
  return {a.found, b.found};
}

} // namespace bench
