// SPDX-License-Identifier: Apache-2.0
//
// simulated_execution: devices, as far as launching, loading and waiting are concerned, in place of CUDA, as
// simulated_machine.hpp is for memory. The test sets what queries answer. The k-th call from now can be made to fail.
#pragma once

#include "../../../runtime/cuda/execution_calls.hpp"
#include "planned_failure.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace cudax_test {

class simulated_execution {
public:
  simulated_execution();
  ~simulated_execution();
  simulated_execution(simulated_execution const&) = delete;

  // --- configuration; set before use ---
  int devices = 2;
  std::function<int()> answer;     // to a query; called without a lock. Empty: not_ready
  std::atomic<int> last_error = 0; // the program's last error: no call changes it
  bool lazily = true;
  bool native_atomics = true;
  std::set<std::pair<int, int>> no_peers; // (device, peer)
  cudax::runtime::kernel_description kernel_facts{
      .registers = 32, .static_shared = 1024, .dynamic_shared_limit = 48 * 1024, .block_limit = 1024, .sm = 90};
  cudax::runtime::multiprocessor_description multiprocessor{.count = 4,
                                                            .threads = 2048,
                                                            .blocks = 32,
                                                            .registers = 65536,
                                                            .shared = 228 * 1024,
                                                            .reserved_shared = 1024,
                                                            .warp_size = 32,
                                                            .cooperative_launch = 1,
                                                            .cluster_launch = 1};
  int blocks = 8;   // resident per multiprocessor
  int clusters = 2; // resident on the device

  /// The k-th call from now (1: the next) fails with `code`; 0: none does. Queries are not counted: see `answer`.
  void fail_call(int k, int code);
  bool failed() const; // whether a call has failed

  /// Selects the calling thread's device. Returns the previous one.
  static int set_device(int ordinal);

  // --- what was called ---
  std::atomic<int> queries = 0;
  CUstream_st* last_stream = nullptr;
  CUevent_st* last_event = nullptr;
  int device_of_last_query = -1;
  std::vector<cudax::runtime::launch_request> launches;
  void* first_argument = nullptr;                     // of the last launch aside
  std::vector<std::pair<void const*, int>> described; // kernels, each with its device
  std::set<std::pair<int, int>> enabled;              // (device, peer)
  cudax::runtime::tensor_request tensor{};            // of the last tensor map
  int tensors_made = 0;

  /// The calls. A suite replaces an entry that only it needs; those without an answer succeed and write nothing.
  cudax::runtime::execution_calls table = make_table();

private:
  static simulated_execution& current();
  static int query();
  int injected();
  /// Runs a call's body under the lock, unless this call is to fail.
  template <class Body> static int call(Body body);

  static cudax::runtime::execution_calls make_table();
  static void answer_queries(cudax::runtime::execution_calls& t);
  static void answer_for_kernels(cudax::runtime::execution_calls& t);
  static void answer_for_devices(cudax::runtime::execution_calls& t);

  cudax::runtime::execution_calls const& before_;
  mutable std::mutex mutex_;
  planned_failure<int> failure_;
};

} // namespace cudax_test
