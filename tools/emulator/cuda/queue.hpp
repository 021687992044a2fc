// SPDX-License-Identifier: Apache-2.0
//
// queue: work in the order of streams.  [CUDA Programming Guide, "Streams", "Implicit Synchronization"]
// A piece of work runs after those that it names: the one before it in its stream, and what events and the default stream
// add. All it names was submitted before it, so nothing waits in a circle. A stream runs its work on a thread of its own,
// the host is never held up, and streams overlap.
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

/// Whether a piece of work is over, and since when. Guarded by the queue's lock.
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

/// What a cudaStream_t points to.
struct CUstream_st {
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  std::uint64_t id = 0;
  CUctx_st* context = emulator::cuda::current_context(); ///< that it was made in
  bool blocks_default = true;                            ///< waits for the legacy default stream, and it for this one
  bool has_thread = false;
  bool destroyed = false; ///< its thread ends when its work has ended
  std::deque<emulator::cuda::piece_of_work> waiting;
  emulator::cuda::completion_pointer last; ///< of the newest work; null before the first
};

namespace emulator::cuda {

/// The stream that a handle means: null and cudaStreamLegacy are the default stream, cudaStreamPerThread that of the calling
/// thread.
/// Errors: failure cudaErrorInvalidResourceHandle
std::shared_ptr<CUstream_st> stream_of(cudaStream_t);

std::shared_ptr<CUstream_st> make_stream(unsigned flags, int priority);
void destroy_stream(std::shared_ptr<CUstream_st> const&);
void destroy_all_streams(); ///< cudaDeviceReset

/// Appends work. The returned completion is done when it has run; if the device broke before, it is done without.
completion_pointer submit(std::shared_ptr<CUstream_st> const&, std::function<void()> work);
/// The same of a grid of this kernel, which also waits for the grids before it in its connection (environment.hpp). Where the
/// program ends before the grid, the end waits for it (at_exit.hpp).
completion_pointer submit_grid(std::shared_ptr<CUstream_st> const&, std::string const& kernel,
                               std::function<void()> work);
/// Everything that is submitted to the stream later waits for this, too.
void submit_wait(std::shared_ptr<CUstream_st> const&, completion_pointer);

/// Waits; ends early where the device breaks, and throws its error.
void wait_for(completion_pointer const&);
void wait_for_stream(std::shared_ptr<CUstream_st> const&);
void wait_for_everything();
/// Waits until no grid is left or the device breaks; gives up where no block ends for so long.
/// Returns: the kernels of the grids that are left; none where the device broke, or in the work of a stream
std::vector<std::string> wait_for_grids(std::chrono::nanoseconds);
bool is_done(completion_pointer const&);
bool is_idle(std::shared_ptr<CUstream_st> const&);
std::chrono::steady_clock::time_point time_of(completion_pointer const&);

} // namespace emulator::cuda
