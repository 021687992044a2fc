// SPDX-License-Identifier: Apache-2.0
//
// execution_calls: selects the table in use, and defines the table without CUDA.
#include "execution_calls.hpp"

#include <atomic>

namespace cudax::runtime {
namespace {

template <class... Argument> int refuse(Argument...) { return cuda::built_without; }
int no_error() { return cuda::success; }

#if CUDAX_SYNC_WITH_CUDA
constinit std::atomic<execution_calls const*> current = &execution_calls_of_cuda;
#else
constinit std::atomic<execution_calls const*> current = &execution_calls_without_cuda;
#endif

} // namespace

constinit execution_calls const execution_calls_without_cuda = {
    .query_stream = refuse,
    .query_event = refuse,
    .query_device = refuse,
    .last_error = no_error,
    .current_device = refuse,
    .describe_kernel = refuse,
    .describe_multiprocessor = refuse,
    .resident_blocks = refuse,
    .resident_clusters = refuse,
    .launch_cooperative = refuse,
    .launch_plain = refuse,
    .launch_programmatic = refuse,
    .launch_aside = refuse,
    .loads_lazily = refuse,
    .encode_tensor_map = refuse,
    .can_access_peer = refuse,
    .enable_peer_access = refuse,
    .peer_atomics = refuse,
};

execution_calls const& execution() noexcept { return *current.load(std::memory_order_acquire); }

execution_calls const& exchange_execution(execution_calls const& calls) noexcept {
  return *current.exchange(&calls, std::memory_order_acq_rel);
}

} // namespace cudax::runtime
