// SPDX-License-Identifier: Apache-2.0
//
// measure: a sample is a number of launches between two device events. Before a sample the memory is reset, after it
// the answer is checked; a wrong answer leaves the library without a number in this row. The rounds of a launch and the
// launches of a sample are found by trial, so that a sample is long enough to time, and a row that is a thousand times
// slower than another does not take a thousand times as long. Libraries less than eight times apart do the same work.
#include "measure.hpp"
#include "cuda.hpp"

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

unsigned odd(double number) { return unsigned(number) | 1u; }

unsigned blocks(row const& row, unsigned multiprocessors) {
  return row.blocks ? row.blocks : multiprocessors * row.blocks_per_sm;
}

/// The memory of a row. Both libraries use the same addresses, one after the other: the distribution of memory over the
/// L2 slices makes a difference of two per cent.
struct field {
  std::size_t object_bytes, result_bytes;
  device_memory objects, results;

  field(row const& a, row const& b, unsigned multiprocessors)
    : object_bytes(std::max(a.object_bytes(threads(a, multiprocessors)), b.object_bytes(threads(b, multiprocessors)))),
      result_bytes(std::max(a.result_bytes(threads(a, multiprocessors)), b.result_bytes(threads(b, multiprocessors)))),
      objects(object_bytes), results(result_bytes) {}

  static unsigned threads(row const& row, unsigned multiprocessors) {
    return blocks(row, multiprocessors) * row.threads_per_block;
  }
};

/// One library in a row.
class contestant {
  row const& row_;
  field const& field_;
  std::vector<char> host_objects_, host_results_;
  event start_, stop_;

public:
  bench::work work;
  result found;
  double milliseconds = 0; ///< of one launch, at calibration

  contestant(row const& row, field const& field, unsigned multiprocessors)
    : row_(row), field_(field), host_objects_(row.objects_are_input ? 0 : field.object_bytes),
      host_results_(field.result_bytes), work{blocks(row, multiprocessors), row.threads_per_block, 1, 1} {}

  double nanoseconds_of_operation() const { return milliseconds * 1e6 / row_.operations(work); }

  /// Runs one sample and returns the milliseconds of its launches.
  double run() {
    CUDA_MUST(cudaMemset(field_.objects.get(), row_.initial_byte, field_.object_bytes));
    CUDA_MUST(cudaMemset(field_.results.get(), 0, field_.result_bytes));
    if (row_.prepare) {
      row_.prepare(work, field_.objects.get(), field_.results.get());
      CUDA_MUST(cudaDeviceSynchronize());
    }
    start_.record();
    for (unsigned launch = 0; launch < work.launches; ++launch)
      row_.launch(work, field_.objects.get(), field_.results.get(), launch * work.rounds);
    CUDA_MUST(cudaGetLastError());
    stop_.record();
    return stop_.since(start_);
  }

  /// Finds the number of rounds for which a launch takes `wanted` milliseconds.
  void calibrate(double wanted) {
    run(); // loads the kernel
    for (;;) {
      milliseconds = run();
      if (milliseconds >= wanted || work.rounds > 1'000'000 || work.rounds >= row_.most_rounds) return;
      work.rounds = std::min(odd(work.rounds * std::clamp(1.1 * wanted / milliseconds, 2.0, 32.0)), row_.most_rounds);
    }
  }

  /// Takes a sample and checks its answer; `counts` is false while warming up.
  void sample(bool counts) {
    if (!found.trouble.empty()) return;
    double const time = run();
    CUDA_MUST(cudaMemcpy(host_objects_.data(), field_.objects.get(), host_objects_.size(), cudaMemcpyDeviceToHost));
    CUDA_MUST(cudaMemcpy(host_results_.data(), field_.results.get(), field_.result_bytes, cudaMemcpyDeviceToHost));
    std::string const wrong = row_.check(work, host_objects_.data(), host_results_.data());
    if (!wrong.empty()) found.trouble = "wrong answer: " + wrong;
    else if (counts) found.samples.push_back(row_.operations(work) / (time * 1e6));
  }
};

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

  field const shared(cudax, libcuxx, unsigned(multiprocessors));
  contestant a(cudax, shared, unsigned(multiprocessors)), b(libcuxx, shared, unsigned(multiprocessors));
  std::vector<contestant*> running;
  for (auto [one, row] : {std::pair{&a, &cudax}, std::pair{&b, &libcuxx}}) {
    if (unsigned(10 * major + minor) < row->minimum_sm) {
      one->found.trouble =
          "needs sm_" + std::to_string(row->minimum_sm) + ", the device has sm_" + std::to_string(10 * major + minor);
      continue;
    }
    one->calibrate(effort.launch_milliseconds);
    running.push_back(one);
  }

  double const apart = running.size() == 2 ? std::log2(a.nanoseconds_of_operation() / b.nanoseconds_of_operation()) : 0;
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

  for (unsigned sample = 0; sample < effort.warm_up + effort.samples; ++sample) {
    for (contestant* one : running) one->sample(sample >= effort.warm_up);
    std::reverse(running.begin(), running.end()); // alternate the order
  }
  a.found.work = a.work;
  b.found.work = b.work;
  return {a.found, b.found};
}

} // namespace bench
