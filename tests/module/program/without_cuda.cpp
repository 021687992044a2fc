// SPDX-License-Identifier: Apache-2.0
//
// without_cuda: replaces the two CUDA units if there is no toolkit.
#include "shared.hpp"

namespace cudax_test {

std::vector<std::thread> start_cuda_worker() { return start(); }
std::vector<std::thread> start_cuda_launcher() { return start(); }
unsigned cuda_loads(cudax::atomic<unsigned> const& object, cudax::memory_order order) { return object.load(order); }
cudax::thread_scope cuda_scope() { return cudax::thread_scope_cluster; }
addresses cuda_addresses() { return my_addresses(); }
char const* count_on_device_too(bool&) { return "this program is plain C++"; }

} // namespace cudax_test
