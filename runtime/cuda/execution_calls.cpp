// SPDX-License-Identifier: Apache-2.0
//
// execution_calls: selects the table in use.
#include "execution_calls.hpp"

#include <atomic>

namespace cudax::runtime {
namespace {

#if CUDAX_SYNC_WITH_CUDA
constinit std::atomic<execution_calls const*> current = &execution_calls_of_cuda;
#else
constinit std::atomic<execution_calls const*> current = &execution_calls_without_cuda;
#endif

} // namespace

execution_calls const& execution() noexcept { return *current.load(std::memory_order_acquire); }

execution_calls const& exchange_execution(execution_calls const& calls) noexcept {
  return *current.exchange(&calls, std::memory_order_acq_rel);
}

} // namespace cudax::runtime
