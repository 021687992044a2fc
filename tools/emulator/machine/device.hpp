// SPDX-License-Identifier: Apache-2.0
//
// device: the GPU: its properties, and grids that run on it.
// A few threads of the operating system run the blocks of all grids. As many blocks are resident as fit on the SMs. A
// resident block always progresses, in turn with the others; a block that has not started may wait indefinitely.
#pragma once

#include "program.hpp"
#include "thread.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace emulator {

/// What is emulated. From the environment: CUDAX_EMULATOR_SM (75, 80, 90, 100, ...; 90), CUDAX_EMULATOR_SMS (their
/// number; 4), CUDAX_EMULATOR_BLOCKS_PER_SM (8), CUDAX_EMULATOR_THREADS (of the operating system; as many as
/// processors).
struct device_properties {
  int sm = 90;
  int multiprocessors = 4;
  int blocks_per_multiprocessor = 8;
  int threads_per_multiprocessor = 2048;
  std::size_t shared_per_block = 48 * 1024;
  std::size_t shared_per_block_optin = 227 * 1024;
  std::size_t shared_per_multiprocessor = 228 * 1024;
  int largest_cluster = 8; ///< 1 where there are none
  int threads = 0;         ///< of the operating system; 0: as many as processors
};

/// The properties that the environment asks for.
/// Errors: std::invalid_argument with a sentence
device_properties properties_from_environment();

/// Where a grid is in a launch of a graph (cuda/graph.hpp). Grids between which there is no path may run at the same
/// time, whether they do so here or not.
struct graph_place {
  std::uint64_t launch; ///< of the graph; the launches of all graphs are numbered
  std::uint64_t node;
  std::size_t grids;                ///< of the launch
  std::vector<std::uint64_t> after; ///< nodes whose grids have ended before this one begins
  /// Nodes whose grids may still run, as far as the program knows, when this one begins: their edges are programmatic.
  std::vector<std::uint64_t> early;
  bool is_nested = false; ///< a thread of the node's own grid has launched it
};

struct launch {
  function const* kernel;
  dim3 grid, block, cluster; ///< cluster: in blocks
  std::size_t dynamic_shared = 0;
  std::vector<std::byte> parameters; ///< as function::parameters lays them out
  bool cooperative = false;
  std::uint64_t stream = 0;
  /// It may begin before the grid before it in the stream has ended, as far as the program knows. Here it begins after
  /// that; a checked run orders only what griddepcontrol.wait orders.
  bool is_dependent = false;
  std::shared_ptr<graph_place const> graph{}; ///< null: it is in no graph
  bool names_cluster = false;                 ///< the program or the kernel gives the size of clusters, be it one block
  bool is_clustered() const { return names_cluster || cluster.count() > 1; }
};

class device {
public:
  explicit device(device_properties const&);
  ~device();
  device_properties const& properties() const;

  /// How many blocks of this shape are resident at once on one SM.
  int resident_blocks(function const& kernel, dim3 block, std::size_t dynamic_shared) const;

  /// Why a launch is rejected before any thread runs, with the error of cudaLaunchKernel; error 0 where it is not.
  fault rejection(launch const&) const;

  /// Runs a grid until all its blocks have ended or one has failed. Any number of threads may call it at once: their
  /// grids run at the same time. Returns: fault::error 0 where it succeeded; a rejection() where there is one
  fault run(launch const&);

private:
  struct workers;
  std::unique_ptr<workers> workers_;
};

} // namespace emulator
