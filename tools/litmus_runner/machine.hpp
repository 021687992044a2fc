// SPDX-License-Identifier: Apache-2.0
//
// machine: the GPU, and the runs of tests on it.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "arrange.hpp"
#include "cells.hpp"
#include "table.hpp"
#include "tuning.hpp"

namespace litmus_runner {

/// What one test gave.
struct result {
  std::vector<unsigned long long> counts; ///< by outcome
  unsigned long long others = 0;          ///< outcomes with a value that the program cannot make
  unsigned long long missing = 0;         ///< instances of which a thread left no result
  unsigned long long endless = 0;         ///< instances of which an await gave up
  unsigned long long instances = 0;
  double seconds = 0;
  unsigned launches = 0;
};

/// A launch's counts (counts_of) as a result; the other members are those of no launch.
result result_from(std::vector<unsigned long long> const& counts, unsigned bits);

/// Adds a part of the launches of one test.
void add(result& total, result const& part);

/// Something that the device has not, such as clusters.
struct device_lacks : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A call of CUDA that failed, or a kernel that does not end. The device is of no use any more to this process.
struct machine_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct registered_host_test;
class memory_with_host;

class machine {
public:
  explicit machine(unsigned seed);
  ~machine();
  machine(machine const&) = delete;
  machine& operator=(machine const&) = delete;

  std::string const& name() const { return name_; }
  unsigned sms() const { return unsigned(sms_); }
  /// Whether this is the emulator (tools/emulate).
  bool emulated() const { return emulated_; }

  /// Runs a test. Throws device_lacks, std::runtime_error if the runner cannot run it, and machine_error. `launched`
  /// gets each launch and its counts.
  result run(row const&, arguments const&, std::function<void(launch const&, result const&)> const& launched);

private:
  result run_beside_host(row const&, registered_host_test const&, arguments const&,
                         std::function<void(launch const&, result const&)> const& launched);
  capacity capacity_of(row const&, layout const&, void const* kernel, unsigned threads, std::size_t shared) const;
  void await_kernel(unsigned patience, launch const&) const;

  std::string name_;
  int sms_ = 0;
  bool emulated_ = false;
  tuning tuning_;
  cells cells_;
  unsigned* results_ = nullptr;
  unsigned* scratch_ = nullptr;
  unsigned* arrived_ = nullptr;
  unsigned* stuck_ = nullptr; ///< in host memory
  unsigned long long* histogram_ = nullptr;
  std::unique_ptr<memory_with_host> with_host_; ///< made for the first test with threads of the host
};

} // namespace litmus_runner
