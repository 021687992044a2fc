// SPDX-License-Identifier: Apache-2.0
//
// simulated_driver: a driver and devices, as far as contexts, captures and last errors are concerned, below the
// library's tables of calls (simulated_machine.hpp replaces those tables). It rejects what CUDA rejects: calls without
// a context, destroyed contexts, objects that do not belong to it. Tests simulate other code: it uses a device, resets
// it, makes a context.
#pragma once

#include "../../../runtime/cuda/driver.hpp"
#include "planned_failure.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// What a CUcontext points to.
struct CUctx_st {
  int device = 0;
  bool primary = false;
  bool alive = true;
  unsigned long long id = 0; // never reused
};

namespace cudax_test {

/// Its state is per thread: contexts, device, capture mode and last error.
class simulated_driver {
public:
  explicit simulated_driver(int devices = 2); // calls go to this object during its lifetime
  ~simulated_driver();
  simulated_driver(simulated_driver const&) = delete;

  // --- what other code does ---
  void use_device(int device);         // the runtime, for this thread: selects the device and makes its context current
  void choose_device(int device);      // the same, as CUDA before version 12 did: without a context
  void reset_device(int device);       // cudaDeviceReset
  CUcontext make_context(int device);  // cuCtxCreate: current afterwards
  CUstream make_stream(CUcontext);     // of that context
  void leave_error(cudaError_t error); // a launch that failed
  void fail_call(int k, CUresult code); // the k-th call of the driver from now fails; 0: none does

  // --- state ---
  CUcontext current() const;      // the thread's context; null: none
  CUcontext primary(int device);  // null: not active
  int references(int device);     // references to the primary context held by users of the driver
  cudaError_t last_error() const; // the thread's
  bool failed() const { return failure_.failed(); }
  int disturbed = 0; // calls that would have ended a capture
  std::set<std::pair<int, int>> peers;
  std::vector<std::string> log; // "name@device" of calls that need a context
  std::map<void const*, CUcontext> memory;
  int stream_answer = CUDA_SUCCESS;
  int code_sm = 90;                                   // for which the kernels were compiled
  std::vector<CUlaunchAttributeID> launch_attributes; // of the last launch
  int permissions = 0;                                // of large clusters that kernels got

  /// The calls. A suite replaces an entry that only it needs; those without an answer succeed and write nothing.
  cudax::runtime::driver table = make_table();

private:
  static simulated_driver& now();
  static cudax::runtime::driver make_table();
  static void answer_for_devices(cudax::runtime::driver& d);
  static void answer_for_contexts(cudax::runtime::driver& d);
  static void answer_for_memory(cudax::runtime::driver& d);
  static void answer_for_streams(cudax::runtime::driver& d);
  static void answer_for_kernels(cudax::runtime::driver& d);
  static void answer_for_tensors(cudax::runtime::driver& d);
  static void answer_for_the_runtime(cudax::runtime::driver& d);
  CUresult enter(char const* name, bool disturbs = true); // what a call that needs a context does first
  CUresult injected();
  CUcontext retain(int device);
  void* allocate(std::size_t size);

  struct device {
    CUcontext primary = nullptr;
    int references = 0;
  };
  std::vector<device> devices_;
  std::vector<CUcontext> contexts_; // all that have ever existed
  std::map<CUstream, CUcontext> streams_;
  std::vector<std::unique_ptr<char[]>> blocks_; // of memory, also after it was freed
  cudax::runtime::driver const* const before_;
  planned_failure<CUresult> failure_;
};

} // namespace cudax_test
