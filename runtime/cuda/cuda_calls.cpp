// SPDX-License-Identifier: Apache-2.0
//
// cuda_calls: selects the table in use.
#include "cuda_calls.hpp"

#include <atomic>

namespace cudax::runtime {
namespace {

#if CUDAX_SYNC_WITH_CUDA
constinit std::atomic<cuda_calls const*> current = &calls_of_cuda;
#else
constinit std::atomic<cuda_calls const*> current = &calls_without_cuda;
#endif

} // namespace

// Acquire and release: a table that a test has filled is complete for every thread that reads it.
cuda_calls const& calls() noexcept { return *current.load(std::memory_order_acquire); }

cuda_calls const& exchange_calls(cuda_calls const& calls) noexcept {
  return *current.exchange(&calls, std::memory_order_acq_rel);
}

} // namespace cudax::runtime
