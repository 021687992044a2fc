// SPDX-License-Identifier: Apache-2.0
//
// measure: a sample is a number of launches between two device events. Before a sample the memory is reset, after it
// the answer is checked; a wrong answer leaves the side without a number in this row. The rounds of a launch and the
// launches of a sample are found by trial, so that a sample is long enough to time, and a row that is a thousand times
// slower than another does not take a thousand times as long. Sides less than eight times slower than the fastest do
// the same work as the fastest.
#include "measure.hpp"
#include "cuda.hpp"

#include <algorithm>
#include <cmath>
#include <list>

namespace bench {

namespace {

unsigned odd(double number) { return unsigned(number) | 1u; }

struct device {
  unsigned multiprocessors, sm;
};

device this_device() {
  int device = 0, multiprocessors = 0, major = 0, minor = 0;
  CUDA_MUST(cudaGetDevice(&device));
  CUDA_MUST(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  CUDA_MUST(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return {unsigned(multiprocessors), unsigned(10 * major + minor)};
}

unsigned blocks(row const& row, unsigned multiprocessors) {
  return row.blocks ? row.blocks : multiprocessors * row.blocks_per_sm;
}

/// Returns what the device lacks for a row; empty if it lacks nothing.
std::string lacking(row const& row, device const& device) {
  if (device.sm < row.minimum_sm)
    return "needs sm_" + std::to_string(row.minimum_sm) + ", the device has sm_" + std::to_string(device.sm);
  if (row.together && row.blocks > device.multiprocessors)
    return "needs " + std::to_string(row.blocks) + " SMs, the device has " + std::to_string(device.multiprocessors);
  return row.lacks ? row.lacks() : "";
}

/// The memory of a row. All sides use the same addresses, one after the other: the distribution of memory over the L2
/// slices makes a difference of two per cent.
struct field {
  std::size_t object_bytes = 1, result_bytes = 1;
  device_memory objects, results;

  field(std::vector<row const*> const& sides, unsigned multiprocessors)
    : object_bytes(most(sides, multiprocessors, &row::object_bytes)),
      result_bytes(most(sides, multiprocessors, &row::result_bytes)), objects(object_bytes), results(result_bytes) {}

  template <class Member>
  static std::size_t most(std::vector<row const*> const& sides, unsigned multiprocessors, Member bytes) {
    std::size_t most = 1;
    for (row const* side : sides)
      most = std::max(most, (side->*bytes)(blocks(*side, multiprocessors) * side->threads_per_block));
    return most;
  }
};

/// One side in a row.
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
    else if (counts) {
      double const nanoseconds = time * 1e6 / row_.operations(work);
      found.samples.push_back(row_.shown == unit::nanoseconds ? nanoseconds
                              : row_.shown == unit::teraflops ? 1e-3 / nanoseconds
                                                              : 1 / nanoseconds);
      if (row_.extras) found.extras.push_back(row_.extras(work, host_objects_.data(), host_results_.data()));
    }
  }

  unsigned most_rounds() const { return row_.most_rounds; }
};

/// Chooses the rounds and the launches of all sides.
void share_work(std::vector<contestant*> const& running, effort const& effort) {
  double fastest = INFINITY;
  for (contestant* one : running) {
    one->calibrate(effort.launch_milliseconds);
    fastest = std::min(fastest, one->nanoseconds_of_operation());
  }
  unsigned rounds = 1;
  auto is_close = [&](contestant const* one) { return one->nanoseconds_of_operation() < 8 * fastest; };
  std::vector<contestant*> close;
  for (contestant* one : running)
    if (is_close(one)) close.push_back(one), rounds = std::max(rounds, one->work.rounds);
  double longest = 0;
  for (contestant* one : close) {
    one->milliseconds *= double(rounds) / one->work.rounds;
    one->work.rounds = rounds;
    longest = std::max(longest, one->milliseconds);
  }
  for (contestant* one : running) {
    bool const same = std::find(close.begin(), close.end(), one) != close.end();
    double const launch = same ? longest : one->milliseconds;
    one->work.launches = odd(std::clamp(effort.sample_milliseconds / launch, 1.0, 63.0));
  }
}

} // namespace

std::vector<measured> compare(std::vector<row const*> const& sides, effort const& effort) {
  device const device = this_device();
  std::vector<measured> found(sides.size());
  std::vector<row const*> possible;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    found[i].trouble = lacking(*sides[i], device);
    found[i].needs_more = !found[i].trouble.empty();
    if (!found[i].needs_more) possible.push_back(sides[i]);
  }
  if (possible.empty()) return found;
  if (constexpr std::size_t most = 64 << 20;
      effort.answers && field::most(possible, device.multiprocessors, &row::object_bytes) > most) {
    for (measured& each : found) each.trouble = "too large for a check of the answers alone", each.needs_more = true;
    return found;
  }

  field const shared(possible, device.multiprocessors);
  std::list<contestant> all;
  std::vector<contestant*> running;
  for (row const* side : possible) running.push_back(&all.emplace_back(*side, shared, device.multiprocessors));
  if (effort.answers)
    for (contestant* one : running) one->work.rounds = std::min(3u, one->most_rounds()), one->work.launches = 3;
  else share_work(running, effort);

  for (unsigned sample = 0; sample < effort.warm_up + effort.samples; ++sample) {
    for (contestant* one : running) one->sample(sample >= effort.warm_up);
    std::reverse(running.begin(), running.end()); // alternate the order
  }
  auto one = all.begin();
  for (measured& each : found)
    if (!each.needs_more) {
      each = {one->found, one->work};
      ++one;
    }
  return found;
}

} // namespace bench
