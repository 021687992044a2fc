// SPDX-License-Identifier: Apache-2.0
//
// queue: work in the order of streams.  [CUDA Programming Guide, "Streams", "Implicit Synchronization"]
// A piece of work runs after its dependencies: the previous work of its stream, and those that events and the default
// stream add. All dependencies were submitted earlier, so there is no cycle. A stream runs its work on its own thread:
// the host is never blocked, and streams overlap.
#pragma once

#include "../machine/device.hpp"
#include "contexts.hpp"
#include "errors.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emulator::cuda {

/// Whether a piece of work is finished, and since when. Protected by the queue's lock.
struct completion {
  bool done = false;
  std::chrono::steady_clock::time_point when;
};
using completion_pointer = std::shared_ptr<completion>;

/// What a stream executes: once, or in each launch of the graph of which it is a node.
struct command {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<void()> run{};                    ///< of all but kernels and graphs
  std::shared_ptr<emulator::launch const> grid{}; ///< of a kernel
  std::string kernel{};                           ///< its name
  bool may_start_early = false;                   ///< it asks for programmatic stream serialization
  std::shared_ptr<CUgraph_st const> child{};      ///< of a graph
};
/// Runs a grid to its end. Reports its fault.
void run_grid(emulator::launch const&);

struct piece_of_work {
  std::vector<completion_pointer> after;
  std::function<void()> run;
  completion_pointer done;
};

} // namespace emulator::cuda

/// The type to which a cudaStream_t points.
struct CUstream_st {
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  std::uint64_t id = 0;
  CUctx_st* context = emulator::cuda::current_context(); ///< in which it was created
  bool blocks_default = true; ///< this stream and the legacy default stream wait for each other
  bool has_thread = false;
  bool destroyed = false; ///< its thread ends after its work
  std::deque<emulator::cuda::piece_of_work> waiting;
  emulator::cuda::completion_pointer last; ///< the newest work; null if there was none
  emulator::cuda::completion_pointer last_grid;
  std::uint64_t seen_at_last_grid = 0; ///< how often the host had seen work finished
};

namespace emulator::cuda {

/// Returns the stream that a handle denotes: null and cudaStreamLegacy denote the default stream, cudaStreamPerThread
/// that of the calling thread.
/// Errors: failure cudaErrorInvalidResourceHandle
std::shared_ptr<CUstream_st> stream_of(cudaStream_t);

std::shared_ptr<CUstream_st> make_stream(unsigned flags, int priority);
void destroy_stream(std::shared_ptr<CUstream_st> const&);
void destroy_all_streams(); ///< cudaDeviceReset

/// Appends a command, or records it if the stream is captured. The returned completion is done when the command has
/// run, or is recorded; if the device fails before, it is done without running. A grid also waits for the earlier grids
/// of its connection (environment.hpp). If the program ends before the grid, the end of the program waits for it
/// (at_exit.hpp).
completion_pointer submit(std::shared_ptr<CUstream_st> const&, command);
/// Makes all work that is submitted to the stream later wait for this, too.
void submit_wait(std::shared_ptr<CUstream_st> const&, completion_pointer);

/// A command of several that are submitted together.
struct step {
  std::function<void()> run;
  std::string kernel;             ///< of a grid
  std::vector<std::size_t> after; ///< the steps before it for which it waits
  std::size_t lane;
};
/// A stream that is not the program's: its work waits for nothing but what it names.
std::shared_ptr<CUstream_st> make_lane();
void end_lane(std::shared_ptr<CUstream_st> const&); ///< after the work that it has
/// Appends these steps as one piece of work: they begin after the stream's earlier work and after `earlier`, and the
/// stream's later work begins after all of them. Steps of one lane run one after the other.
completion_pointer submit_steps(std::shared_ptr<CUstream_st> const&, std::vector<step>,
                                std::vector<std::shared_ptr<CUstream_st>> const& lanes,
                                completion_pointer const& earlier);

/// Waits for the work. If the device fails, ends early and throws the device's error.
void wait_for(completion_pointer const&);
void wait_for_stream(std::shared_ptr<CUstream_st> const&);
void wait_for_everything();
/// Waits until no grid is left or the device fails; gives up if no block ends for the given time.
/// Returns: the kernels of the remaining grids; none if the device failed, or in the work of a stream
std::vector<std::string> wait_for_grids(std::chrono::nanoseconds);
bool is_done(completion_pointer const&);
bool is_idle(std::shared_ptr<CUstream_st> const&);
std::chrono::steady_clock::time_point time_of(completion_pointer const&);

} // namespace emulator::cuda
