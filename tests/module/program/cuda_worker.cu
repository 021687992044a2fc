// SPDX-License-Identifier: Apache-2.0
#include "shared.hpp"

namespace cudax_test {

std::vector<std::thread> start_cuda_worker() { return start(); }
unsigned cuda_loads(cudax::atomic<unsigned> const& object, cudax::memory_order order) { return object.load(order); }
cudax::thread_scope cuda_scope() { return cudax::thread_scope_cluster; }
addresses cuda_addresses() { return my_addresses(); }

} // namespace cudax_test

// A kernel that the other CUDA unit launches.
__global__ void count_up(cudax::atomic<unsigned>* count, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) count->fetch_add(1, cudax::memory_order_relaxed);
}
