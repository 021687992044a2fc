// SPDX-License-Identifier: Apache-2.0
//
// grid: a launch that runs, and its blocks while they are resident.
#pragma once

#include "device.hpp"

#include <condition_variable>
#include <mutex>

namespace emulator {

struct scheduler;

struct grid {
  emulator::launch launch;
  std::uint64_t number = 0; ///< %gridid
  device_properties const* properties = nullptr;
  emulator::scheduler* scheduler = nullptr;
  std::byte* parameters = nullptr; ///< a copy of the launch's, aligned for any type
  std::unique_ptr<std::byte, void (*)(void*)> parameter_memory{nullptr, nullptr};
  /// What this_grid().sync() of cooperative groups counts in; %envreg1 and %envreg2 say where it is.
  struct alignas(16) cooperative_workspace {
    std::uint32_t size = sizeof(cooperative_workspace);
    std::uint32_t barrier = 0;
    std::uint32_t unused[2]{};
  } workspace;

  std::atomic<bool> stops{false}; ///< after a fault

  std::mutex children_mutex;
  std::vector<emulator::launch> children; ///< that its threads have launched (nested.hpp)

  // --- of the scheduler, under its lock ---
  std::uint64_t units = 0;     ///< clusters, or all of a cooperative launch
  std::uint64_t next_unit = 0; ///< how many have started or been cancelled
  std::vector<struct resident_block*> residents;
  std::uint64_t seed = 0; ///< of the order in which units start
  emulator::fault fault;  ///< the first
  bool done = false;
  std::condition_variable ended;
};

/// The cluster's number -> ctaid of its first block.
std::array<std::uint32_t, 3> first_block_of(grid const&, std::uint64_t cluster);
/// The cluster that starts as number `index`.
std::uint64_t shuffled(grid const&, std::uint64_t index);

/// Takes a cluster of the grid that has not started, for clusterlaunchcontrol.try_cancel: it will never start.
/// Returns: whether there was one; ctaid is that of its first block
bool cancel_next_block(block&, std::uint32_t ctaid[3]);

} // namespace emulator
