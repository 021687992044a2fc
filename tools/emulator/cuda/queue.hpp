// SPDX-License-Identifier: Apache-2.0
//
// queue: work in the order of streams.  [CUDA Programming Guide, "Streams", "Implicit Synchronization"]
// A piece of work runs after its dependencies: the previous work of its stream, and those that events and the default
// stream add. All dependencies were submitted earlier, so there is no cycle. A stream runs its work on its own thread:
// the host is never blocked, and streams overlap.
#pragma once

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

/// Appends work. The returned completion is done when the work has run; if the device fails before, it is done without
/// running.
completion_pointer submit(std::shared_ptr<CUstream_st> const&, std::function<void()> work);
/// Appends a grid of this kernel, which also waits for the earlier grids of its connection (environment.hpp). If the
/// program ends before the grid, the end of the program waits for it (at_exit.hpp).
completion_pointer submit_grid(std::shared_ptr<CUstream_st> const&, std::string const& kernel,
                               std::function<void()> work);
/// Whether the newest work of the stream is a grid of which the host has not seen the end: then a grid that is
/// submitted now could begin before that one has ended.
bool follows_grid(std::shared_ptr<CUstream_st> const&);
/// Makes all work that is submitted to the stream later wait for this, too.
void submit_wait(std::shared_ptr<CUstream_st> const&, completion_pointer);

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
