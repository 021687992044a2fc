// SPDX-License-Identifier: Apache-2.0
//
// simulated_machine: a machine with CUDA devices, as far as the host runtime sees it, in place of CUDA.
//
// It rejects what CUDA rejects: a range that overlaps a registered one, an address that does not begin a registration.
// Memory to register is never touched, so tests may use any numbers as addresses. Devices may have their own addresses.
// The k-th call from now can be made to fail.
#pragma once

#include "../../../runtime/cuda/cuda_calls.hpp"
#include "planned_failure.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace cudax_test {

class simulated_machine {
public:
  using address = std::uintptr_t;

  simulated_machine();  // calls go to this object from now on
  ~simulated_machine(); // and no longer
  simulated_machine(simulated_machine const&) = delete;

  // --- configuration; set before use ---
  int devices = 1;
  bool own_addresses = false; // each registration has another address on the device
  int driver_version = 13000;
  int count_error = 0;                                         // the error that counting the devices reports
  std::map<int, cudax::runtime::device_description> described; // devices with other attributes
  std::map<std::pair<int, int>, cudax::runtime::peer_description> peer_links; // other pairs have no link

  /// The k-th call from now (1: the next) fails with `code`; 0: none does.
  void fail_call(int k, int code);
  bool failed() const; // whether a call has failed
  int calls() const;   // how many calls were made

  // --- what was called ---
  std::size_t registered_ranges() const;
  std::size_t registered_bytes() const;
  bool is_registered(address begin, std::size_t size) const; // all of it
  std::size_t allocations() const;
  int unregister_failures() const;
  void* host_address(void const* device) const; // of registered memory

  /// cudaDeviceReset: everything is forgotten, and the next allocation of a size reuses an earlier address.
  void reset();

  /// fork(), while no other thread is inside: the child can use the machine, too.
  int fork_between_calls();

  // --- what other code does ---
  enum class reach { from_devices, from_host_only };
  void others_register(address begin, std::size_t size, reach from = reach::from_devices);
  void others_allocate(address begin, std::size_t size); // host memory allocated by CUDA, until it is unregistered
  void others_unregister(address begin);
  void others_own(address begin, std::size_t size, cudax::runtime::memory_owner owner, int device = 0);

  /// The calls. A suite replaces an entry that only it needs; those without an answer succeed and write nothing.
  cudax::runtime::cuda_calls table = make_table();

private:
  enum class maker { us, others, cuda };
  struct bytes {
    address end;
    address device;
    maker by;
    bool mapped;
    unsigned long long context;
  };
  struct allocation {
    std::size_t size;
    bool managed;
    unsigned long long context;
  };

  struct entry;

  static simulated_machine& current();
  struct owned {
    std::size_t size;
    cudax::runtime::memory_owner owner;
    int device;
  };

  int injected(); // counts a call
  int do_register(address begin, std::size_t size, maker by, bool mapped = true);
  int overlap(address begin, address end) const; // CUDA's answer to another registration of the range
  bytes const* containing(address at, address* begin = nullptr) const;
  unsigned long long context_of(void const* at) const; // 0: the memory does not exist
  int allocate(void** at, std::size_t size, bool managed);
  int deallocate(void* at, bool managed);

  template <class Result> static Result succeed();
  static cudax::runtime::cuda_calls make_table();
  static void answer_for_memory(cudax::runtime::cuda_calls& t);
  static void answer_for_devices(cudax::runtime::cuda_calls& t);

  mutable std::mutex mutex_;
  std::map<address, bytes> ranges_;
  std::map<address, owned> owners_;
  std::map<void*, allocation> allocations_;
  std::multimap<std::size_t, void*> past_; // by size; their bytes stay, for containers that are destroyed after a reset
  unsigned long long context_ = 1;
  address next_device_ = 0x7000'0000'0000;
  int calls_ = 0;
  planned_failure<int> failure_;
  int unregister_failures_ = 0;
  cudax::runtime::cuda_calls const& before_;
};

} // namespace cudax_test
